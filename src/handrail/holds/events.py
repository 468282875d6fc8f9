"""What happens around holds: comments, the brake, observed agents, the policy in force, notices queued again."""

from __future__ import annotations

from uuid import UUID

from handrail.core.events import Event, event
from handrail.core.ids import PrincipalId
from handrail.core.parts import HoldNote
from handrail.store.brakes import Pending
from handrail.store.hands import Sign


@event("hold.commented")
class HoldCommented(Event):
    """someone commented; `reply_to` is the comment it replies to"""

    comment_id: int
    text: str | None
    reply_to: int | None

    def part(self) -> HoldNote:
        return HoldNote(text="comment", reason=self.text)


@event("hold.reminded")
class HoldReminded(Event):
    """those who can decide and have not were reminded of the deadline"""

    expires_at: str

    def part(self) -> HoldNote:
        return HoldNote(text="people were reminded of the deadline")


@event("hold.warned")
class HoldWarned(Event):
    """one browser, authenticator or linked account stands behind two approvers: they may be one person"""

    sign: Sign
    people: tuple[UUID, ...]
    channel: str | None

    def part(self) -> HoldNote:
        behind = f"{self.channel} account" if self.channel else self.sign
        return HoldNote(text=f"warning: one {behind} stands behind two approvers")


@event("hold.assigned")
class HoldAssigned(Event):
    """`person` looks at it, asked by the actor or by themself; whoever may decide it still may"""

    person: PrincipalId

    def part(self) -> HoldNote:
        return HoldNote(text="claimed" if self.person == self.actor else "assigned to someone else")


@event("hold.sampled")
class HoldSampled(Event):
    """someone looked at a low action that ran unasked; `finding`: people should have been asked"""

    finding: bool
    reason: str | None
    digest: str

    def part(self) -> HoldNote:
        return HoldNote(text="sample: a finding" if self.finding else "sample: fine", reason=self.reason)


@event("hold.released")
class HoldReleased(Event):
    """nobody in particular looks at it"""

    def part(self) -> HoldNote:
        return HoldNote(text="released")


@event("brake.set")
class BrakeSet(Event):
    """for one agent or, without `agent`, for all; `pending` says what happens to pending holds"""

    agent: UUID | None
    pending: Pending
    reason: str | None


@event("brake.lifted")
class BrakeLifted(Event):
    """agents and their runs continue"""

    agent: UUID | None
    reason: str | None


@event("agent.observed")
class AgentObserved(Event):
    """its approvals go through unasked and are recorded, until it is enforced"""

    agent: UUID
    reason: str | None


@event("agent.enforced")
class AgentEnforced(Event):
    """people are asked again"""

    agent: UUID
    reason: str | None


@event("policy.applied")
class PolicyApplied(Event):
    """a new version is in force"""

    version: int
    sha256: str
    reason: str | None
    changes: tuple[str, ...]


@event("delivery.retried")
class DeliveryRetried(Event):
    """an administrator queued a dead notification again"""

    delivery_id: UUID
