"""Reads what a skill says of itself: `SKILL.md` with front matter, as public collections have it, or `skill.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from handrail.core.errors import InvalidField
from handrail.core.skills import Complexity, Files, Input, Manifest
from handrail.policy import document, values

MARKDOWN, YAML_FILE = "SKILL.md", "skill.yaml"
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
# words that addresses of the API have in this place
RESERVED = frozenset({"search", "queue", "registrations"})
LONGEST_DESCRIPTION = 4096
# what people write themselves; front matter is a few lines of it
LARGEST_MARKDOWN = 512 * 1024
LARGEST_FRONT_MATTER = 16 * 1024
_BEGINNING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_END = re.compile(r"\r?\n---[ \t]*(?:\r?\n|\Z)")
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
        return re.findall(r"[^\s,()]+(?:\([^()]*\))?", value) if isinstance(value, str) else value or []

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
    """The manifest of a skill's files; `InvalidField` says what is wrong with it. Not on an event loop: a large one
    takes a second."""
    file = MARKDOWN if MARKDOWN in files else YAML_FILE
    if len(files[file]) > LARGEST_MARKDOWN:
        raise InvalidField(f"{file} is larger than {LARGEST_MARKDOWN // 1024} KiB", field=file)
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
        inputs=tuple(Input(i.name, i.description, i.default, i.required) for i in told.inputs),
        allowed_tools=tuple(told.allowed_tools),
        more=told.model_extra or {},
    )


def _name(given: str, file: str) -> str:
    name = "-".join(given.lower().split())
    if not NAME.fullmatch(name) or name in RESERVED:
        raise InvalidField(
            f"{file}: {given!r} is not a name: letters, digits, dots and hyphens, at most 64", field=file
        )
    return name


def _front_matter(text: str) -> tuple[dict[str, Any], str]:
    begins = _BEGINNING.match(text)
    # the line break of the first line may also be that of an empty front matter
    ends = _END.search(text, begins.end() - 1, begins.end() + LARGEST_FRONT_MATTER) if begins else None
    if begins is None or ends is None:
        raise InvalidField(
            f"{MARKDOWN} does not start with front matter of at most {LARGEST_FRONT_MATTER // 1024} KiB between two "
            "lines of ---",
            field=MARKDOWN,
        )
    head, instructions = text[begins.end() : ends.start()], text[ends.end() :]
    try:
        # its first line is the file's second
        return _yaml(f"\n{head}", MARKDOWN), instructions
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
    try:
        found = values.plain(document.parse(file, text))
    except document.Unreadable as error:
        raise InvalidField(str(error.problem), field=file) from None
    return cast("dict[str, Any]", found)
