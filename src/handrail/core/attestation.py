"""The statement that people approved a change: what exactly, who, when, under which policy; signed by the audit key."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from .audit import PublicKey, Signer
from .canonical import JsonObject, encode, sha256

# what begins the signed message, so that it is never taken for a seal or a statement of the log
_PREFIX = b"handrail change attestation v1\n"
# the action that a publishing hold is about, and which of its arguments are the evidence
PUBLISH = "change.publish"
EVIDENCE = (
    *("repository", "target_branch", "branch", "base_commit", "commits", "head_tree"),
    *("diff_sha256", "series_sha256", "plan_digest", "results_digest", "outcome_digest"),
)
# what a base branch that moves changes of it, while what people approved stays the same
MOVING = ("base_commit", "commits", "head_tree", "results_digest")
FIELDS = {"evidence", "evidence_digest", "hold_id", "approvals", "policy_version", "text_sha256", "at", "signed_by"}
MAYBE = {"moved"}
APPROVAL_FIELDS = {"principal_id", "name", "at", "verdict_digest"}


@dataclass(frozen=True, slots=True)
class Approval:
    """One person's yes: the digest is that of the event by which the log has it."""

    principal_id: str
    name: str
    at: str
    verdict_digest: str

    def as_data(self) -> JsonObject:
        return {
            "principal_id": self.principal_id,
            "name": self.name,
            "at": self.at,
            "verdict_digest": self.verdict_digest,
        }


@dataclass(frozen=True, slots=True)
class Attestation:
    """`evidence` is the value whose digest the hold carried; `text_sha256` is of the text that it is published with.

    `moved` is what the same change became upon a base branch that had moved after the approval.
    """

    evidence: JsonObject
    hold_id: str
    approvals: tuple[Approval, ...]
    policy_version: str
    text_sha256: str
    at: str
    signed_by: str = ""
    signature: str = ""
    evidence_digest: str = ""
    moved: JsonObject | None = None

    @property
    def published(self) -> JsonObject:
        """The evidence of what was published."""
        return {**self.evidence, **(self.moved or {})}

    def as_data(self) -> JsonObject:
        return {**self._unsigned(), "signature": self.signature}

    def _unsigned(self) -> JsonObject:
        return {
            "evidence": self.evidence,
            "evidence_digest": self.evidence_digest,
            "hold_id": self.hold_id,
            "approvals": [approval.as_data() for approval in self.approvals],
            "policy_version": self.policy_version,
            "text_sha256": self.text_sha256,
            "at": self.at,
            "signed_by": self.signed_by,
            **({"moved": self.moved} if self.moved is not None else {}),
        }

    @property
    def message(self) -> bytes:
        return _PREFIX + encode(self._unsigned())

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Attestation:
        """KeyError, TypeError or ValueError where it is not one."""
        if set(data) - MAYBE != FIELDS | {"signature"}:
            raise ValueError("its fields are not those of an attestation")
        found = cls(
            evidence=_object(data["evidence"]),
            hold_id=_text(data["hold_id"]),
            approvals=tuple(_approval(entry) for entry in _list(data["approvals"])),
            policy_version=_text(data["policy_version"]),
            text_sha256=_text(data["text_sha256"]),
            at=_text(data["at"]),
            signed_by=_text(data["signed_by"]),
            signature=_text(data["signature"]),
            evidence_digest=_text(data["evidence_digest"]),
            moved=moved_of(data["moved"]) if "moved" in data else None,
        )
        if not found.approvals:
            raise ValueError("nobody approved it")
        return found


def moved_of(value: Any) -> JsonObject:
    """TypeError or ValueError where it says more or less than a moved base changes."""
    found = _object(value)
    if set(found) != {*MOVING}:
        raise ValueError("its fields are not those that a moved base changes")
    for name in MOVING:
        _ = [_text(each) for each in _list(found[name])] if name == "commits" else _text(found[name])
    return found


def attest(signer: Signer, attestation: Attestation) -> Attestation:
    """The same, signed."""
    named = replace(attestation, signed_by=signer.public.id, evidence_digest=sha256(attestation.evidence))
    return replace(named, signature=signer.sign(named.message).hex())


def attested(attestation: Attestation, keys: Sequence[PublicKey]) -> bool:
    """Whether one of these keys signed it."""
    try:
        signature = bytes.fromhex(attestation.signature)
    except ValueError:
        return False
    return any(key.id == attestation.signed_by and key.signed(signature, attestation.message) for key in keys)


def is_attestation(message: bytes) -> bool:
    """Whether it is the message of one that is complete and whose digest fits: the key signs no other."""
    if not message.startswith(_PREFIX):
        return False
    try:
        data = json.loads(message.removeprefix(_PREFIX))
        found = Attestation.of({**data, "signature": ""})
    except (KeyError, TypeError, ValueError, RecursionError):
        return False
    return found.message == message and sha256(found.evidence) == found.evidence_digest


def _approval(data: Any) -> Approval:
    fields = _object(data)
    if set(fields) != APPROVAL_FIELDS:
        raise ValueError("its fields are not those of an approval")
    return Approval(**{name: _text(value) for name, value in fields.items()})


def _object(value: Any) -> JsonObject:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return cast("JsonObject", value)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return cast("list[Any]", value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value
