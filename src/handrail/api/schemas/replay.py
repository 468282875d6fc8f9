"""The past under a changed policy, on the wire."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Moment
from handrail.api.schemas.people import Who
from handrail.api.schemas.policy import PolicyFiles
from handrail.core.holds import Status
from handrail.core.replay import Change
from handrail.core.risk import Level


class ReplayPolicy(PolicyFiles):
    since: Moment
    until: Moment | None = Field(default=None, description="Now, if not given.")


class ReplayedHold(BaseModel):
    id: UUID
    short_id: str
    title: str
    opened_at: datetime
    outcome: Status = Field(description="What became of it.")
    decided_by: Who | None
    reason: str | None
    would_approvals: int = Field(description="How many people would have to approve it; 0 if nobody would be asked.")
    would_roles: list[str]
    because: str = Field(description="The rule that gives the level.")


class ReplayedGroup(BaseModel):
    change: Change = Field(
        description="`slips`: rejected or cancelled then, and nobody would be asked. `unasked`: people were asked, and "
        "nobody would be. `weaker`: less would be required. `asked`: people would be asked who were not. `stricter`: "
        "more would be required."
    )
    action: str
    was: Level
    would: Level
    count: int
    newest: ReplayedHold


class ReplayOut(BaseModel):
    since: datetime
    until: datetime
    holds: int = Field(description="Holds with an action that were opened in that time, those only observed included.")
    unreadable: int = Field(description="Those whose content is no longer kept in a form that can be assessed.")
    looser: int = Field(description="Holds of the changes `slips`, `unasked` and `weaker`.")
    changes: dict[Change, int]
    asked: int = Field(description="How many of them people were asked about.")
    would_ask: int
    observed: int = Field(description="How many of those nobody was asked about because the agent was only observed.")
    reviews: int = Field(description="How many approvals those needed.")
    would_review: int
    minutes_saved: float = Field(
        description="Of people's time, estimated from the length of what they read; negative if more."
    )
    not_enough: int = Field(description="Approved holds whose approvers would not be enough.")
    slips: list[ReplayedHold] = Field(description="Of the change `slips`, newest first; at most 200.")
    groups: list[ReplayedGroup] = Field(description="By action and level, the loosest and largest first; at most 200.")
