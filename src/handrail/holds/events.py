"""What happens around holds: comments, the brake, observed agents, the policy in force, notices queued again."""

from __future__ import annotations

from uuid import UUID

from handrail.core.events import Event, event
from handrail.core.parts import HoldNote
from handrail.store.brakes import Pending


@event("hold.commented")
class HoldCommented(Event):
    """someone commented; `reply_to` is the comment it replies to"""

    comment_id: int
    text: str | None
    reply_to: int | None

    def part(self) -> HoldNote:
        return HoldNote(text="comment", reason=self.text)


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
