"""Code changes on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import RUN_ID, Flag, HoldReference, Key, Text, Wire
from handrail.api.schemas.holds import HoldOut
from handrail.api.schemas.people import Who
from handrail.api.schemas.runs import BudgetIn, UsageOut
from handrail.core.holds import Kind
from handrail.core.risk import Level
from handrail.core.runs import RunStatus

Stage = Literal[
    "intent_extraction",
    "pkg_query",
    "impact_analysis",
    "planning",
    "editing",
    "testing",
    "verification",
    "pr_creation",
]
Request = Annotated[str, Field(min_length=1, max_length=20_000)]
RepoUrl = Annotated[str, Field(min_length=1, max_length=2_000)]
ChangeReference = Annotated[
    str, Field(pattern=f"^({RUN_ID})$", description="The id of a change, long or short: `R-77`.")
]


class StartChange(Wire):
    message: Request = Field(description="What should be changed, or a question about the code, in words.")
    repo_url: RepoUrl | None = Field(
        default=None,
        description="An https or ssh address, or a folder that the server may read. A follow-up may leave it out.",
    )
    base_branch: Key | None = Field(default=None, description="Default: the repository's own.")
    follows: ChangeReference | None = Field(
        default=None,
        description="An earlier change of the same conversation, which has ended. The new one is given what was asked "
        "then and what came of it.",
    )
    draft: Flag | None = Field(default=None, description="Whether the pull request is opened as a draft.")
    labels: Annotated[list[Key], Field(max_length=20)] | None = None
    reviewers: Annotated[list[Key], Field(max_length=20)] | None = None
    budget: BudgetIn | None = None


class CancelChange(Wire):
    reason: Text | None = None


class AnswerChange(Wire):
    """Give either `message` or `answer`."""

    message: Request | None = Field(
        default=None,
        description="The answer in words. If it is one of the choices, that one is chosen; otherwise it is passed on.",
    )
    answer: JsonValue = Field(default=None, description="The answer as the question's `schema` has it.")
    request_id: HoldReference | None = Field(default=None, description="Which question; default: the oldest open one.")


class WaitsFor(BaseModel):
    """A hold that the change waits for."""

    id: UUID
    short_id: str
    kind: Kind
    title: str
    risk: Level | None
    opened_at: datetime
    expires_at: datetime | None


class ChangeOut(BaseModel):
    id: UUID = Field(description="The `session_id` of the chat, and the id of the run.")
    short_id: str
    workflow: str = Field(description="`change`, or `demo-change` for the demo.")
    message: str
    repo_url: str
    base_branch: str | None = Field(description="The one asked for; none: the repository's own.")
    status: RunStatus
    stage: Stage | None = Field(description="The stage that began last; none before the first.")
    waits_for: list[WaitsFor] = Field(description="What people are asked now, oldest first.")
    branch: str | None = Field(description="The change's own branch, once it is committed.")
    commit: str | None
    url: str | None = Field(description="The pull request.")
    summary: str | None = Field(description="What was changed, once it is published.")
    answer: str | None = Field(description="The answer, if the request was a question. Diagrams are in Mermaid.")
    files: list[str] = Field(description="The files it changed, once it is published.")
    error: JsonValue = Field(description="Why it failed: `code`, `message` and more.")
    follows: UUID | None = Field(description="The earlier change that this one follows.")
    started_by: Who
    usage: UsageOut = Field(description="What it has used so far, including the cost.")
    created_at: datetime
    ended_at: datetime | None
    active_at: datetime = Field(description="When a person or the change last did something.")


class ChangeDetail(ChangeOut):
    holds: list[HoldOut] = Field(description="Everything it has asked that you may see, oldest first.")
    followed_by: list[UUID] = Field(description="Changes that follow this one, oldest first.")
    seq: int = Field(description="Follow `/api/runs/{id}/story?after=seq` from here and miss nothing.")
    hint: str | None = Field(description="What to do if it does not start.")


class ChangePage(BaseModel):
    changes: list[ChangeOut]
    next: str | None = Field(description="Cursor of the next page.")


class FileDiffOut(BaseModel):
    path: str
    old_path: str = Field(description="Differs from `path` if the file was renamed.")
    status: Literal["added", "modified", "deleted", "renamed", "retyped"]
    binary: bool
    added: int = Field(description="Lines.")
    deleted: int = Field(description="Lines.")
    mode: list[str] = Field(description="File modes before and after.")
    diff: str = Field(description="Unified diff.")
    hunks: list[str] = Field(description="Ids of its hunks, in order: what `leave_out` of the publishing hold names.")


class ChangeDiff(BaseModel):
    base_branch: str | None
    base_commit: str | None
    commit: str | None = Field(description="The newest commit of the change; none before the first edit.")
    files: list[FileDiffOut]


class KnownRepository(BaseModel):
    repo_url: str
    changes: int = Field(description="How many of the changes you can list are about it.")
    newest: datetime | None = Field(description="When the last of them started.")


class RepositoryList(BaseModel):
    repositories: list[KnownRepository] = Field(
        description="Repositories of earlier changes, the last used first; then repositories on the server."
    )
    roots: list[str] = Field(description="Folders on the server under which repositories may be named by path.")
    private: list[str] = Field(description="Patterns of private repositories that changes may read.")
    ssh: bool = Field(description="Whether ssh addresses are accepted.")
