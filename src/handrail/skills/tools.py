"""The tools of a skill's run: a person to ask, code and commands in the sandbox, files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Annotated, Any, Final

from langchain_core.tools import BaseTool, StructuredTool
from pydantic import Field

from handrail.core.errors import InvalidField, NotFound
from handrail.core.skills import SANDBOX_TOOLS, Files, Manifest
from handrail.sandbox import Result, choose
from handrail.skills import asking, servers, workspace
from handrail.skills.excerpts import cut, page
from handrail.skills.execution import Execution
from handrail.store import workspaces

CODE = "__code__.py"
FILES: Final = ("read_skill_file", "list_files", "read_file", "write_file")
RUNNING: Final = ("run_python", "run_command")
OWN: Final = SANDBOX_TOOLS
ALSO_KNOWN: Final = {"Bash": RUNNING}

Offset = Annotated[int, Field(ge=0, description="How many characters to leave out at the beginning.")]


def allowed(manifest: Manifest, name: str) -> bool:
    """Whether the skill may use a tool.

    A skill that names tools has those, its files and, where it is complex, a person to ask. One that names none has
    all; but a simple one that names none is a single call to a model.
    """
    if name == asking.NAME or not manifest.allowed_tools:
        return manifest.complexity == "complex"
    return name in FILES or any(fnmatchcase(name, pattern) for pattern in _named(manifest))


def wants_servers(manifest: Manifest) -> bool:
    """Whether it may use any tool of an MCP server."""
    return allowed(manifest, servers.PREFIX) or any(name.startswith(servers.PREFIX) for name in _named(manifest))


def _named(manifest: Manifest) -> list[str]:
    """Patterns of names, ours for what public collections call otherwise: `Bash(git:*)`, `mcp__tracker__find`."""
    entries = [entry.partition("(")[0].replace("__", ".") for entry in manifest.allowed_tools]
    return [name for entry in entries for name in ALSO_KNOWN.get(entry, (entry,))]


def shown_as(name: str) -> str:
    """The name that a model knows a tool by."""
    return name.replace(".", "__")


class Tools:
    """`missing` is what the run wanted to know before and nobody could say."""

    def __init__(self, execution: Execution, missing: Sequence[str] = ()) -> None:
        self._execution = execution
        self._missing = missing

    def all(self) -> list[BaseTool]:
        return [StructuredTool.from_function(coroutine=getattr(self, name), name=name) for name in OWN]

    async def request_input(
        self,
        prompt: Annotated[str, "The question, in full, as the person will read it."],
        name: Annotated[str | None, "Which of the skill's inputs it is about, where it is one."] = None,
        choices: Annotated[list[str] | None, "The answers to choose from, where there are only some."] = None,
        form: Annotated[
            dict[str, Any] | None, "A JSON schema of an object, where several things are asked at once."
        ] = None,
    ) -> str:
        """Ask the person, and wait for the answer."""
        if not self._execution.asks:
            return asking.answer_alone(prompt, name, self._execution.manifest.inputs, self._missing)
        return asking.ask(prompt, name, {"enum": [*choices]} if choices else form)

    async def run_python(self, code: Annotated[str, "A Python 3 program; what it prints is the result."]) -> str:
        """Run Python in the sandbox, in the folder of the workspace."""
        return await self._run(["python3", CODE], {CODE: code.encode()})

    async def run_command(self, command: Annotated[str, "As one would type it in a shell."]) -> str:
        """Run a shell command in the sandbox, in the folder of the workspace."""
        return await self._run(["sh", "-c", command], {})

    async def read_skill_file(
        self,
        path: Annotated[str, "As it is listed."],
        offset: Offset = 0,
    ) -> str:
        """Read a file of the skill."""
        if path not in self._execution.files:
            raise NotFound(f"the skill has no file {path!r}; it has {', '.join(self._execution.files)}")
        return page(path, self._execution.files[path], offset)

    async def list_files(self) -> str:
        """List the files of the workspace."""
        async with self._execution.context.database.connection() as conn:
            found = await workspaces.files(conn, self._execution.run.id)
        return "\n".join(f"{file.path} ({file.size} bytes)" for file in found) or "The workspace is empty."

    async def read_file(
        self,
        path: str,
        offset: Offset = 0,
    ) -> str:
        """Read a text file of the workspace."""
        return page(path, await workspace.content(self._execution.context, self._execution.run, path), offset)

    async def write_file(self, path: str, content: str) -> str:
        """Write a text file into the workspace; one of the same path is replaced."""
        if path in self._execution.files:
            raise InvalidField(
                f"{path!r} is a file of the skill, so it is read-only: choose another path", field="path"
            )
        await workspace.change(self._execution.context, self._execution.run, {path: content.encode()})
        return f"Wrote {path}."

    async def _run(self, command: Sequence[str], code: Files) -> str:
        execution = self._execution
        fixed = {**execution.files, **code}
        async with execution.context.database.connection() as conn:
            files = await workspaces.contents(conn, execution.run.id)
        given = {path: body for path, body in files.items() if not _clash(path, fixed)}
        result = await choose(execution.settings.sandbox_image).run(command, given, fixed=fixed)
        await workspace.change(execution.context, execution.run, result.files, result.removed)
        return _result_text(result)


def _clash(path: str, fixed: Collection[str]) -> bool:
    """Whether a file of the workspace is in the place of one of the skill's, or of its folder."""
    above = {path, *map(str, PurePosixPath(path).parents)}
    return any(other in above or path in map(str, PurePosixPath(other).parents) for other in fixed)


def _result_text(result: Result) -> str:
    ended = f"exit code {result.exit_code}" if result.ending == "exited" else f"ended by its limit of {result.ending}"
    if result.ending == "killed":
        ended = "killed"
    parts = [ended]
    for name, output in (("stdout", result.stdout), ("stderr", result.stderr)):
        if output:
            parts.append(f"{name}:\n{cut(output.decode(errors='replace'))}")
    for what, paths in (("written", sorted(result.files)), ("removed", sorted(result.removed))):
        if paths:
            parts.append(f"files {what}: {', '.join(paths[:50])}")
    return "\n".join(parts)
