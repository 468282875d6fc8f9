"""The proof behind the log: entries chained by salted hashes, seals that sign the chain, statements of the key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from .canonical import Json, JsonObject, encode

# what the first entry's hash covers in place of a hash before it
GENESIS = hashlib.sha256(b"handrail audit log v1").digest()
SALT_BYTES = 16
# what a hash covers of an entry besides its data
FIELDS: tuple[str, ...] = (
    "seq",
    "at",
    "type",
    "actor_id",
    "hold_id",
    "run_id",
    "case_id",
    "kind",
    "opener_id",
    "starter_id",
)
KEY_ROTATED = "audit.key_rotated"
ERASED = "audit.erased"
PRUNED = "audit.pruned"
# nobody signs this one: it says that entries may be gone, and excuses nothing
RESTORED = "backup.restored"
# what is left of data that was kept as long as it was to be
PRUNED_DATA = "{}"

# what begins a signed message, so that a signature of one kind is never taken for another
_SEAL = b"handrail audit seal v1\n"
_STATEMENT = b"handrail audit statement v1\n"

# RFC 8785 for objects of texts, integers and null under ASCII names, at ten times the speed of the general encoder
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode

Fields: TypeAlias = Mapping[str, str | int | None]


def hash_of_data(salt: bytes, data: str) -> bytes:
    """Of an entry's data, verbatim. Without the salt nobody can try out what the data may have been."""
    return hashlib.sha256(salt + data.encode()).digest()


def link(previous: bytes, fields: Fields, data_hash: bytes) -> bytes:
    """An entry's hash: over the hash of the entry before it, its FIELDS, and the hash of its data."""
    return hashlib.sha256(previous + _encode(fields).encode() + data_hash).digest()


@dataclass(frozen=True)
class PublicKey:
    raw: bytes

    @cached_property
    def id(self) -> str:
        """The fingerprint by which seals name the key."""
        return hashlib.sha256(self.raw).hexdigest()[:32]

    @cached_property
    def _key(self) -> Ed25519PublicKey:
        return Ed25519PublicKey.from_public_bytes(self.raw)

    def signed(self, signature: bytes, message: bytes) -> bool:
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


class Signer:
    """Whoever can sign with a private key; the key itself may be another process's."""

    def __init__(self, public: PublicKey, sign: Callable[[bytes], bytes]) -> None:
        self.public = public
        self.sign = sign

    @classmethod
    def of(cls, key: Ed25519PrivateKey) -> Signer:
        return cls(PublicKey(key.public_key().public_bytes_raw()), key.sign)

    def __repr__(self) -> str:
        return f"Signer({self.public.id})"

    def seal(self, number: int, seq: int, hash_: bytes, at: str) -> Seal:
        unsigned = Seal(number, seq, hash_, at, self.public.id, b"")
        return Seal(number, seq, hash_, at, self.public.id, self.sign(unsigned.message))

    def state(self, type_: str, data: JsonObject) -> JsonObject:
        """The data of an event that only this key's owner can make."""
        named: JsonObject = {**data, "signed_by": self.public.id}
        return {**named, "signature": self.sign(_statement(type_, named)).hex()}


@dataclass(frozen=True, slots=True)
class Seal:
    """A signature on the whole log up to an entry. Seals are numbered 1, 2, 3 …, so that none can be left out."""

    number: int
    seq: int
    hash: bytes
    at: str
    key_id: str
    signature: bytes

    @property
    def message(self) -> bytes:
        about = {"number": self.number, "seq": self.seq, "hash": self.hash.hex(), "at": self.at, "key_id": self.key_id}
        return _SEAL + _encode(about).encode()

    def document(self) -> JsonObject:
        return {
            "record": "seal",
            "number": self.number,
            "seq": self.seq,
            "hash": self.hash.hex(),
            "at": self.at,
            "key_id": self.key_id,
            "signature": self.signature.hex(),
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Seal:
        """KeyError, TypeError or ValueError where it is not one."""
        hash_, signature = bytes.fromhex(document["hash"]), bytes.fromhex(document["signature"])
        return cls(int(document["number"]), int(document["seq"]), hash_, document["at"], document["key_id"], signature)


def rotation(old: Signer | None, new: Signer) -> JsonObject:
    """The statement that a new key seals from now on: the old key's, or where that is lost the new one's own."""
    named: JsonObject = {"key_id": new.public.id, "public_key": new.public.raw.hex()}
    return (old or new).state(KEY_ROTATED, named)


def erasure(signer: Signer, principal_id: str, emptied: Mapping[int, str]) -> JsonObject:
    """The statement that the data of these entries was replaced, on a person's behalf, by exactly these texts."""
    entries: Json = {str(seq): hashlib.sha256(data.encode()).hexdigest() for seq, data in emptied.items()}
    return signer.state(ERASED, {"principal": principal_id, "entries": entries})


def pruning(signer: Signer, until: int) -> JsonObject:
    """The statement that the data of the entries up to this one, the log's own statements apart, is no longer kept."""
    return signer.state(PRUNED, {"until": until})


def stated(type_: str, data: JsonObject, keys: Sequence[PublicKey]) -> PublicKey | None:
    """Whose statement it is, of these keys; nobody's where the signature does not fit."""
    unsigned = {name: value for name, value in data.items() if name != "signature"}
    signature = bytes.fromhex(str(data.get("signature")))
    message = _statement(type_, unsigned)
    return next((k for k in keys if k.id == data.get("signed_by") and k.signed(signature, message)), None)


def is_for_the_log(message: bytes) -> bool:
    """Whether it is a seal's or a statement's message."""
    return message.startswith((_SEAL, _STATEMENT))


def _statement(type_: str, data: JsonObject) -> bytes:
    return _STATEMENT + encode({"type": type_, "data": data})
