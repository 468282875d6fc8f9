"""How a hold stands, as far as it may be read outside: what is asked, who must approve it, what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from handrail.core import skills
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Hold, Status, Verdict
from handrail.core.people import NameCard
from handrail.core.risk import Level, Requirements
from handrail.holds import notifying
from handrail.policy import Policy
from handrail.store import holds, names
from handrail.store.database import Connection

SYSTEM = {"policy": "the policy", "expiry": "the deadline", "brake": "the emergency brake"}
ENDED = {Status.expired: "Expired", Status.cancelled: "Cancelled", Status.answered: "Answered"}


@dataclass(frozen=True, slots=True)
class Standing:
    """`shown` is the hold as in every notice, without what the policy calls sensitive; so are `reason` and
    `claims`, which is what the opener says of the action."""

    hold: Hold
    shown: JsonObject
    face: str
    people: Mapping[UUID, NameCard]
    reason: str | None
    claims: Json

    @property
    def requester(self) -> str:
        return self.people[self.hold.opener].name

    @property
    def approvers(self) -> list[str]:
        """Who has approved the present revision."""
        given = [review for review in self.hold.reviews if review.verdict is Verdict.approve]
        return [self._named(review.by, review.on_behalf_of) for review in given]

    @property
    def decider(self) -> str | None:
        """Who settled it: a person, or what did so without one."""
        made = self.hold.decision
        if made is None:
            return None
        if made.basis == "brake" and made.by:
            return f"{self.people[made.by].name} with the emergency brake"
        return self._named(made.by, made.on_behalf_of) if made.by else SYSTEM.get(made.basis)

    def _named(self, by: UUID, on_behalf_of: UUID | None) -> str:
        """ "Ann", or "Ann for Bob" where Bob is away."""
        name = self.people[by].name
        return f"{name} for {self.people[on_behalf_of].name}" if on_behalf_of else name

    @property
    def outcome(self) -> str:
        """The present state in a few words: "Approved by Ann", "Waiting for a decision (1 of 2)"."""
        hold = self.hold
        if hold.decision is None:
            count = needed_people(hold.assessment.requirements)
            progress = f" ({len(self.approvers)} of {count} approved)" if count > 1 else ""
            return f"Waiting for a decision{progress}"
        if hold.decision.basis == "expiry":
            return "Expired: nobody decided in time"
        return f"{ENDED.get(hold.status) or hold.status.value.capitalize()} by {self.decider}"

    @property
    def needs(self) -> str:
        """Who must approve: "CTO or tech lead", "2 of CTO, team lead, tech lead, including CTO or tech lead"."""
        needed = self.hold.assessment.requirements
        groups = [_either(group) for group in needed.required]
        count = needed_people(needed)
        if count <= 1:
            return _either(needed.roles) if not groups else groups[0]
        if len(groups) >= count:
            return " and ".join(groups)
        return f"{count} of {', '.join(_named(needed.roles))}" + "".join(f", including {group}" for group in groups)

    def as_notice(self) -> JsonObject:
        """What was decided, for programs."""
        made = self.hold.decision
        if made is None:
            return {"status": self.hold.status.value, "decision": None}
        return {
            "status": self.hold.status.value,
            "decision": {
                "outcome": made.outcome.value,
                "basis": made.basis,
                "by": self._card(made.by),
                "on_behalf_of": self._card(made.on_behalf_of),
                "at": made.at.isoformat(),
                "reason": self.reason,
            },
        }

    def _card(self, who: UUID | None) -> JsonObject | None:
        card = self.people.get(who) if who else None
        return {"id": str(card.id), "name": card.name, "kind": card.kind.value} if card else None


async def standing(conn: Connection, policy: Policy, hold_id: UUID) -> Standing:
    hold = await holds.get(conn, hold_id)
    assert hold is not None, "holds are never deleted"
    return await of(conn, policy, hold)


async def of(conn: Connection, policy: Policy, hold: Hold) -> Standing:
    made = hold.decision
    named = {hold.opener, *(who for review in hold.reviews for who in (review.by, review.authority))}
    named |= {who for who in (made.by, made.on_behalf_of) if who} if made else set()
    reason = policy.redact_text(made.reason, notifying.beside(hold)) if made and made.reason else None
    shown, claims = notifying.shown(policy, hold), policy.redact(hold.task)
    return Standing(hold, shown, notifying.face(hold), await names.of(conn, named), reason, claims)


def decides_outside(hold: Hold) -> bool:
    """Whether a channel may bring a decision: critical ones, those that need a person's own sign-in or a signature,
    batches, grants and code that comes in lead to the page, where all of it can be read."""
    needed, action = hold.assessment.requirements, hold.question.action
    critical = hold.assessment.level is Level.critical
    lasting = hold.origin == "grant" or (action is not None and skills.is_registration(action))
    return not (critical or lasting or needed.own_credential or needed.passkey or hold.question.items)


def needed_people(needed: Requirements) -> int:
    return max(needed.approvals, len(needed.required))


def _either(roles: frozenset[str]) -> str:
    named = _named(roles)
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def _named(roles: frozenset[str]) -> list[str]:
    return [role.replace("_", " ") for role in sorted(roles)]
