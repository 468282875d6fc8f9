"""What clients say: when they connect, and in each event."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import Field, ValidationError

from handrail.api import problems
from handrail.api.schemas.changes import ChangeReference, RepoUrl, Request
from handrail.api.schemas.fields import Digest, Flag, HoldReference, Key, Text, Wire

Seq = Annotated[int, Field(strict=True, ge=0, le=2**53 - 1)]
MOST_SESSIONS = 20


class Resume(Wire):
    """A session, behind the last `seq` that the client has of it."""

    session_id: ChangeReference
    after: Seq | None = None


class Auth(Wire):
    token: Annotated[str, Field(min_length=1, max_length=4096)] | None = None
    session_id: ChangeReference | None = None
    after: Seq | None = None
    # for a client that follows several at once
    sessions: tuple[Resume, ...] = Field(default=(), max_length=MOST_SESSIONS)

    @property
    def resumed(self) -> list[Resume]:
        first = [Resume(session_id=self.session_id, after=self.after)] if self.session_id else []
        return [*first, *self.sessions]


class ChatMessage(Wire):
    message: Request
    repo_url: RepoUrl | None = None
    session_id: ChangeReference | None = None
    base_branch: Key | None = None
    idempotency_key: Key | None = None


class ApprovePlan(Wire):
    session_id: ChangeReference
    plan_id: HoldReference
    approved: Flag
    notes: Text | None = None
    # of the request that was shown; mandatory once it was amended
    digest: Digest | None = None


class RejectPlan(Wire):
    session_id: ChangeReference
    plan_id: HoldReference
    reason: Text
    digest: Digest | None = None


class CancelRequest(Wire):
    session_id: ChangeReference
    reason: Text | None = None


Message = ChatMessage | ApprovePlan | RejectPlan | CancelRequest
EVENTS: dict[str, type[Message]] = {
    "chat_message": ChatMessage,
    "approve_plan": ApprovePlan,
    "reject_plan": RejectPlan,
    "cancel_request": CancelRequest,
}
Said = TypeVar("Said", bound=Wire)


def read(model: type[Said], given: Any) -> Said:
    """What the client said; refused with the field that is wrong."""
    try:
        return model.model_validate({} if given is None else given)
    except ValidationError as error:
        raise problems.complaint([{**each, "loc": ("message", *each["loc"])} for each in error.errors()]) from None
