"""The code graph on the wire."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Wire


class GraphFormat(StrEnum):
    json = "json"
    mermaid = "mermaid"


class CloneAndGenerate(Wire):
    repo_url: Annotated[str, Field(min_length=1, max_length=2000)] = Field(
        description="`https://…`, `ssh://git@host/path`, `git@host:path`, or a folder that the server's settings allow."
    )


class GraphUnderWay(BaseModel):
    """The graph is not ready yet."""

    workflow_id: UUID
    status: str
    link: str = Field(description="Returns the graph once it is ready.")
    events: str = Field(description="Follow its progress here.")
