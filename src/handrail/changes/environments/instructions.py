"""`.handrail/change.toml`: how a repository says that it is set up, tested and checked. Data of an unknown author."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from handrail.changes.environments.errors import BadInstructions
from handrail.changes.environments.model import Command, hosts_in
from handrail.changes.environments.sources import Sources
from handrail.changes.results.parsers import CHECKS, SUITES

PATH = ".handrail/change.toml"
MAX_BYTES = 64 * 1024
MAX_SECONDS = 3600
Kind = Literal["setup", "test", "lint"]


def _inside(path: str) -> str:
    if path.startswith("/") or ".." in path.split("/") or "\\" in path or not path.isprintable():
        raise ValueError(f"{path!r} is not a path in the repository")
    return path


Word = Annotated[str, Field(max_length=2_000, pattern=r"^[^\x00]*$")]
Words = Annotated[list[Word], Field(min_length=1, max_length=200)]
Path = Annotated[str, Field(max_length=500), AfterValidator(_inside)]
Host = Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[0-9]{1,5})?$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    folder: Path = ""


class _Setup(_Part):
    commands: list[Words] = Field(default=[], max_length=20)
    shell: Word = ""
    files: list[Path] = Field(default=[], max_length=100)
    hosts: list[Host] = Field(default=[], max_length=50)
    programs: list[Path] = Field(default=[], max_length=20)

    @model_validator(mode="after")
    def _one(self) -> _Setup:
        if bool(self.commands) == bool(self.shell):
            raise ValueError("give either `commands`, a list of argument lists, or `shell`, one line for a shell")
        return self


class _Run(_Part):
    tool: str
    command: Words | None = None
    shell: Word = ""
    reports: list[Path] = Field(default=[], max_length=20)
    timeout: Annotated[int | float, Field(gt=0, le=MAX_SECONDS)] | None = None

    @model_validator(mode="after")
    def _one(self) -> _Run:
        if (self.command is not None) == bool(self.shell):
            raise ValueError("give either `command`, an argument list, or `shell`, one line for a shell")
        return self


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    setup: list[_Setup] = Field(default=[], max_length=10)
    test: list[_Run] = Field(default=[], max_length=20)
    lint: list[_Run] = Field(default=[], max_length=20)


@dataclass(frozen=True, slots=True)
class Setup:
    folder: str
    commands: tuple[Command, ...]
    files: tuple[str, ...]
    hosts: tuple[str, ...]
    programs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    tool: str
    folder: str
    command: Command
    reports: tuple[str, ...]
    timeout: float | None


@dataclass(frozen=True, slots=True)
class Instructions:
    """Each kind that is given replaces what would be detected for it."""

    setups: tuple[Setup, ...] = ()
    tests: tuple[Run, ...] = ()
    lints: tuple[Run, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.setups or self.tests or self.lints)


def read(sources: Sources) -> Instructions:
    """What the repository says; nothing where it has no such file. Raises BadInstructions, which names the line."""
    if not sources.has(PATH):
        return Instructions()
    data = sources.data(PATH)
    if len(data) > MAX_BYTES:
        raise BadInstructions(f"{PATH} has more than {MAX_BYTES // 1024} KiB.")
    try:
        text = data.decode("utf-8-sig")
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInstructions(f"{PATH} is not TOML: {error}.") from None
    try:
        document = _Document.model_validate(content)
    except ValidationError as error:
        raise BadInstructions("\n".join(_complaint(text, each) for each in error.errors()[:10])) from None
    for kind, runs, known in (("test", document.test, SUITES), ("lint", document.lint, CHECKS)):
        for number, run in enumerate(runs):
            if run.tool not in known:
                line = _line(text, (kind, number, "tool"))
                choice = ", ".join(sorted(known))
                raise BadInstructions(f"{PATH}, line {line}: `tool` is {run.tool!r}. Choose one of: {choice}.")
    return Instructions(
        tuple(map(_setup, document.setup)), tuple(map(_run, document.test)), tuple(map(_run, document.lint))
    )


def _setup(said: _Setup) -> Setup:
    commands = (_shell(said.shell),) if said.shell else tuple(Command(tuple(words)) for words in said.commands)
    hosts = hosts_in(f"https://{host}" for host in said.hosts)
    return Setup(
        _plain(said.folder), commands, tuple(map(_plain, said.files)), hosts, tuple(map(_plain, said.programs))
    )


def _run(said: _Run) -> Run:
    command = Command(tuple(said.command)) if said.command else _shell(said.shell)
    return Run(said.tool, _plain(said.folder), command, tuple(map(_plain, said.reports)), said.timeout)


def _shell(line: str) -> Command:
    return Command(("sh", "-c", line), is_shell=True)


def _plain(path: str) -> str:
    return "/".join(part for part in path.split("/") if part not in {"", "."})


def _complaint(text: str, error: Any) -> str:
    place = tuple(error["loc"])
    name = ".".join(f"{each + 1}" if isinstance(each, int) else str(each) for each in place)
    said = str(error["msg"]).removeprefix("Value error, ")
    return f"{PATH}, line {_line(text, place)}: {name}: {said}."


def _line(text: str, place: tuple[str | int, ...]) -> int:
    """The line of the innermost part of a place that can be found: the n-th table of that name, then its key."""
    kind, number = (str(place[0]), place[1]) if len(place) > 1 else (str(place[0]) if place else "", 0)
    keys = [each for each in place[2:] if isinstance(each, str)]
    tables = [
        index for index, line in enumerate(text.splitlines()) if re.match(rf"\s*\[+\s*{re.escape(kind)}\s*\]+", line)
    ]
    if not isinstance(number, int) or number >= len(tables):
        lines = [
            index for index, line in enumerate(text.splitlines()) if re.match(rf"\s*{re.escape(kind)}\s*[=.]", line)
        ]
        return (lines or tables or [0])[0] + 1
    lines = text.splitlines()
    for index in range(tables[number] + 1, len(lines)):
        if lines[index].lstrip().startswith("["):
            break
        if keys and re.match(rf"\s*{re.escape(keys[0])}\s*=", lines[index]):
            return index + 1
    return tables[number] + 1
