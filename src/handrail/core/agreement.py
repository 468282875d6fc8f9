"""Whether a hold's row says what its events say: the row is what is used, the events are what was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from . import canonical
from .holds import Decision, Hold, Status, Verdict
from .ids import PrincipalId

# the events that make a hold what it is; the others tell of it and change nothing of what is compared
TYPES: tuple[str, ...] = (
    "hold.opened",
    "hold.reviewed",
    "hold.amended",
    "hold.withdrawn",
    "hold.decided",
    "hold.reopened",
    "hold.redeemed",
    "hold.resulted",
)
# where these differ it is no longer the question that was opened, and asking again would ask another
QUESTION = frozenset({"opening", "content", "digest", "revision", "risk"})
NOTHING = "nothing"


class Said(NamedTuple):
    """An event of the hold as it was recorded, whether or not it has a number yet."""

    type: str
    actor: PrincipalId | None
    at: datetime
    data: Mapping[str, Any]


class Difference(NamedTuple):
    """One thing of which row and log say different things. Answers and reasons are told by their hash alone."""

    what: str
    row: str
    log: str

    def __str__(self) -> str:
        return f"{self.what}: the row says {self.row}, the log says {self.log}"


class Agreement(NamedTuple):
    """`known` is false where the log's data of the hold is no longer kept, so that there is nothing to compare with."""

    differences: tuple[Difference, ...] = ()
    known: bool = True

    @property
    def same_question(self) -> bool:
        return QUESTION.isdisjoint(difference.what for difference in self.differences)


def compare(hold: Hold, said: Iterable[Said]) -> Agreement:
    """The hold as its row has it, with its events of TYPES in their order.

    What people wrote is compared as it is kept: an erasure empties it on both sides alike.
    """
    record = _Record()
    for event in said:
        if "digest" not in event.data:
            return Agreement(known=False)
        record.hear(event)
    row, log = _of_row(hold), record.facts()
    found = [Difference(what, row[what], log[what]) for what in row if row[what] != log[what]]
    unsaid = [str(by) for by, roles in hold.approvers.items() if not record.approved(by, roles)]
    if unsaid:
        found.append(Difference("reviews", f"approved by {', '.join(sorted(unsaid))}", "that they did not"))
    return Agreement(tuple(found))


@dataclass(slots=True)
class _Record:
    """The hold as its events tell it."""

    opening: str = NOTHING
    digest: str = NOTHING
    revision: int = 1
    risk: str = NOTHING
    status: str = NOTHING
    decision: str = NOTHING
    use: str = NOTHING
    result: str = NOTHING
    # with the roles that the event names; an amendment names none
    yes: dict[PrincipalId, frozenset[str] | None] = field(default_factory=dict[PrincipalId, frozenset[str] | None])

    def facts(self) -> dict[str, str]:
        return {
            "opening": self.opening,
            "content": self.digest,
            "digest": self.digest,
            "revision": str(self.revision),
            "risk": self.risk,
            "status": self.status,
            "decision": self.decision,
            "use": self.use,
            "result": self.result,
        }

    def approved(self, by: PrincipalId, roles: frozenset[str]) -> bool:
        """Roles that were lost since may be missing in the row; more than were recorded it cannot have."""
        recorded = self.yes.get(by, frozenset())
        return by in self.yes and (recorded is None or roles <= recorded)

    def hear(self, event: Said) -> None:
        data = event.data
        match event.type:
            case "hold.opened":
                self.opening, self.status = _done(event.actor, event.at), Status.pending.value
                self.digest, self.risk = data["digest"], data["risk"]
            case "hold.reviewed" if event.actor is not None:
                self.yes.pop(event.actor, None)
                if data["verdict"] == Verdict.approve:
                    self.yes[event.actor] = frozenset(data["roles"])
            case "hold.amended" if event.actor is not None:
                self.revision, self.digest, self.risk = data["revision"], data["digest"], data["risk"]
                self.yes = {event.actor: None} if data["counts_as_approval"] else {}
            case "hold.withdrawn" if event.actor is not None:
                self.yes.pop(event.actor, None)
            case "hold.decided":
                self.status = data["outcome"]
                said = {name: data[name] for name in ("reason", "answer", "items")}
                self.decision = _decided(data["basis"], event.actor, event.at, said, data["approvers"])
            case "hold.reopened":
                self.status, self.decision, self.use, self.result = Status.pending.value, NOTHING, NOTHING, NOTHING
                self.risk = data.get("risk", self.risk)
            case "hold.redeemed":
                self.use = _done(event.actor, event.at)
            case "hold.resulted":
                self.result = data["outcome"]
            case _:
                pass


def _of_row(hold: Hold) -> dict[str, str]:
    return {
        "opening": _done(hold.opener, hold.opened_at),
        "content": hold.question.digest(),
        "digest": hold.digest,
        "revision": str(hold.revision),
        "risk": hold.assessment.level.value,
        "status": hold.status.value,
        "decision": _decision(hold.decision, hold.approvers) if hold.decision else NOTHING,
        "use": _done(hold.redemption.by, hold.redemption.at) if hold.redemption else NOTHING,
        "result": hold.result.outcome if hold.result else NOTHING,
    }


def _decision(decision: Decision, approvers: Iterable[PrincipalId]) -> str:
    items = [{"item_id": i.item_id, "approved": i.approved, "reason": i.reason} for i in decision.items]
    said = {"reason": decision.reason, "answer": decision.answer, "items": items}
    return _decided(decision.basis, decision.by, decision.at, said, [str(who) for who in approvers])


def _decided(
    basis: str, by: PrincipalId | None, at: datetime, said: Mapping[str, Any], approvers: Iterable[str]
) -> str:
    yes = ", ".join(sorted(approvers)) or "nobody"
    return f"{basis} {_done(by, at)}, approved by {yes}, said {canonical.sha256(dict(said))[:16]}"


def _done(by: PrincipalId | None, at: datetime) -> str:
    return f"by {by or 'nobody'} at {at.astimezone(UTC).isoformat()}"
