"""Signing in, and who one is."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Line, Wire
from handrail.core.callers import Scope
from handrail.core.people import PrincipalKind


class SignIn(Wire):
    """With name and password, or with the one-time code of a link."""

    name: Line | None = None
    password: Annotated[str, Field(max_length=1000)] | None = None
    code: Annotated[str, Field(max_length=200)] | None = None


class SetPassword(Wire):
    password: Annotated[str, Field(min_length=8, max_length=1000)]
    current: Annotated[str, Field(max_length=1000)] | None = Field(
        default=None, description="Needed where there is one, unless you came by a sign-in link."
    )


class Me(BaseModel):
    id: UUID
    name: str
    kind: PrincipalKind
    roles: list[str]
    scopes: list[Scope]
    csrf_token: str | None = Field(description="For browser sessions: send it back as X-CSRF-Token.")
    own_credential: bool = Field(
        description="False while you use a token, link or password that someone else made and have not set your own."
    )
