"""An authenticator in software: makes passkeys and signs with them, also as it should not."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import httpx
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from handrail.core.passkeys import encode

ORIGIN = "http://localhost:8400"
Json = dict[str, Any]


@dataclass
class Authenticator:
    """`flags` are what it says of its owner: present (1) and verified (4)."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    count: int = 0
    flags: int = 0x05

    def makes(self, options: Json, label: str = "Laptop", origin: str = ORIGIN) -> Json:
        """The answer to the options of a registration."""
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id
        public = self.key.public_key()
        spki = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        return {
            "label": label,
            "nonce": options["nonce"],
            "id": encode(self.id),
            "client_data": encode(_client_data("webauthn.create", options["challenge"], origin)),
            "authenticator_data": encode(self._data(options["party"], 0x40) + attested),
            "public_key": encode(spki),
        }

    def signs(self, options: Json, origin: str = ORIGIN) -> Json:
        """The answer to the options of a sign-in or a decision."""
        self.count += 1
        client = _client_data("webauthn.get", options["challenge"], origin)
        data = self._data(options["party"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "nonce": options["nonce"],
            "id": encode(self.id),
            "client_data": encode(client),
            "authenticator_data": encode(data),
            "signature": encode(signature),
        }

    def _data(self, party: str, more: int = 0) -> bytes:
        flags = bytes([self.flags | more])
        return hashlib.sha256(party.encode()).digest() + flags + self.count.to_bytes(4, "big")


def _client_data(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}).encode()


async def add_passkey(client: httpx.AsyncClient, label: str = "Laptop") -> Authenticator:
    """A new passkey of whoever the client speaks for."""
    made = Authenticator()
    options = (await client.post("/api/me/passkeys/options")).raise_for_status().json()
    (await client.post("/api/me/passkeys", json=made.makes(options, label))).raise_for_status()
    return made


async def approval(
    client: httpx.AsyncClient, hold: Json, authenticator: Authenticator, verdict: str = "approve"
) -> Json:
    """A review of the hold, signed."""
    asked = {"verdict": verdict, "digest": hold["digest"]}
    options = await client.post(f"/api/holds/{hold['id']}/passkey-options", json=asked)
    signed = authenticator.signs(options.raise_for_status().json())
    return {**asked, "reason": "It was backed up.", "passkey": signed}
