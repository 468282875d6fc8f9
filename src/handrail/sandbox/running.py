"""Runs one command in a sandbox and hears what it says; ends it with all that it started when its time is up."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, cast

from handrail.core.errors import Misconfigured
from handrail.sandbox import frames, processes, reaching
from handrail.sandbox.limits import Limits
from handrail.sandbox.listening import Lines, Listen, Stream, silence
from handrail.sandbox.places import Bind, Mounts, Place, prepare
from handrail.sandbox.spaces import Space
from handrail.sandbox.stopping import stoppable

Files = Mapping[str, bytes]
Hear = Callable[[Stream, bytes], None]
# `exited` by itself, whatever its code; else the limit that ended it, or `killed` by what it did to itself
Ending = Literal["exited", "time", "cpu", "memory", "file_size", "disk", "killed"]
STREAMS: dict[bytes, Stream] = {b"o": "stdout", b"e": "stderr"}
# the sandbox's own guard ends a command in time; one that does not answer is ended from outside
GRACE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Result:
    """`files` are those of the workspace that are new or changed, `removed` the paths of those that are gone.

    `lost` is how many bytes of output came after its limit.
    """

    ending: Ending
    exit_code: int
    stdout: bytes
    stderr: bytes
    files: Files = field(default_factory=dict[str, bytes])
    removed: tuple[str, ...] = ()
    lost: int = 0

    @property
    def succeeded(self) -> bool:
        return self.ending == "exited" and self.exit_code == 0


@dataclass(frozen=True, slots=True)
class Launch:
    """The process at the border of the sandbox, and what its surroundings know of its end.

    `end` ends everything inside. `grouped` where a control group limits memory and processes; else the guard inside
    must.
    """

    process: asyncio.subprocess.Process
    out_of_memory: Callable[[], bool]
    end: Callable[[], None]
    grouped: bool = True


class Enclosure(Protocol):
    """A way to shut a command in: bubblewrap or Docker."""

    def started(self, limits: Limits, place: Mounts | None = None) -> AbstractAsyncContextManager[Launch]:
        """The guard inside the sandbox, waiting for its job; at the end nothing of it is left."""
        ...


@dataclass(frozen=True, slots=True)
class Sandbox:
    enclosure: Enclosure

    async def run(
        self,
        command: Sequence[str],
        files: Files | None = None,
        limits: Limits | None = None,
        hear: Hear = lambda stream, text: None,
        *,
        fixed: Files | None = None,
    ) -> Result:
        """What came of the command, run in a folder with these files. Cancelling it ends the command at once; `Braked`
        where a brake does.

        Those that are `fixed` are read-only, and whatever the command does to them is not in the result.
        """
        limits = limits or Limits()
        fixed = fixed or {}
        given = frames.packed({**(files or {}), **fixed}, fixed.keys())
        said = _Said(hear, fixed.keys())
        async with stoppable(), self.enclosure.started(limits) as started:
            job = frames.job(command, limits, grouped=started.grouped) + given
            return await _carried_out(started, job, limits, said)

    async def run_in(
        self, place: Place, command: Sequence[str], limits: Limits | None = None, listen: Listen = silence
    ) -> Result:
        """What came of the command, run over folders that are bound into the sandbox; `listen` gets each line at once.

        What it writes there stays. Cancelling ends the command and all that it started before this returns; so does a
        listener that fails, whose error is raised. `Braked` where a brake does.
        """
        limits = limits or Limits()
        lines = Lines(listen)
        said = _Said(lines.take, ())
        async with stoppable(), _reaching(place, lines) as door:
            prepared = await asyncio.to_thread(prepare, place)
            space = Space(prepared, limits.disk)
            if door:
                prepared = replace(prepared, binds=(*prepared.binds, door))
            async with self.enclosure.started(limits, prepared) as started:
                job = frames.job(command, limits, place, grouped=started.grouped) + frames.packed({})
                async with lines.delivered(started.end), space.watched(started.end):
                    result = await _carried_out(started, job, limits, said)
        return replace(result, ending="disk") if space.is_exceeded else result


@asynccontextmanager
async def _reaching(place: Place, lines: Lines) -> AsyncGenerator[Bind | None]:
    if place.reach is None:
        yield None
        return
    async with reaching.open_door(place.reach, lines.add) as door:
        yield Bind(door, reaching.INSIDE)


async def _carried_out(started: Launch, job: bytes, limits: Limits, said: _Said) -> Result:
    in_time = await _converse(started.process, job, limits, said)
    if said.ended is None and in_time and not started.out_of_memory():
        await _complain(started)
    return said.result(in_time=in_time, out_of_memory=started.out_of_memory())


async def _converse(process: asyncio.subprocess.Process, job: bytes, limits: Limits, said: _Said) -> bool:
    """Whether it ended in time."""
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None
    try:
        async with asyncio.timeout(limits.seconds + GRACE_SECONDS):
            # a guard that has died already does not take the job
            with suppress(ConnectionError):
                stdin.write(job)
                await stdin.drain()
                stdin.close()
            async for letter, content in frames.frames(stdout, limits):
                said.take(letter, content)
            await process.wait()
    except TimeoutError:
        return False
    return True


async def _complain(started: Launch) -> None:
    """Where the sandbox itself could not start, its own words say why."""
    assert started.process.stderr is not None
    words = (await started.process.stderr.read(4096)).decode(errors="replace").strip()
    if words and started.process.returncode != -signal.SIGKILL:
        raise Misconfigured(f"the sandbox did not start: {words}")


class _Said:
    """What has come out of the sandbox so far."""

    def __init__(self, hear: Hear, fixed: Collection[str]) -> None:
        self._hear = hear
        self._fixed = fixed
        self._output = {"stdout": bytearray(), "stderr": bytearray()}
        self._files: dict[str, bytes] = {}
        self.ended: dict[str, Any] | None = None

    def take(self, letter: bytes, content: bytes) -> None:
        if letter in STREAMS:
            self._output[STREAMS[letter]] += content
            self._hear(STREAMS[letter], content)
        elif letter == b"f":
            self._files = {path: body for path, body in frames.unpacked(content).items() if path not in self._fixed}
        elif letter == b"x":
            with suppress(ValueError):
                self.ended = cast("dict[str, Any]", json.loads(content))

    def result(self, *, in_time: bool, out_of_memory: bool) -> Result:
        ended = self.ended or {}
        code = ended.get("exit_code")
        code = code if isinstance(code, int) else -signal.SIGKILL
        ending: Ending = "exited" if self.ended is not None else "killed"
        if not in_time or ended.get("killed") == "time":
            ending = "time"
        elif out_of_memory or ended.get("killed") == "memory":
            ending = "memory"
        elif code == -signal.SIGXCPU:
            ending = "cpu"
        elif code == -signal.SIGXFSZ:
            ending = "file_size"
        elif code == -signal.SIGKILL:
            ending = "killed"
        output = self._output
        lost = ended.get("lost")
        return Result(
            ending,
            code,
            bytes(output["stdout"]),
            bytes(output["stderr"]),
            self._files,
            self._removed(ended),
            lost if isinstance(lost, int) else 0,
        )

    def _removed(self, ended: dict[str, Any]) -> tuple[str, ...]:
        told = ended.get("removed")
        paths = cast("list[object]", told) if isinstance(told, list) else []
        return tuple(path for path in paths if isinstance(path, str) and path not in self._fixed)


@asynccontextmanager
async def piped(
    command: Sequence[str], files: Sequence[int] = (), variables: Mapping[str, str] = {}
) -> AsyncGenerator[asyncio.subprocess.Process]:
    """A process with these variables alone and these open files, in a session of its own; over at the end of the block,
    killed where it is not told to end before."""
    known = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", **variables}
    process = await processes.begin(*command, stdin=asyncio.subprocess.PIPE, env=known, pass_fds=files)
    try:
        yield process
    finally:
        await _gone(process)


async def _gone(process: asyncio.subprocess.Process) -> None:
    try:
        async with asyncio.timeout(GRACE_SECONDS):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
