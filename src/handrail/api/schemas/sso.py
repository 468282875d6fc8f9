"""Company sign-in."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Line, Wire


class ProviderOut(BaseModel):
    name: str
    title: str
    start: str = Field(description="Where to send the browser.")


class ProviderList(BaseModel):
    providers: list[ProviderOut]
    local_sign_in: str = Field(
        description="Who may sign in with a password: `everyone`, or only administrators in an emergency "
        "(`break_glass`)."
    )


class PreviewSso(Wire):
    """Groups as the provider would send them."""

    provider: Line
    groups: Annotated[list[Line], Field(max_length=2000)]


class SsoPreview(BaseModel):
    """What a person with these groups would get at their next sign-in."""

    admitted: bool = Field(description="False if no group gives a role: such a person is not let in.")
    roles: list[str]
    levels: list[str] = Field(description="The risk levels that a person with these roles may approve.")
    unlisted_groups: list[str] = Field(description="Groups that the table does not list. They give nothing.")
    unknown_roles: list[str] = Field(description="Roles of the table that the policy in force does not have.")


class LinkStart(BaseModel):
    url: str = Field(description="Open it in the same browser to link your account to the provider.")


class OwnSso(BaseModel):
    provider: str | None = Field(description="The provider that you sign in with; null if there is none.")
    title: str | None
