"""A push service on loopback, and the devices behind it: it checks what services check, and devices decrypt."""

from __future__ import annotations

import base64
import json
import os
import struct
import time
from dataclasses import dataclass, field
from typing import Any

import jwt
from channel_fakes import ORIGIN, HttpFake, Seen
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from loopback import Answer, Received

MOST_BYTES = 4096


def text(bytes_: bytes) -> str:
    return base64.urlsafe_b64encode(bytes_).rstrip(b"=").decode()


def plain(text_: str) -> bytes:
    return base64.urlsafe_b64decode(text_ + "=" * (-len(text_) % 4))


def decrypt(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """What a browser does with a message (RFC 8291), written from its side."""
    salt, (size, length) = body[:16], struct.unpack("!IB", body[16:21])
    assert size == MOST_BYTES
    sender, sealed = body[21 : 21 + length], body[21 + length :]
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    info = b"WebPush: info\0" + _point(key) + sender
    secret = HKDF(hashes.SHA256(), 32, auth, info).derive(shared)
    content = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
    nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
    padded = AESGCM(content).decrypt(nonce, sealed, None).rstrip(b"\0")
    assert padded[-1:] == b"\x02", "the only record is the last one"
    return padded[:-1]


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class DeviceFake:
    """A browser with a subscription. Of one tag it shows the newest notification; `alerts` are those with a sound."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))
    shown: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    raw: list[bytes] = field(default_factory=list[bytes])
    alerts: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def subscription(self) -> dict[str, str]:
        return {"endpoint": self.endpoint, "p256dh": text(_point(self.key)), "auth": text(self.auth)}

    def take(self, body: bytes) -> None:
        note: dict[str, Any] = json.loads(decrypt(body, self.key, self.auth))
        self.raw.append(body)
        self.shown[note["tag"]] = note
        if not note["silent"]:
            self.alerts.append(note)


class PushFake(HttpFake):
    """`devices` by the path of their endpoints; one that is gone is answered with 410."""

    name = "push"

    def __init__(self) -> None:
        super().__init__()
        self.devices: dict[str, DeviceFake] = {}
        self.asked: list[dict[str, str]] = []
        self.key: str | None = None

    @property
    def settings(self) -> dict[str, Any]:
        return {"push_hosts": "127.0.0.1", "public_url": ORIGIN, "email_from": "handrail@example.org"}

    def device(self) -> DeviceFake:
        path = f"/push/{os.urandom(8).hex()}"
        self.devices[path] = DeviceFake(self.url + path)
        return self.devices[path]

    async def taken(self, request: Received) -> Answer:
        device = self.devices.get(request.target)
        if device is None:
            return Answer(410)
        headers = request.headers
        if not self._is_from_its_server(headers["authorization"]):
            return Answer(403)
        if len(request.body) > MOST_BYTES:
            return Answer(413)
        assert headers["content-encoding"] == "aes128gcm"
        assert 0 < int(headers["ttl"]) <= 28 * 86400
        assert 0 < len(headers["topic"]) <= 32
        self.asked.append(headers)
        device.take(request.body)
        return Answer(201, headers={"Location": f"{self.url}/message/{os.urandom(4).hex()}"})

    def _is_from_its_server(self, authorization: str) -> bool:
        """A device is bound to the key of the first who sends to it."""
        parts = dict(part.split("=", 1) for part in authorization.removeprefix("vapid ").split(", "))
        self.key = self.key or parts["k"]
        if self.key != parts["k"]:
            return False
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), plain(parts["k"]))
        claims = jwt.decode(parts["t"], point, algorithms=["ES256"], audience=self.url)
        return claims["sub"].startswith(("mailto:", "https:")) and claims["exp"] - time.time() <= 86400

    def seen(self, hold: str) -> list[Seen]:
        notes = [device.shown[hold] for device in self.devices.values() if hold in device.shown]
        return [Seen(note["asks"], f"{note['title']}\n{note['body']}") for note in notes]

    def delete(self) -> None:
        """Everybody removes the app."""
        self.devices.clear()
