"""Signing in, and who one is."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Flag, Line, NewPassword, Wire
from handrail.core.callers import Scope
from handrail.core.people import PrincipalKind


class SignIn(Wire):
    """With name and password, or with the one-time code of a link.

    If somebody else is signed in to this browser, a link is refused (`signed_in_as_another`) and stays unused, unless
    `replace` is true: then the other sign-in ends.
    """

    name: Line | None = None
    password: Annotated[str, Field(max_length=1000)] | None = None
    code: Annotated[str, Field(max_length=200)] | None = None
    replace: Flag = False


class SetPassword(Wire):
    password: NewPassword
    current: Annotated[str, Field(max_length=1000)] | None = Field(
        default=None, description="Required if you have one, unless you signed in with a link."
    )


# as RFC 5646 writes a language with its script, region and variants
LANGUAGE = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$"


class DatesBody(Wire):
    zone: str | None = Field(max_length=60, description="`Europe/Berlin`; null: as each device has it.")
    language: str | None = Field(
        pattern=LANGUAGE, max_length=40, description="`de-DE`, of dates alone; null: as each device has it."
    )


class Me(BaseModel):
    id: UUID
    name: str
    kind: PrincipalKind
    roles: list[str]
    scopes: list[Scope]
    csrf_token: str | None = Field(description="For sign-ins: send it back as X-CSRF-Token.")
    cursor: int = Field(description="The number of the newest event: a stream from there misses nothing since.")
    own_credential: bool = Field(
        description="False while you use a token, link or password that someone else created and have not set your own."
    )
    dates: DatesBody = Field(description="How you read dates, on every device.")


class SignInOut(BaseModel):
    id: UUID
    how: str = Field(description="`password`, `link`, `sso` or `passkey`.")
    address: str = Field(description="Where it came from, as the server saw it.")
    browser: str | None = Field(description="What the browser says of itself.")
    at: datetime
    ends_at: datetime | None = Field(description="When it ends; null if it has ended.")
    current: bool = Field(description="Whether this request belongs to it.")


class SignInList(BaseModel):
    sign_ins: list[SignInOut]
