"""A skill: a folder of instructions and scripts, in versions of which each was decided on by people."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from . import canonical
from .canonical import Json, JsonObject
from .holds import Action, Status
from .ids import PrincipalId

# the action of the holds that put a version in force
REGISTER = "skill.register"
# tools of a skill's run that reach nothing but its sandbox, its files and the person who started it
SANDBOX_TOOLS: Final = (
    "request_input",
    "run_python",
    "run_command",
    "read_skill_file",
    "list_files",
    "read_file",
    "write_file",
)
Files = Mapping[str, bytes]
Complexity = Literal["simple", "complex"]
Severity = Literal["low", "medium", "high", "critical"]
SEVERITIES: tuple[Severity, ...] = ("low", "medium", "high", "critical")


@dataclass(frozen=True, slots=True)
class Input:
    """Something a skill wants to know. Without a person to ask, the default stands."""

    name: str
    description: str = ""
    default: Json = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a skill says of itself. `more` are the fields of its file that mean nothing here."""

    name: str
    description: str
    instructions: str
    complexity: Complexity = "complex"
    inputs: tuple[Input, ...] = ()
    allowed_tools: tuple[str, ...] = ()
    more: JsonObject = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class Source:
    """Where it came from: a git repository at a commit, or a folder of the server; `path` is the skill's within it."""

    kind: Literal["git", "folder"]
    location: str
    path: str = "."
    ref: str | None = None
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a scan found: by which rule, where, and how bad it would be."""

    rule: str
    severity: Severity
    message: str
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """`id` is also that of its hold, whose status is the version's: `approved` is what makes it usable."""

    id: UUID
    skill: str
    number: int
    content_hash: str
    manifest: Manifest
    source: Source
    findings: tuple[Finding, ...]
    safe: bool
    registered_at: datetime
    registered_by: PrincipalId
    status: Status


def is_registration(action: Action) -> bool:
    return action.name == REGISTER


def is_safe(findings: tuple[Finding, ...]) -> bool:
    """Whether nothing worse than a remark was found. A person decides in either case."""
    return all(finding.severity == "low" for finding in findings)


def content_hash(files: Files) -> str:
    return canonical.sha256({path: hashlib.sha256(content).hexdigest() for path, content in files.items()})
