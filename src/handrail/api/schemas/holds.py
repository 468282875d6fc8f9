"""Holds on the wire: opening, reviewing, using, and what is shown of one."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import Digest, Flag, HoldReference, Key, Line, Seconds, Text, Wire
from handrail.api.schemas.passkeys import PasskeySignature
from handrail.api.schemas.people import Who
from handrail.core.holds import DecisionBasis, Kind, Status, Verdict
from handrail.core.risk import ExpiryOutcome, Level
from handrail.store.hands import Sign


class ActionIn(Wire):
    name: Line
    args: dict[str, JsonValue] = Field(default={})
    target: Annotated[str, Field(min_length=1, max_length=1000)] | None = None


class Redeem(Wire):
    digest: Digest = Field(description="Of what you are about to do.")
    key: Key


class OpenHold(Wire):
    kind: Kind
    title: Line
    description: Text | None = None
    case_id: Key | None = None
    action: ActionIn | None = Field(
        default=None, description="Required for an approval and a review. Without one there is nothing to redeem."
    )
    task: dict[str, JsonValue] | None = Field(
        default=None,
        description="What you claim about the action, such as `operation`. It can raise the level but never lower it, "
        "unless an administrator trusts your claims.",
    )
    items: list[dict[str, JsonValue]] | None = Field(
        default=None, max_length=1000, description="Makes the hold a batch. Each item has a unique `item_id`."
    )
    schema_: JsonValue = Field(default=None, alias="schema", description="JSON schema (2020-12) of the answer.")
    evidence: JsonValue = None
    context: JsonValue = None
    expires_in: Seconds | None = Field(default=None, description="Seconds.")
    on_expiry: ExpiryOutcome | None = None
    takes_response: Flag = Field(
        default=False,
        description="You can use words in place of yes or no: people may also respond. Not for an input or a batch.",
    )
    redeem: Redeem | None = Field(
        default=None,
        description="Use the approval in the same request, exactly as `redeem` would, if no person has to be asked.",
    )


class ItemVerdict(Wire):
    item_id: Key
    approved: Flag
    reason: Text | None = None


class ReviewHold(Wire):
    verdict: Verdict
    digest: Digest = Field(description="Of the revision you saw.")
    reason: Text | None = None
    answer: JsonValue = Field(
        default=None, description="With the verdict `answer`, the answer; with `respond`, the text for the agent."
    )
    items: list[ItemVerdict] | None = Field(default=None, max_length=1000)
    amended_action: ActionIn | None = None
    passkey: PasskeySignature | None = Field(
        default=None, description="Where `requirements.passkey` is true: the answer to the passkey options."
    )
    on_behalf_of: UUID | None = Field(
        default=None,
        description="Who is away, if you decide for them. By default you decide in your own right, or else for the "
        "first person for whom you can.",
    )
    pack: Digest | None = Field(default=None, description="The hash of the decision pack that you were shown.")


class PasskeyQuestion(Wire):
    """The verdict that is to be signed, on the revision that was seen."""

    verdict: Verdict
    digest: Digest
    on_behalf_of: UUID | None = None


class BulkReview(Wire):
    class One(Wire):
        id: HoldReference
        digest: Digest

    verdict: Literal["approve", "reject"]
    holds: list[One] = Field(min_length=1, max_length=500)
    reason: Text | None = None


class RecordResult(Wire):
    outcome: Literal["succeeded", "failed", "unknown"]
    detail: JsonValue = None


class Withdraw(Wire):
    reason: Text | None = None


class Cancel(Wire):
    reason: Text | None = None


class ActionOut(BaseModel):
    name: str
    args: dict[str, JsonValue]
    target: str | None


class RuleOut(BaseModel):
    rule: str
    level: Level
    reason: str
    from_: Literal["fact", "claim"] = Field(
        alias="from", description="Whether it follows from the action itself or from a claim about it."
    )


class FactOut(BaseModel):
    name: str
    value: str
    source: str = Field(description="Where it comes from.")


class RequirementsOut(BaseModel):
    approvals: int = Field(description="How many different people must approve.")
    roles: list[str] = Field(description="Each of them has one of these roles.")
    required: list[list[str]] = Field(description="For each group, a separate person with one of its roles.")
    rejections: int
    justification: bool
    own_credential: bool = Field(
        description="Nobody can approve with a token, link or password that someone else made."
    )
    passkey: bool = Field(description="Nobody can approve without a signature by their own passkey.")
    requester_may_decide: bool = Field(description="The requester may decide it too.")
    stand_ins: bool = Field(description="Someone may decide it for an approver who is away.")
    grants: bool = Field(description="A grant may supply the approvals.")


class CredentialOut(BaseModel):
    """The credential a review was given with, and who made it."""

    kind: Literal["token", "session", "link"]
    id: UUID
    scopes: list[str]
    made_by: Who | None = Field(description="Null: the server's operator.")
    own_since: datetime | None = Field(description="When the person set a password through the lent credential.")
    lent_by: Who | None = Field(description="Who had lent it.")
    remark: str | None = Field(description="What people should know about it, such as: by a token that admin made.")


class ReviewOut(BaseModel):
    by: Who
    on_behalf_of: Who | None = Field(description="Who was away, if `by` stood in for them; the roles are theirs.")
    verdict: Verdict
    roles: list[str]
    at: datetime
    reason: str | None
    credential: CredentialOut | None = Field(description="Null for reviews from before credentials were recorded.")
    signed: bool = Field(description="Whether the person's own passkey signed it; the events have the signature.")
    pack: str | None = Field(description="The hash of the decision pack that they were shown, if they said so.")


class DecisionOut(BaseModel):
    outcome: Status
    basis: DecisionBasis
    by: Who | None
    on_behalf_of: Who | None = Field(description="Who was away, if `by` stood in for them.")
    at: datetime
    reason: str | None
    answer: JsonValue
    items: list[ItemVerdict]
    grant: UUID | None = Field(description="The grant that supplied the approvals, if one did.")


class RedemptionOut(BaseModel):
    by: Who
    at: datetime


class ResultOut(BaseModel):
    outcome: Literal["succeeded", "failed", "unknown"]
    at: datetime
    detail: JsonValue


class Away(BaseModel):
    id: UUID
    name: str
    until: datetime


class MayDecide(BaseModel):
    """Whether the caller may decide this hold; if not, why, or why they may only reject it."""

    allowed: bool
    reject_only: bool = False
    code: str | None = None
    reason: str | None = None
    own_right: bool = Field(default=True, description="Whether a decision counts as the caller's own by default.")
    stands_in_for: list[Away] = Field(default=[], description="People who are away, for whom the caller may decide it.")


class WarningOut(BaseModel):
    """Two approvers may be one person."""

    sign: Sign = Field(description="What they have in common.")
    people: list[Who]
    channel: str | None = Field(description="Of the linked account.")
    text: str


class HoldOut(BaseModel):
    id: UUID
    short_id: str = Field(description="For people, like `H-1042`. Every route accepts it in place of the id.")
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
    action: ActionOut | None
    facts: list[FactOut] = Field(
        description="What is known about the action: from the policy's registered actions, and by Handrail's own count."
    )
    task: JsonValue = Field(description="What the opener claims about the action.")
    items: list[dict[str, JsonValue]]
    schema_: JsonValue = Field(alias="schema")
    evidence: JsonValue
    context: JsonValue
    case_id: str | None
    run_id: UUID | None
    run_short_id: str | None = Field(description="Of its run, like `R-77`.")
    opened_by: Who
    started_by: Who | None
    opened_at: datetime
    expires_at: datetime | None
    on_expiry: ExpiryOutcome
    takes_response: bool = Field(description="Whether people may respond with words in place of yes or no.")
    escalate_at: datetime | None
    escalated_at: datetime | None
    reviews: list[ReviewOut]
    decision: DecisionOut | None
    redeemed: RedemptionOut | None
    result: ResultOut | None
    may_decide: MayDecide
    warnings: list[WarningOut] = Field(
        default_factory=list["WarningOut"],
        description="Where one browser, authenticator or linked account stands behind two approvers.",
    )


class HoldEvent(BaseModel):
    seq: int
    type: str
    at: datetime
    actor: Who | None = Field(description="Null if the policy or the clock did it.")
    on_behalf_of: Who | None = Field(description="Who was away, if the actor stood in for them.")
    person: Who | None = Field(description="Whom it was assigned to.")
    data: dict[str, JsonValue] = Field(description="Depends on the type; empty if it was erased or is no longer kept.")


class HoldEvents(BaseModel):
    events: list[HoldEvent]


class Count(BaseModel):
    count: int
    capped: bool = Field(description="There are more than this count.")
    text: str = Field(description='For people: "12", or "10,000+".')


class HoldPage(BaseModel):
    holds: list[HoldOut]
    next: str | None = Field(description="Cursor of the next page.")
    counts: dict[Level, Count] | None = Field(
        description="Pending holds by risk, for the same filters; only on the first page."
    )


class BulkResult(BaseModel):
    class One(BaseModel):
        id: str = Field(description="As it was given.")
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
