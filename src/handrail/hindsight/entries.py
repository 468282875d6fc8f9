"""Entries of the log as an auditor reads them: one sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from handrail.core.hold_events import REOPENED
from handrail.core.people import NameCard
from handrail.store import names
from handrail.store.oversight import Noted

_BASIS = {"expiry": "by the deadline", "brake": "by the brake", "requester": "by the requester", "people": ""}


def whom(one: Noted) -> UUID | None:
    """The person, service or agent to whom it was done."""
    kind = one.type.partition(".")[0]
    return names.in_data(one.data, _WHOM[kind]) if kind in _WHOM else None


def what(one: Noted, known: Mapping[UUID, NameCard]) -> str:
    """Without the actor, who stands beside it; with whom it is about, and the reason that was given."""
    data = one.data or {}
    said = _what(one.type, data)
    about = known.get(whom(one) or one.actor_id or _NOBODY)
    if about is not None and about.id != one.actor_id:
        said = f"{said} ({about.name})"
    reason = data.get("reason")
    return f"{said}: {reason}" if reason else said


def _what(type_: str, data: Mapping[str, Any]) -> str:
    match type_:
        case "hold.decided":
            return " ".join(filter(None, (data.get("outcome", "decided"), _BASIS.get(data.get("basis", ""), ""))))
        case "hold.reopened":
            return f"approval void, asked again: {REOPENED.get(data.get('cause', 'record'), 'see the log')}"
        case "hold.resulted":
            return f"ran: {data.get('outcome', 'unknown')}"
        case "policy.applied":
            return f"policy version {data.get('version')} put in force"
        case _:
            return _WORDS.get(type_, type_.replace(".", " ").replace("_", " "))


_NOBODY = UUID(int=0)
_WHOM = {"person": "id", "link": "principal", "token": "principal", "absence": "person", "agent": "agent"}
"""Where the data of an event says whom it is about, by the first word of its type."""
_WORDS = {
    "hold.sampled": "finding in a sample",
    "link.made": "sign-in link made for somebody else",
    "token.made": "token made for somebody else",
    "token.changed": "somebody else's token changed",
    "person.sso_roles_changed": "other roles by the company's sign-in",
    "person.passkey_removed": "passkey removed",
    "hold.withdrawn": "approval withdrawn",
    "hold.escalated": "escalated: nobody decided in time",
    "hold.warned": "warning: two approvers may be one person",
    "session.break_glass": "signed in past the company's sign-in",
    "brake.set": "emergency brake set",
    "brake.lifted": "emergency brake lifted",
    "agent.observed": "agent only observed from now on",
    "agent.enforced": "agent asked about again",
    "grant.proposed": "grant proposed",
    "grant.ended": "grant ended",
    "person.added": "person, service or agent added",
    "person.changed": "person, service or agent changed",
    "absence.set": "stand-in named",
    "absence.ended": "absence ended",
}
