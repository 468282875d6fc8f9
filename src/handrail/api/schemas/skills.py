"""Skills: what is in force, what waits, what was found."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Line, Text, Wire
from handrail.api.schemas.people import Who
from handrail.core.holds import Status
from handrail.core.runs import RunStatus
from handrail.core.skills import Complexity, Severity


class RegisterSkills(Wire):
    url: Annotated[str, Field(min_length=1, max_length=2000)] | None = Field(
        default=None, description="A git repository, or a link to `tree/` or `blob/` of a folder in it."
    )
    folder: Annotated[str, Field(min_length=1, max_length=2000)] | None = Field(
        default=None, description="Or a folder on the server, under an allowed root."
    )


class ApproveSafe(Wire):
    reason: Text | None = None


class InputOut(BaseModel):
    name: str
    description: str
    default: Any
    required: bool


class FindingOut(BaseModel):
    rule: str
    severity: Severity
    message: str
    file: str | None
    line: int | None


class SourceOut(BaseModel):
    kind: Literal["git", "folder"]
    location: str
    path: str
    ref: str | None
    commit: str | None


class SkillOut(BaseModel):
    name: str
    description: str
    complexity: Complexity
    version: int
    status: Status = Field(description="The status of the hold for this version; `approved` can be used.")
    hold_id: UUID
    hold_short_id: str | None = Field(description="Of its hold, like `H-1042`.")
    safe: bool = Field(description="Whether the scan found nothing worse than low.")
    content_hash: str
    source: SourceOut
    registered_at: datetime
    registered_by: Who


class FileOut(BaseModel):
    path: str
    size: int


class SkillDetail(SkillOut):
    inputs: list[InputOut]
    allowed_tools: list[str]
    instructions: str = Field(description="As Markdown.")
    html: str = Field(description="The same as sanitised HTML.")
    files: list[FileOut]
    findings: list[FindingOut]
    more: dict[str, Any] = Field(description="Other fields of its front matter.")


class SkillList(BaseModel):
    skills: list[SkillOut]


class RegisteredOut(BaseModel):
    path: str = Field(description="Of the folder, relative to what was searched.")
    outcome: Literal["new", "update", "unchanged", "refused"]
    reason: str | None = Field(description="Why it was refused.")
    skill: SkillOut | None
    findings: list[FindingOut]


class RegisteredList(BaseModel):
    candidates: list[RegisteredOut]


class ErrorOut(BaseModel):
    code: str
    message: str


class RegistrationOut(BaseModel):
    """A run that registers the skills of a source."""

    run_id: UUID
    short_id: str = Field(description="Of the run, like `R-77`.")
    status: RunStatus
    total: int | None = Field(description="Number of folders with a manifest; null until it is known.")
    candidates: list[RegisteredOut] = Field(description="The folders examined so far.")
    error: ErrorOut | None = Field(description="Why it failed.")
    link: str = Field(description="Returns the current state. With `?wait=60` it waits for the end of the run.")
    events: str = Field(description="Stream of its progress, with one `run.progressed` for each folder.")


class RefusedOut(BaseModel):
    skill: Line
    code: str = Field(description="The same as for a review of its hold: `own_request` if you registered it.")
    message: str


class ApprovedSafe(BaseModel):
    approved: list[Line] = Field(description="Names of the skills now in force.")
    left: list[Line] = Field(description="Safe candidates that you could not approve, or that others must approve too.")
    refused: list[RefusedOut] = Field(description="Why you could not approve them.")


class MatchOut(BaseModel):
    name: str
    description: str
    score: float = Field(description="How close it is to the query; 1 is the same text.")


class SkillMatches(BaseModel):
    matches: list[MatchOut]
    message: str | None = Field(description="`No matching skill found` if there is none.")
