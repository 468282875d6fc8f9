"""Sessions, which are runs of skills, on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import Key, Text, Wire
from handrail.api.schemas.people import Who
from handrail.api.schemas.runs import UsageOut
from handrail.core.holds import Kind, Status
from handrail.core.sessions import DEFAULT_STEPS, Mode, Role, SessionStatus


class SessionConfig(Wire):
    model_id: Key | None = Field(
        default=None,
        description="`light`, `advanced`, or a model's configured name; by default, chosen by the skill's complexity.",
    )
    max_steps: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        default=DEFAULT_STEPS, description="The most steps that the agent may take."
    )


class StartSession(Wire):
    skill_id: Key = Field(description="The skill's name.")
    input: Annotated[str, Field(min_length=1, max_length=100_000)] = Field(description="What you want from it.")
    mode: Mode = Field(description="Whether it may ask people or must do without.")
    config: SessionConfig = SessionConfig()


class SessionStarted(BaseModel):
    session_id: UUID
    short_id: str = Field(description="For people, like `R-77`.")
    status: SessionStatus


class CancelSession(Wire):
    reason: Text | None = None


class SessionOut(BaseModel):
    session_id: UUID
    short_id: str = Field(description="For people, like `R-77`. Every route accepts it in place of the id.")
    skill_id: str
    skill_version: str | None
    input: str
    mode: Mode
    config: SessionConfig
    status: SessionStatus
    started_by: Who
    error: JsonValue = Field(description="Why it failed: `code`, `message` and more.")
    usage: UsageOut
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    active_at: datetime = Field(description="When a person or the session last did something.")


class MessageOut(BaseModel):
    id: str
    role: Role
    content: str
    at: datetime
    metadata: dict[str, Any] = Field(description="Reasoning and tool calls; a tool's name and arguments; who said it.")


class PendingInput(BaseModel):
    """The open question: answer it over the socket, or review the hold with this id."""

    request_id: UUID
    short_id: str = Field(description="Of the hold, like `H-1042`.")
    digest: str
    prompt: str
    description: str | None
    schema_: JsonValue = Field(alias="schema", description="JSON schema of the answer; null: text.")
    asked_at: datetime


class SessionHold(BaseModel):
    id: UUID
    short_id: str
    kind: Kind
    title: str
    status: Status


class SessionDetail(SessionOut):
    history: list[MessageOut] = Field(description="All messages, oldest first; one still being written comes last.")
    pending_input: PendingInput | None
    holds: list[SessionHold] = Field(description="All its questions, oldest first.")
    answer: str | None
    artifacts: list[Any]
    expires_at: datetime | None = Field(description="When it expires if nothing happens until then.")
    seq: int
    cursor: str = Field(description="Follow `/ws/execution/{session_id}?after=cursor` from here and miss nothing.")


class SessionPage(BaseModel):
    sessions: list[SessionOut]
    next: str | None = Field(description="Cursor of the next page.")


class SessionFile(BaseModel):
    path: str
    size: int
    digest: str = Field(description="SHA-256 of its content.")
    changed_at: datetime


class SessionFiles(BaseModel):
    files: list[SessionFile]
