"""What a person's authenticator signs, and whether it did (WebAuthn). Pure: an export is checked offline, too."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

from . import canonical
from .holds import Verdict
from .ids import HoldId, PrincipalId

# flags of the authenticator: somebody was there, and proved to be its owner; a new key follows
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
LONGEST_ID = 1023
FEWEST_RSA_BITS = 2048

_HEAD = struct.Struct(">32sBI")

PublicKey = ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | rsa.RSAPublicKey


class Refused(Exception):
    """It does not prove what it must; the text says why."""


@dataclass(frozen=True, slots=True)
class Party:
    """Us, as authenticators know us: by a name, and by the address of the page."""

    id: str
    origin: str


@dataclass(frozen=True, slots=True)
class Assertion:
    """What an authenticator answered to a challenge."""

    credential_id: bytes
    client_data: bytes
    authenticator_data: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Signature:
    """What the log keeps of a signed decision: all that it takes to check it, and nothing that is secret."""

    passkey: UUID
    public_key: str
    client_data: str
    authenticator_data: str
    signature: str
    nonce: str
    party: str


def challenge(
    hold: HoldId,
    revision: int,
    digest: str,
    verdict: Verdict,
    who: PrincipalId,
    nonce: str,
    on_behalf_of: PrincipalId | None = None,
) -> bytes:
    """What is signed to decide: this verdict of this person on exactly this revision, once, and for whom."""
    meant: canonical.Json = {
        "hold": str(hold),
        "revision": revision,
        "digest": digest,
        "verdict": verdict.value,
        "principal": str(who),
        "nonce": nonce,
        **({"on_behalf_of": str(on_behalf_of)} if on_behalf_of else {}),
    }
    return bytes.fromhex(canonical.sha256(meant))


def encode(raw: bytes) -> str:
    """Base64 as WebAuthn writes it."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """`Refused` where the text is something else."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise Refused("it is not base64url") from None


def registered(
    credential_id: bytes,
    client_data: bytes,
    authenticator_data: bytes,
    public_key: bytes,
    challenge_: bytes,
    party: Party,
) -> None:
    """Whether this is a new key, made for us by its owner just now. Nobody asks which model made it."""
    _check_client(client_data, "webauthn.create", challenge_, party.origin)
    flags, _ = _check_authenticator(authenticator_data, party.id)
    rest = authenticator_data[_HEAD.size + 16 :]
    length = int.from_bytes(rest[:2], "big")
    if not flags & ATTESTED or not 0 < length <= LONGEST_ID or rest[2 : 2 + length] != credential_id:
        raise Refused("the authenticator made no key of this name")
    _loaded(public_key)


def signed(assertion: Assertion, public_key: bytes, challenge_: bytes, party: Party) -> int:
    """The authenticator's count of its signatures, where this key signed this challenge for us."""
    _check_client(assertion.client_data, "webauthn.get", challenge_, party.origin)
    _, count = _check_authenticator(assertion.authenticator_data, party.id)
    _check_signature(_loaded(public_key), assertion)
    return count


def proven(
    record: Signature,
    hold: HoldId,
    revision: int,
    digest: str,
    verdict: Verdict,
    who: PrincipalId,
    on_behalf_of: PrincipalId | None = None,
) -> None:
    """Whether the record proves this decision, offline. `Refused` where it does not."""
    client_data = decode(record.client_data)
    origin = _client(client_data).get("origin")
    assertion = Assertion(b"", client_data, decode(record.authenticator_data), decode(record.signature))
    meant = challenge(hold, revision, digest, verdict, who, record.nonce, on_behalf_of)
    signed(assertion, decode(record.public_key), meant, Party(record.party, str(origin)))


def _client(client_data: bytes) -> dict[str, Any]:
    try:
        found: object = json.loads(client_data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused("the browser's data is not JSON")
    return cast("dict[str, Any]", found)


def _check_client(client_data: bytes, kind: str, challenge_: bytes, origin: str) -> None:
    found = _client(client_data)
    if found.get("type") != kind:
        raise Refused("it was made for another purpose")
    if found.get("challenge") != encode(challenge_):
        raise Refused("it signs something else")
    if found.get("origin") != origin or found.get("crossOrigin") is True:
        raise Refused("it was made on another page")


def _check_authenticator(data: bytes, party: str) -> tuple[int, int]:
    if len(data) < _HEAD.size:
        raise Refused("the authenticator's data is too short")
    name, flags, count = cast("tuple[bytes, int, int]", _HEAD.unpack_from(data))
    if name != hashlib.sha256(party.encode()).digest():
        raise Refused("it was made for another site")
    if not flags & PRESENT or not flags & VERIFIED:
        raise Refused("the authenticator did not verify its owner")
    return flags, count


def _loaded(public_key: bytes) -> PublicKey:
    try:
        key = serialization.load_der_public_key(public_key)
    except (ValueError, TypeError):
        raise Refused("the public key cannot be read") from None
    if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1):
        return key
    if isinstance(key, rsa.RSAPublicKey) and key.key_size >= FEWEST_RSA_BITS:
        return key
    if isinstance(key, ed25519.Ed25519PublicKey):
        return key
    raise Refused("keys of this kind are not accepted")


def _check_signature(key: PublicKey, assertion: Assertion) -> None:
    message = assertion.authenticator_data + hashlib.sha256(assertion.client_data).digest()
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(assertion.signature, message, ec.ECDSA(hashes.SHA256()))
        elif isinstance(key, rsa.RSAPublicKey):
            key.verify(assertion.signature, message, padding.PKCS1v15(), hashes.SHA256())
        else:
            key.verify(assertion.signature, message)
    except InvalidSignature:
        raise Refused("the signature is not of this passkey") from None
