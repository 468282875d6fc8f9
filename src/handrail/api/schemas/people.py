"""Principals: people, services and agents."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Email, Flag, NewPassword, Role, Wire
from handrail.core.people import PrincipalKind


class AddPrincipal(Wire):
    name: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\s\x00-\x1f][^\x00-\x1f]*$")]
    kind: PrincipalKind = PrincipalKind.person
    roles: list[Role] = Field(default=[], max_length=50)
    password: NewPassword | None = None
    email: Email | None = None


class ChangePrincipal(Wire):
    """Only the fields you send change."""

    roles: list[Role] | None = Field(default=None, max_length=50)
    active: Flag | None = None
    password: NewPassword | None = None
    email: Email | None = Field(default=None, description="Empty removes the address.")
    trusted_claims: Flag | None = Field(
        default=None, description="Whether what this service or person claims about an action counts as a fact."
    )


class Who(BaseModel):
    id: UUID
    name: str
    kind: PrincipalKind


class PrincipalOut(BaseModel):
    id: UUID
    name: str
    kind: PrincipalKind
    roles: list[str]
    email: str | None = Field(description="Where email notifications go.")
    active: bool
    trusted_claims: bool = Field(description="Their claims about an action count as facts.")
    created_at: datetime


class RoleList(BaseModel):
    roles: list[str]


class PrincipalList(BaseModel):
    people: list[PrincipalOut]
    next: str | None = Field(description="Cursor of the next page.")


class ErasedPrincipal(BaseModel):
    """`entries` is the number of log entries that were emptied."""

    id: UUID
    name: str
    entries: int


class LoginLink(BaseModel):
    url: str = Field(description="Signs the person in once.")
    expires_at: datetime
