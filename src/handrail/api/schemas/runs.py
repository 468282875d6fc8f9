"""Runs and workflows on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from handrail.api.schemas.fields import Key, Seconds, Text, Wire
from handrail.api.schemas.holds import HoldOut
from handrail.api.schemas.people import Who
from handrail.core.risk import Level
from handrail.core.runs import RunStatus


class BudgetIn(Wire):
    """The most that the run may use; by default, what the settings allow."""

    steps: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = None
    seconds: Seconds | None = Field(default=None, description="Of work; waiting for people is free.")
    cost: Annotated[float, Field(strict=True, gt=0, le=1e9)] | None = Field(
        default=None, description="Of model calls, in the currency of the configured prices."
    )


class StartRun(Wire):
    workflow: Key
    input: JsonValue = Field(description="Matches the workflow's input schema; `{}` if it needs none.")
    mode: Key | None = Field(default=None, description="Passed to the workflow, which interprets it.")
    budget: BudgetIn | None = None


class CancelRun(Wire):
    reason: Text | None = None


class RetryRun(Wire):
    budget: BudgetIn | None = Field(default=None, description="Replaces the old budget, for a run that used it up.")


class BudgetOut(BaseModel):
    steps: int
    seconds: float
    cost: float | None


class UsageOut(BaseModel):
    steps: int
    seconds: float = Field(description="Of work, not waiting.")
    tokens_in: int
    tokens_out: int
    cost: float


class RunOut(BaseModel):
    id: UUID
    short_id: str = Field(description="For people, like `R-77`. Every route accepts it in place of the id.")
    workflow: str
    version: str | None
    status: RunStatus
    mode: str | None
    risk: Level | None = Field(description="For a task: its level when it started.")
    started_by: Who
    agent: Who = Field(description="The principal that opens the run's holds; a brake on it stops the workflow.")
    error: JsonValue = Field(description="Why it failed: `code`, `message` and more.")
    budget: BudgetOut
    usage: UsageOut
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    active_at: datetime = Field(description="When a person or the run last did something.")
    hint: str | None = Field(default=None, description="What to do where it does not begin; not in lists.")


class StepOut(BaseModel):
    seq: int = Field(description="Its number in the event log.")
    at: datetime
    step: int | None
    node: str | None
    task: str | None
    namespace: str | None
    update: JsonValue = Field(description="What it changed in the graph's state.")
    truncated: bool


class RunDetail(RunOut):
    input: JsonValue
    result: JsonValue
    steps: list[StepOut] = Field(description="The newest 200, oldest first; the event log has them all.")
    holds: list[HoldOut] = Field(description="Oldest first.")
    seq: int = Field(description="Follow `/api/events?run=…&after=seq` from here and miss nothing.")


class RunPage(BaseModel):
    runs: list[RunOut]
    next: str | None = Field(description="Cursor of the next page.")


class WorkflowOut(BaseModel):
    name: str
    description: str | None
    version: str | None = Field(description="Changes when the graph's nodes, edges or schemas do.")
    input_schema: JsonValue = Field(description="JSON schema of a run's input.")
    diagram: str | None = Field(description="The graph as Mermaid text.")
    error: str | None = Field(description="Why it cannot run: the traceback of its import.")
    seen_at: datetime | None = Field(description="When a worker last said that it serves it.")
    served: bool = Field(description="Whether a worker serves it now; runs wait for one where none does.")
    example: JsonValue = Field(description="An input that it works with.")


class WorkflowList(BaseModel):
    workflows: list[WorkflowOut]
