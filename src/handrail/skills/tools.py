"""The tools of a skill's run: a person to ask, code and commands in the sandbox, files."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Annotated, Any, Final

from langchain_core.tools import BaseTool, StructuredTool

from handrail.core.errors import InvalidField, NotFound
from handrail.core.skills import Files, Manifest
from handrail.sandbox import Result, choose
from handrail.skills import asking, workspace
from handrail.skills.execution import Execution
from handrail.store import workspaces

# what a model sees of one result: some 2,000 tokens
SHOWN = 8_000
CODE = "__code__.py"
FILES: Final = ("read_skill_file", "list_files", "read_file", "write_file")
RUNNING: Final = ("run_python", "run_command")
OWN: Final = (asking.NAME, *RUNNING, *FILES)
# what public collections of skills call it
ALSO_KNOWN: Final = {"Bash": RUNNING}


def allowed(manifest: Manifest, name: str) -> bool:
    """Whether the skill may use a tool. Files and questions are always there; of others it has those that it names,
    and where it names none, all; but a simple one that names none is a single call to a model."""
    if not manifest.allowed_tools:
        return manifest.complexity == "complex"
    if name == asking.NAME:
        return manifest.complexity == "complex"
    named = [entry.partition("(")[0] for entry in manifest.allowed_tools]
    patterns = [pattern for entry in named for pattern in ALSO_KNOWN.get(entry, (entry,))]
    return name in FILES or any(fnmatchcase(name, pattern) for pattern in patterns)


class Tools:
    """`missing` is what the run wanted to know before and nobody could say."""

    def __init__(self, execution: Execution, missing: Sequence[str] = ()) -> None:
        self._execution = execution
        self._missing = missing

    def all(self) -> list[BaseTool]:
        wanted = [name for name in OWN if allowed(self._execution.manifest, name)]
        return [StructuredTool.from_function(coroutine=getattr(self, name), name=name) for name in wanted]

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
        offset: Annotated[int, "How many characters to leave out at the beginning."] = 0,
    ) -> str:
        """Read a file of the skill."""
        if path not in self._execution.files:
            raise NotFound(f"the skill has no file {path!r}; it has {', '.join(self._execution.files)}")
        return _page(path, self._execution.files[path], offset)

    async def list_files(self) -> str:
        """List the files of the workspace."""
        async with self._execution.context.database.connection() as conn:
            found = await workspaces.files(conn, self._execution.run.id)
        return "\n".join(f"{file.path} ({file.size} bytes)" for file in found) or "The workspace is empty."

    async def read_file(
        self,
        path: str,
        offset: Annotated[int, "How many characters to leave out at the beginning."] = 0,
    ) -> str:
        """Read a text file of the workspace."""
        return _page(path, await workspace.content(self._execution.context, self._execution.run, path), offset)

    async def write_file(self, path: str, content: str) -> str:
        """Write a text file into the workspace; one of the same path is replaced."""
        if path in self._execution.files:
            raise InvalidField(f"{path!r} is a file of the skill, and read-only: choose another path", field="path")
        await workspace.change(self._execution.context, self._execution.run, {path: content.encode()})
        return f"{path} is written."

    async def _run(self, command: Sequence[str], code: Files) -> str:
        execution = self._execution
        fixed = {**execution.files, **code}
        async with execution.context.database.connection() as conn:
            files = await workspaces.contents(conn, execution.run.id)
        given = {path: body for path, body in files.items() if not _clash(path, fixed)}
        result = await choose(execution.settings.sandbox_image).run(command, given, fixed=fixed)
        await workspace.change(execution.context, execution.run, result.files, result.removed)
        return _told(result)


def _clash(path: str, fixed: Collection[str]) -> bool:
    """Whether a file of the workspace is in the place of one of the skill's, or of its folder."""
    above = {path, *map(str, PurePosixPath(path).parents)}
    return any(other in above or path in map(str, PurePosixPath(other).parents) for other in fixed)


def _told(result: Result) -> str:
    ended = f"exit code {result.exit_code}" if result.ending == "exited" else f"ended by its limit of {result.ending}"
    if result.ending == "killed":
        ended = "killed"
    parts = [ended]
    for name, output in (("stdout", result.stdout), ("stderr", result.stderr)):
        if output:
            parts.append(f"{name}:\n{_cut(output.decode(errors='replace'))}")
    for what, paths in (("written", sorted(result.files)), ("removed", sorted(result.removed))):
        if paths:
            parts.append(f"files {what}: {', '.join(paths[:50])}")
    return "\n".join(parts)


def _cut(text: str) -> str:
    """Beginning and end: errors stand last."""
    if len(text) <= SHOWN:
        return text
    half = SHOWN // 2
    return f"{text[:half]}\n… {len(text) - SHOWN} characters left out …\n{text[-half:]}"


def _page(path: str, content: bytes, offset: int) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise InvalidField(f"{path} is not text: it has {len(content)} bytes", field="path") from None
    page = text[offset : offset + SHOWN]
    left = len(text) - offset - len(page)
    return f"{page}\n… {left} more characters: go on with offset={offset + len(page)}" if left > 0 else page
