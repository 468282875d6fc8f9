"""Reads what a skill says of itself: `SKILL.md` with front matter, as public collections have it, or `skill.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from handrail.core import canonical
from handrail.core.errors import HandrailError, InvalidField
from handrail.core.skills import Complexity, Files, Input, Manifest

MARKDOWN, YAML_FILE = "SKILL.md", "skill.yaml"
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
# words that addresses of the API have in this place
RESERVED = frozenset({"search", "queue"})
LONGEST_DESCRIPTION = 4096
FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)(.*)\Z", re.DOTALL)
_KEY = re.compile(r"([A-Za-z_-]+):[ \t]*(.*)")


class _Input(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str = Field(min_length=1, max_length=64)
    description: str = ""
    default: Any = None
    required: bool = True


class _Fields(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str = Field(min_length=1)
    description: str = Field(min_length=1, max_length=LONGEST_DESCRIPTION)
    complexity: Complexity = "complex"
    inputs: list[_Input] = []
    allowed_tools: list[str] = Field(default=[], alias="allowed-tools")
    instructions: str = ""

    @field_validator("allowed_tools", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        # public collections write a list, or names with commas or spaces: `Read, Bash(git:*)`
        return re.findall(r"[^\s,(]+(?:\([^)]*\))?", value) if isinstance(value, str) else value or []

    @field_validator("inputs", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value or []
        given = cast("Mapping[str, dict[str, Any] | None]", value)
        return [{"name": name, **(about or {})} for name, about in given.items()]


def is_skill(files: Files) -> bool:
    return MARKDOWN in files or YAML_FILE in files


def read(files: Files) -> Manifest:
    """The manifest of a skill's files; `InvalidField` says what is wrong with it."""
    file = MARKDOWN if MARKDOWN in files else YAML_FILE
    try:
        text = files[file].decode()
    except UnicodeDecodeError:
        raise InvalidField(f"{file} is not UTF-8 text", field=file) from None
    fields, instructions = _front_matter(text) if file == MARKDOWN else (_yaml(text, file), "")
    fields = {key.replace("allowed_tools", "allowed-tools"): value for key, value in fields.items()}
    try:
        told = _Fields.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InvalidField(f"{file}: `{place}`: {first['msg']}", field=file) from None
    return Manifest(
        name=_name(told.name, file),
        description=" ".join(told.description.split()),
        instructions=(instructions or told.instructions).strip(),
        complexity=told.complexity,
        inputs=tuple(Input(i.name, i.description, _json(i.default), i.required) for i in told.inputs),
        allowed_tools=tuple(told.allowed_tools),
        more={key: _json(value) for key, value in (told.model_extra or {}).items()},
    )


def _name(given: str, file: str) -> str:
    name = "-".join(given.lower().split())
    if not NAME.fullmatch(name) or name in RESERVED:
        raise InvalidField(
            f"{file}: {given!r} is not a name: letters, digits, dots and hyphens, at most 64", field=file
        )
    return name


def _front_matter(text: str) -> tuple[dict[str, Any], str]:
    parts = FRONT_MATTER.match(text)
    if parts is None:
        raise InvalidField(f"{MARKDOWN} does not begin with front matter between two lines of ---", field=MARKDOWN)
    head, instructions = parts.groups()
    try:
        return _yaml(head, MARKDOWN), instructions
    except InvalidField:
        fields = _lines(head)
        if not fields:
            raise
        return fields, instructions


def _lines(head: str) -> dict[str, Any]:
    """Front matter that is not YAML, because a description has a colon in it, read as `key: value` lines."""
    fields: dict[str, Any] = {}
    for line in head.splitlines():
        found = _KEY.fullmatch(line)
        if found:
            fields[found[1]] = re.sub(r"""^(["'])(.*)\1$""", r"\2", found[2].strip())
    return fields


def _yaml(text: str, file: str) -> dict[str, Any]:
    reader: Any = YAML(typ="safe", pure=True)
    try:
        found: object = reader.load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        raise InvalidField(f"{file} is not YAML: {str(error).splitlines()[0]}", field=file) from None
    if not isinstance(found, dict):
        raise InvalidField(f"{file} must be fields with values", field=file)
    return {str(key): value for key, value in cast("dict[object, Any]", found).items()}


def _json(value: Any) -> Any:
    """The value where it is JSON, else as text: YAML also has dates and the like."""
    try:
        canonical.check(value, "value")
    except HandrailError:
        return str(value)
    return value
