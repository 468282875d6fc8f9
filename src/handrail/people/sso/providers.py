"""The providers that the operator's file names, each with its table of groups and roles."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from handrail.core.errors import Misconfigured

Local = Literal["everyone", "break_glass"]
Name = Annotated[str, Field(pattern="^[a-z][a-z0-9-]{0,40}$")]
Line = Annotated[str, Field(min_length=1, max_length=300)]


def _safe(value: str) -> str:
    """Keys and tokens come from there: never over a line that others write on."""
    parts = urlsplit(value)
    host = parts.hostname or ""
    if parts.query or parts.fragment or not host:
        raise ValueError("write an address like https://login.example.com")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(host)):
        raise ValueError("must begin with https://")
    return value


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Entry(BaseModel):
    """One provider, as the file has it."""

    model_config = ConfigDict(extra="forbid")

    title: Line
    issuer: Annotated[str, AfterValidator(_safe)]
    client_id: Line
    client_secret_file: Path | None = None
    scopes: list[Line] = ["openid", "profile", "email", "groups", "offline_access"]
    groups_claim: Line = "groups"
    name_claim: Line = "preferred_username"
    refresh_seconds: Annotated[int, Field(ge=30, le=86400)] = 300
    roles: dict[Line, list[Line]]


class Document(BaseModel):
    model_config = ConfigDict(extra="forbid")

    local_sign_in: Local = "everyone"
    providers: dict[Name, Entry]


@dataclass(frozen=True, slots=True)
class Provider:
    """`roles` is the table: what each group gives. A group that it does not list gives nothing."""

    name: str
    title: str
    issuer: str
    client_id: str
    client_secret: str | None = field(repr=False)
    scopes: tuple[str, ...]
    groups_claim: str
    name_claim: str
    refresh_seconds: int
    roles: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Providers:
    """`local` says who may still sign in with a password; nothing where there is no company sign-in."""

    each: Mapping[str, Provider] = field(default_factory=dict[str, Provider])
    local: Local | None = None


def read(file: Path | None) -> Providers:
    """The providers of the file; `Misconfigured` names the line of the file that is wrong."""
    if file is None:
        return Providers()
    try:
        found = Document.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise Misconfigured(f"HANDRAIL_SSO_FILE: {file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{file} is not TOML: {error}") from error
    except ValidationError as error:
        lines = [f"`{'.'.join(map(str, e['loc']))}`: {e['msg']}" for e in error.errors(include_input=False)]
        raise Misconfigured(f"{file}: {'; '.join(lines)}") from None
    issuers = [entry.issuer for entry in found.providers.values()]
    if len(set(issuers)) < len(issuers):
        raise Misconfigured(f"{file}: two providers have the same issuer; put their groups into one table")
    each = {name: _provider(file, name, entry) for name, entry in found.providers.items()}
    return Providers(each, found.local_sign_in if each else None)


def _provider(file: Path, name: str, entry: Entry) -> Provider:
    if "openid" not in entry.scopes:
        raise Misconfigured(f"{file}: `providers.{name}.scopes` must contain openid")
    return Provider(
        name,
        entry.title,
        entry.issuer,
        entry.client_id,
        _secret(file, name, entry.client_secret_file),
        tuple(entry.scopes),
        entry.groups_claim,
        entry.name_claim,
        entry.refresh_seconds,
        {group: tuple(roles) for group, roles in entry.roles.items()},
    )


def _secret(file: Path, name: str, place: Path | None) -> str | None:
    if place is None:
        return None
    try:
        return (file.parent / place).read_text().strip()
    except (OSError, UnicodeDecodeError):
        raise Misconfigured(f"{file}: the `client_secret_file` of {name} cannot be read: {place}") from None
