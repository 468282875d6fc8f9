"""The encryption of web push (RFC 8291): only the device can read what its push service carries."""

from __future__ import annotations

import os
import struct

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1
POINT_BYTES = 65
AUTH_BYTES = 16
SALT_BYTES = 16
# what push services must take, in all; so there is one record
RECORD_BYTES = 4096
_OVERHEAD = SALT_BYTES + 4 + 1 + POINT_BYTES + 1 + 16
MOST_BYTES = RECORD_BYTES - _OVERHEAD
# marks the last record
_LAST = b"\x02"


def public_key(point: bytes) -> ec.EllipticCurvePublicKey:
    """`ValueError` where the bytes are no point of the curve."""
    if len(point) != POINT_BYTES:
        raise ValueError(f"a P-256 point has {POINT_BYTES} bytes")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE(), point)
    except UnsupportedAlgorithm as error:
        raise ValueError("this is no uncompressed P-256 point") from error


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt(
    text: bytes,
    device: bytes,
    auth: bytes,
    salt: bytes | None = None,
    own: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """The body of a request, for the device with this public key and shared secret.

    Salt and key are fresh for each message: that two of them are alike cannot be seen.
    """
    if len(text) > MOST_BYTES:
        raise ValueError(f"a message has at most {MOST_BYTES} bytes")
    salt, own = salt or os.urandom(SALT_BYTES), own or ec.generate_private_key(CURVE())
    sender = point_of(own)
    shared = own.exchange(ec.ECDH(), public_key(device))
    secret = _derived(auth, shared, b"WebPush: info\x00" + device + sender, 32)
    key = _derived(salt, secret, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derived(salt, secret, b"Content-Encoding: nonce\x00", 12)
    header = salt + struct.pack("!IB", RECORD_BYTES, POINT_BYTES) + sender
    return header + AESGCM(key).encrypt(nonce, text + _LAST, None)


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
