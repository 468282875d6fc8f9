"""Whether a hold's row says what its events say: the row is what is used, the events are what was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast
from uuid import UUID

from . import canonical, events
from .canonical import Json, JsonObject
from .events import Event
from .hold_events import (
    HoldAmended,
    HoldDecided,
    HoldOpened,
    HoldRedeemed,
    HoldReopened,
    HoldResulted,
    HoldReviewed,
    HoldWithdrawn,
)
from .holds import Decision, Hold, Review, Status, Verdict
from .ids import PrincipalId

# the events that make a hold what it is; the others tell of it and change nothing of what is compared
TYPES: tuple[str, ...] = tuple(
    event.type
    for event in (
        HoldOpened,
        HoldReviewed,
        HoldAmended,
        HoldWithdrawn,
        HoldDecided,
        HoldReopened,
        HoldRedeemed,
        HoldResulted,
    )
)
# where these differ it is no longer the question that was opened, and asking again would ask another
QUESTION = frozenset({"opening", "content", "digest", "revision", "risk", "record"})
NOTHING = "nothing"


class Record(NamedTuple):
    """An event of the hold as it was recorded, whether or not it has a number yet; `data` is verbatim. Without an
    event, what it says is no longer kept (`pruned`), or makes no sense."""

    at: datetime
    event: Event | None
    data: Mapping[str, Any]

    @classmethod
    def of(cls, type_: str, actor: UUID | None, at: datetime, data: Mapping[str, Any]) -> Record:
        return cls(at, events.read(type_, data, actor), data)

    @property
    def pruned(self) -> bool:
        return "digest" not in self.data


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


def compare(hold: Hold, records: Iterable[Record]) -> Agreement:
    """The hold as its row has it, with its events of TYPES in their order.

    What people wrote is compared as it is kept: an erasure empties it on both sides alike.
    """
    recorded = _Recorded()
    for record in records:
        if record.pruned:
            return Agreement(known=False)
        if record.event is None:
            return Agreement((Difference("record", "that it is as it was recorded", "something that cannot be read"),))
        recorded.hear(record.event, record.at)
    row, log = _of_row(hold), recorded.facts()
    found = [Difference(what, row[what], log[what]) for what in row if row[what] != log[what]]
    yes = [review for review in hold.reviews if review.verdict is Verdict.approve]
    unsaid = [_named(review.by, review.on_behalf_of) for review in yes if not recorded.approved(review)]
    if unsaid:
        found.append(Difference("reviews", f"approved by {', '.join(sorted(unsaid))}", "that they did not"))
    return Agreement(tuple(found))


class _Yes(NamedTuple):
    """With the roles that the event names; an amendment names none."""

    roles: frozenset[str] | None
    on_behalf_of: PrincipalId | None


@dataclass(slots=True)
class _Recorded:
    """The hold as its events tell it."""

    opening: str = NOTHING
    digest: str = NOTHING
    revision: int = 1
    risk: str = NOTHING
    status: str = NOTHING
    decision: str = NOTHING
    use: str = NOTHING
    result: str = NOTHING
    yes: dict[PrincipalId, _Yes] = field(default_factory=dict[PrincipalId, "_Yes"])

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

    def approved(self, review: Review) -> bool:
        """Roles that were lost since may be missing in the row; more than were recorded it cannot have."""
        recorded = self.yes.get(review.by)
        if recorded is None or recorded.on_behalf_of != review.on_behalf_of:
            return False
        return recorded.roles is None or review.roles <= recorded.roles

    def _forget(self, by: PrincipalId, on_behalf_of: PrincipalId | None = None) -> None:
        """What this person said before, and what others did for the same one."""
        whose = on_behalf_of or by
        self.yes = {who: yes for who, yes in self.yes.items() if who != by and (yes.on_behalf_of or who) != whose}

    def hear(self, event: Event, at: datetime) -> None:
        match event:
            case HoldOpened():
                self.opening, self.status = _done(event.actor, at), Status.pending.value
                self.digest, self.risk = event.digest, event.risk.value
            case HoldReviewed(actor=by) if by is not None:
                self._forget(by, event.on_behalf_of)
                if event.verdict is Verdict.approve:
                    self.yes[by] = _Yes(frozenset(event.roles), event.on_behalf_of)
            case HoldAmended(actor=by) if by is not None:
                self.revision, self.digest, self.risk = event.revision, event.digest, event.risk.value
                self.yes = {by: _Yes(None, event.on_behalf_of)} if event.counts_as_approval else {}
            case HoldWithdrawn(actor=by) if by is not None:
                self.yes.pop(event.given_by or by, None)
            case HoldDecided():
                self.status = event.outcome.value
                self.decision = _decided(event, event.actor, at, event.approvers)
            case HoldReopened():
                self.status, self.decision, self.use, self.result = Status.pending.value, NOTHING, NOTHING, NOTHING
                self.risk = event.risk.value if event.risk else self.risk
            case HoldRedeemed():
                self.use = _done(event.actor, at)
            case HoldResulted():
                self.result = event.outcome
            case _:
                pass


def _of_row(hold: Hold) -> dict[str, str]:
    made = hold.decision
    return {
        "opening": _done(hold.opener, hold.opened_at),
        "content": hold.question.digest(),
        "digest": hold.digest,
        "revision": str(hold.revision),
        "risk": hold.assessment.level.value,
        "status": hold.status.value,
        "decision": _decided(made, made.by, made.at, hold.approvers) if made else NOTHING,
        "use": _done(hold.redemption.by, hold.redemption.at) if hold.redemption else NOTHING,
        "result": hold.result.outcome if hold.result else NOTHING,
    }


def _decided(
    made: Decision | HoldDecided, by: PrincipalId | None, at: datetime, approvers: Iterable[PrincipalId]
) -> str:
    yes = ", ".join(sorted(map(str, approvers))) or "nobody"
    items = [{"item_id": i.item_id, "approved": i.approved, "reason": i.reason} for i in made.items]
    said: JsonObject = {"reason": made.reason, "answer": made.answer, "items": cast("Json", items)}
    done = _done(by, at, made.on_behalf_of)
    basis = f"{made.basis} {made.grant}" if made.grant else made.basis
    return f"{basis} {done}, approved by {yes}, said {canonical.sha256(said)[:16]}"


def _done(by: PrincipalId | None, at: datetime, on_behalf_of: PrincipalId | None = None) -> str:
    return f"by {_named(by, on_behalf_of)} at {at.astimezone(UTC).isoformat()}"


def _named(by: PrincipalId | None, on_behalf_of: PrincipalId | None) -> str:
    return f"{by or 'nobody'}{f' for {on_behalf_of}' if on_behalf_of else ''}"
