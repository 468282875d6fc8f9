"""The wire: what requests carry and what answers show. Unknown fields are refused."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from handrail.core.callers import Scope
from handrail.core.holds import Kind, Status, Verdict
from handrail.core.people import PrincipalKind
from handrail.core.risk import ExpiryOutcome, Level

Text = Annotated[str, Field(max_length=20_000)]
Line = Annotated[str, Field(min_length=1, max_length=500)]
Key = Annotated[str, Field(min_length=1, max_length=200)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Role = Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$", max_length=100)]
Email = Annotated[str, Field(max_length=254)]
# strict, because "no" is not false and "60" is not a number
Flag = Annotated[bool, Field(strict=True)]
# the database's clock counts microseconds
Seconds = Annotated[float, Field(strict=True, ge=1e-6, le=10 * 365 * 86400)]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


# Requests


class ActionIn(Wire):
    name: Line
    args: dict[str, JsonValue] = {}
    target: Annotated[str, Field(min_length=1, max_length=1000)] | None = None


class OpenHold(Wire):
    kind: Kind
    title: Line
    description: Text | None = None
    case_id: Key | None = None
    action: ActionIn
    task: dict[str, JsonValue] | None = Field(default=None, description="What the risk rules read, such as operation.")
    items: list[dict[str, JsonValue]] | None = Field(
        default=None, max_length=1000, description="Makes the hold a batch. Each item has an `item_id` of its own."
    )
    schema_: JsonValue = Field(default=None, alias="schema", description="JSON schema (2020-12) of an answer.")
    evidence: JsonValue = None
    context: JsonValue = None
    expires_in: Seconds | None = Field(default=None, description="Seconds.")
    on_expiry: ExpiryOutcome | None = None


class ItemVerdict(Wire):
    item_id: Key
    approved: Flag
    reason: Text | None = None


class ReviewHold(Wire):
    verdict: Verdict
    digest: Digest = Field(description="Of the revision that the reviewer saw.")
    reason: Text | None = None
    answer: JsonValue = None
    items: list[ItemVerdict] | None = Field(default=None, max_length=1000)
    amended_action: ActionIn | None = None


class BulkReview(Wire):
    class One(Wire):
        id: UUID
        digest: Digest

    verdict: Literal["approve", "reject"]
    holds: list[One] = Field(min_length=1, max_length=500)
    reason: Text | None = None


class Redeem(Wire):
    digest: Digest
    key: Key


class RecordResult(Wire):
    outcome: Literal["succeeded", "failed", "unknown"]
    detail: JsonValue = None


class Withdraw(Wire):
    reason: Text | None = None


class Cancel(Wire):
    reason: Text | None = None


class AddComment(Wire):
    text: Annotated[str, Field(min_length=1, max_length=20_000)]


class ResolveConfirmation(Wire):
    approved: Flag
    reason: Text | None = None
    digest: Digest | None = None


class ResolveBatch(Wire):
    decisions: list[ItemVerdict] = Field(max_length=1000)
    digest: Digest | None = None


class AddPrincipal(Wire):
    name: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\s\x00-\x1f][^\x00-\x1f]*$")]
    kind: PrincipalKind = PrincipalKind.person
    roles: list[Role] = Field(default=[], max_length=50)
    password: Annotated[str, Field(min_length=8, max_length=1000)] | None = None
    email: Email | None = None


class ChangePrincipal(Wire):
    """Only the fields that are sent change."""

    roles: list[Role] | None = Field(default=None, max_length=50)
    active: Flag | None = None
    password: Annotated[str, Field(min_length=8, max_length=1000)] | None = None
    email: Email | None = Field(default=None, description="Empty takes the address away.")


class MakeToken(Wire):
    principal: Line = Field(description="Id or name.")
    expires_in: Seconds | None = Field(default=None, description="Seconds; none: no expiry.")
    scopes: list[Scope] | None = Field(default=None, min_length=1, max_length=4)
    label: Annotated[str, Field(max_length=200)] | None = None


class ChangeToken(Wire):
    label: Annotated[str, Field(max_length=200)] | None = None
    expires_in: Seconds | None = None


class SignIn(Wire):
    """With name and password, or with the one-time code of a link."""

    name: Line | None = None
    password: Annotated[str, Field(max_length=1000)] | None = None
    code: Annotated[str, Field(max_length=200)] | None = None


class PolicyFiles(Wire):
    """The three files of a policy, by name, as text."""

    files: dict[str, Annotated[str, Field(max_length=500_000)]] = Field(max_length=10)


class ApplyPolicy(PolicyFiles):
    reason: Text | None = None


class SetBrake(Wire):
    agent: Line | None = Field(default=None, description="Id or name of whom to stop; nobody: everybody.")
    pending: Literal["freeze", "deny"] = Field(
        default="freeze",
        description="freeze: what waits cannot be approved while the brake is on; deny: it is rejected.",
    )
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]


class LiftBrake(Wire):
    agent: Line | None = None
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]


class AssessAction(Wire):
    """A task, an action, or both, as a hold would carry them."""

    kind: Kind = Kind.approval
    action: ActionIn | None = None
    task: dict[str, JsonValue] | None = None


# Answers


class Who(BaseModel):
    id: UUID
    name: str
    kind: PrincipalKind


class ActionOut(BaseModel):
    name: str
    args: dict[str, JsonValue]
    target: str | None


class RuleOut(BaseModel):
    rule: str
    level: Level
    reason: str


class RequirementsOut(BaseModel):
    approvals: int = Field(description="How many different people must approve.")
    roles: list[str] = Field(description="Each of them has one of these roles.")
    required: list[list[str]] = Field(description="For each group, a person of its own with one of its roles.")
    rejections: int
    justification: bool


class ReviewOut(BaseModel):
    by: Who
    verdict: Verdict
    roles: list[str]
    at: datetime
    reason: str | None


class DecisionOut(BaseModel):
    outcome: Status
    basis: Literal["people", "policy", "expiry", "requester", "brake"]
    by: Who | None
    at: datetime
    reason: str | None
    answer: JsonValue
    items: list[ItemVerdict]


class RedemptionOut(BaseModel):
    by: Who
    at: datetime


class ResultOut(BaseModel):
    outcome: Literal["succeeded", "failed", "unknown"]
    at: datetime
    detail: JsonValue


class MayDecide(BaseModel):
    """Whether the caller may decide this hold, and if not, why."""

    allowed: bool
    code: str | None = None
    reason: str | None = None


class HoldOut(BaseModel):
    id: UUID
    kind: Kind
    status: Status
    title: str
    description: str | None
    digest: str
    revision: int
    risk: Level
    rules: list[RuleOut]
    requirements: RequirementsOut
    policy_version: int
    action: ActionOut
    task: JsonValue
    items: list[dict[str, JsonValue]]
    schema_: JsonValue = Field(alias="schema")
    evidence: JsonValue
    context: JsonValue
    case_id: str | None
    run_id: UUID | None
    opened_by: Who
    started_by: Who | None
    opened_at: datetime
    expires_at: datetime | None
    on_expiry: ExpiryOutcome
    escalate_at: datetime | None
    escalated_at: datetime | None
    reviews: list[ReviewOut]
    decision: DecisionOut | None
    redeemed: RedemptionOut | None
    result: ResultOut | None
    may_decide: MayDecide


class Count(BaseModel):
    count: int
    capped: bool = Field(description="There are more than were counted.")
    text: str = Field(description='For people: "12", or "10,000+".')


class HoldPage(BaseModel):
    holds: list[HoldOut]
    next: str | None = Field(description="Cursor of the next page.")
    counts: dict[Level, Count] | None = Field(description="Pending by risk, for the same filters; on the first page.")


class BulkResult(BaseModel):
    class One(BaseModel):
        id: UUID
        ok: bool
        status: Status | None = None
        code: str | None = None
        message: str | None = None

    results: list[One]


class RedeemOut(BaseModel):
    hold_id: UUID
    digest: str
    revision: int
    action: ActionOut
    redeemed_at: datetime


class CommentOut(BaseModel):
    id: int
    by: Who
    at: datetime
    text: str


class CommentList(BaseModel):
    comments: list[CommentOut]


class ConfirmationOut(BaseModel):
    request_id: UUID
    case_id: str
    agent_type: str
    action_description: str
    affected_items: list[JsonValue]
    context: JsonValue
    created_at: datetime
    items: list[dict[str, JsonValue]] | None = Field(default=None, description="Where it is a batch.")
    digest: str


class Confirmations(BaseModel):
    confirmations: list[ConfirmationOut]
    count: int


class ConfirmationResolved(BaseModel):
    status: Literal["resolved"] = "resolved"
    approved: bool


class BatchResolved(BaseModel):
    status: Literal["resolved"] = "resolved"
    approved: int
    rejected: int


class AssessmentOut(BaseModel):
    level: Level
    score: int = Field(description="0 to 99; higher within a level where more rules fired.")
    rules: list[RuleOut] = Field(description="The rules that fired, with the values that made them fire.")
    requirements: RequirementsOut
    auto_approve: bool
    timeout: float | None = Field(description="Seconds.")
    on_expiry: ExpiryOutcome
    escalate_after: float | None = Field(description="Seconds.")
    escalate_to: list[str]
    policy_version: int


class PolicyVersion(BaseModel):
    version: int
    reason: str | None
    applied_by: Who | None = Field(description="Nobody for the default that the first start applied.")
    applied_at: datetime


class PolicyOut(PolicyVersion):
    files: dict[str, str]
    summary: dict[str, str] = Field(description="Everything the policy says, in words, by subject.")


class PolicyHistory(BaseModel):
    versions: list[PolicyVersion]


class PolicyChecked(BaseModel):
    valid: bool
    problems: list[dict[str, JsonValue]] = Field(description="Each with file, line, column, field and message.")
    changes: list[str] = Field(description="What would change against the policy in force, in words.")


class PolicyApplied(PolicyVersion):
    changes: list[str]


class DeliveryOut(BaseModel):
    id: UUID = Field(description="Also the `webhook-id` of every attempt.")
    hold_id: UUID
    event: str = Field(description="What is told.")
    route: str = Field(description="The policy's route that it follows.")
    channel: str = Field(description="The channel that is tried, was last tried, or delivered.")
    channels: list[str] = Field(description="Tried in this order.")
    people: list[Who] = Field(description="Whom it is for.")
    status: Literal["queued", "delivered", "dead"]
    attempts: int = Field(description="On this channel.")
    queued_at: datetime
    next_at: datetime | None = Field(description="When it is tried again.")
    last_error: str | None
    delivered_at: datetime | None


class DeliveryList(BaseModel):
    deliveries: list[DeliveryOut]
    next: str | None


class BrakeOut(BaseModel):
    agent: Who | None = Field(description="Nobody: everybody is stopped.")
    pending: Literal["freeze", "deny"]
    reason: str
    set_by: Who
    set_at: datetime


class BrakeList(BaseModel):
    brakes: list[BrakeOut] = Field(description="Those that are on.")


class PrincipalOut(BaseModel):
    id: UUID
    name: str
    kind: PrincipalKind
    roles: list[str]
    email: str | None = Field(description="Where notices go by mail.")
    active: bool
    created_at: datetime


class PrincipalList(BaseModel):
    people: list[PrincipalOut]
    next: str | None = Field(description="Cursor of the next page.")


class ErasedPrincipal(BaseModel):
    """`entries`: how many entries of the log were emptied."""

    id: UUID
    name: str
    entries: int


class AuditHead(BaseModel):
    """`seal` signs the log up to its newest entry; `waiting` events have no number yet."""

    seq: int
    hash: str
    waiting: int
    key_id: str | None
    seal: dict[str, JsonValue] | None
    public_keys: list[str] = Field(description="Every key of this server, oldest first, raw Ed25519 in hex.")


class LoginLink(BaseModel):
    url: str = Field(description="Signs the person in, once.")
    expires_at: datetime


class TokenOut(BaseModel):
    id: UUID
    principal: Who
    label: str | None
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class TokenMade(TokenOut):
    token: str = Field(description="Shown this once.")


class TokenList(BaseModel):
    tokens: list[TokenOut]
    next: str | None = Field(description="Cursor of the next page.")


class Me(BaseModel):
    id: UUID
    name: str
    kind: PrincipalKind
    roles: list[str]
    scopes: list[Scope]
    csrf_token: str | None = Field(description="For browser sessions: send it back as X-CSRF-Token.")


class Health(BaseModel):
    status: Literal["ok", "unavailable"]
    version: str
    database: Literal["ok", "unavailable"]


class Problem(BaseModel):
    """RFC 9457 problem details."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    code: str
    detail: str
    data: dict[str, Any] | None = None
