"""Installs what an environment needs, once, and keeps it read-only for every tree that needs the same."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import re
import shutil
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import uv

from handrail.changes.environments.errors import LayerTooLarge, PreparationFailed
from handrail.changes.environments.layers import PLACE, WITHIN, WRITTEN, Layer
from handrail.changes.environments.model import TREE, Command, Environment
from handrail.changes.environments.offline import INSIDE as PACKAGES
from handrail.changes.environments.offline import offline
from handrail.changes.folders import remove, stoppable
from handrail.core.sizes import MIB
from handrail.logs import HIDDEN, SECRET_TEXT
from handrail.sandbox import Bind, Limits, Line, Place, Reach, Result, Sandbox
from handrail.sandbox.places import measure, share

ACTION = "change.prepare"
LIMITS = Limits(
    *(900, 1800, 2, 4096 * MIB, 512),
    open_files=4096, disk=4096 * MIB, file_size=2048 * MIB, output=4 * MIB,
)  # fmt: skip
UV = "/opt/uv"
_AUTHORITIES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
_TRUSTING = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CARGO_HTTP_CAINFO", "GIT_SSL_CAINFO")
_RECORD = "layer.json"
_LOOK_AGAIN_SECONDS = 0.2
_LAST_LINES = 100
# a layer that was used this recently may be in use
_IDLE_SECONDS = 2 * 3600
_BUILDS = re.compile(r"no wheels|only-binary|building source distributions|install script", re.IGNORECASE)
_REFUSED = re.compile(r"not among the hosts|in a private network|must be reached over https")
_COMPLAINT = re.compile(r"\berr(or)?\b|×|\bfail|cannot|not found", re.IGNORECASE)

Tell = Callable[[str], Awaitable[None]]


async def nobody(line: str) -> None:
    """For callers whom nobody watches."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """`folder` holds the layers; `packages` is an operator's folder that replaces the network; `private_hosts` are
    package servers that lie in a private network."""

    sandbox: Sandbox
    folder: Path
    limits: Limits = LIMITS
    packages: Path | None = None
    private_hosts: frozenset[str] = frozenset()

    def describe(self, environment: Environment) -> dict[str, Any]:
        """The action that the policy assesses and people approve. Nothing has been run for it."""
        planned = self._planned(environment)
        return {"name": ACTION, "arguments": {**planned.as_data(), "offline": self.packages is not None}}

    def find(self, environment: Environment) -> Layer | None:
        """What was prepared before, for this very environment; one that needs nothing is prepared from the start."""
        return self._found(self._planned(environment))

    async def prepare(self, environment: Environment, approved: str, tell: Tell = nobody) -> Layer:
        """The layer, prepared now unless it is there. `approved` is the hash of the description that was: for another
        environment nothing is run. Where two want the same, one prepares and the other waits. Raises PreparationFailed,
        after which nothing is left; cancelling it leaves nothing either."""
        planned = self._planned(environment)
        if planned.hash != approved:
            raise PreparationFailed(
                f"{planned.manager}'s files or commands are not those that were approved. Ask again.", hash=planned.hash
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        if found := self._found(planned):
            return found
        async with self._locked(planned.hash):
            if found := self._found(planned):
                return found
            for left in self.folder.glob(f".{planned.hash}.*"):
                await asyncio.to_thread(remove, left)
            draft = self.folder / f".{planned.hash}.{uuid4().hex}"
            try:
                await self._fill(planned, draft, tell)
                draft.replace(self.folder / planned.hash)
            except BaseException:
                remove(draft)
                raise
        found = self._found(planned)
        assert found is not None
        return found

    def _planned(self, environment: Environment) -> Environment:
        return environment if self.packages is None else offline(environment)

    def _found(self, planned: Environment) -> Layer | None:
        record = self.folder / planned.hash / _RECORD
        if not planned.commands:
            return Layer(planned, record.parent)
        said = _read(record)
        if not said:
            return None
        with suppress(OSError):
            os.utime(record)
        return Layer(planned, record.parent, tuple(said.get("within") or ()))

    async def _fill(self, planned: Environment, draft: Path, tell: Tell) -> None:
        for name in (PLACE, WITHIN, "uv"):
            (draft / name).mkdir(parents=True)
        _link_uv(draft / "uv" / "uv")
        for path, content in planned.files.items():
            file = draft / WITHIN / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        (draft / WITHIN / planned.folder).mkdir(parents=True, exist_ok=True)
        share(draft / "uv")
        for command in planned.commands:
            await tell(str(command))
            await self._carry_out(planned, command, draft, tell)
        await stoppable(lambda _: _finish(planned, draft, self.limits.disk))

    async def _carry_out(self, planned: Environment, command: Command, draft: Path, tell: Tell) -> None:
        binds = [Bind(draft / WITHIN, TREE, writable=True), Bind(draft / PLACE, planned.place, writable=True)]
        binds.append(Bind(draft / "uv", UV))
        if self.packages:
            binds.append(Bind(self.packages, PACKAGES))
        names = frozenset(host.partition(":")[0] for host in planned.hosts)
        place = Place(
            tuple(binds),
            f"{TREE}/{planned.folder}".rstrip("/"),
            {"HANDRAIL_DEPS": planned.place, **(_trust() if names else {})},
            (UV,),
            Reach(names, names & self.private_hosts) if names else None,
        )
        said: deque[str] = deque(maxlen=_LAST_LINES)

        async def listen(line: Line) -> None:
            said.append(SECRET_TEXT.sub(HIDDEN, line.text)[:500])
            await tell(said[-1])

        result = await self.sandbox.run_in(place, command.arguments, self.limits, listen)
        if not result.succeeded:
            raise _failure(planned, command, result, list(said))

    @asynccontextmanager
    async def _locked(self, name: str) -> AsyncGenerator[None]:
        """One process and one task at a time; the system lets go of it where a process dies."""
        with (self.folder / f"{name}.lock").open("w") as file:
            while not _take(file.fileno()):  # noqa: ASYNC110 - another process holds it
                await asyncio.sleep(_LOOK_AGAIN_SECONDS)
            yield


def sweep(layers: Path, seconds: float, size: int) -> list[str]:
    """Removes layers that nobody has used for so long, then the longest unused until the rest takes at most `size`
    bytes, and what crashed preparations left. The hashes of the layers that are gone."""
    now, gone, kept = time.time(), list[str](), 0
    for left in layers.glob(".*.*"):
        with (layers / f"{left.name.split('.')[1]}.lock").open("w") as file:
            if _take(file.fileno()):
                remove(left)
    records = sorted(layers.glob(f"*/{_RECORD}"), key=lambda file: file.stat().st_mtime, reverse=True)
    for record in records:
        idle = now - record.stat().st_mtime
        kept += int(_read(record).get("size") or 0)
        if idle > seconds or (kept > size and idle > _IDLE_SECONDS):
            gone.append(record.parent.name)
            # without its record it is no layer, whatever of it is still there
            record.unlink()
            remove(record.parent)
    return gone


def with_code(environment: Environment) -> Environment:
    """The same with builds and install scripts, for packages that cannot do without: an action of another hash, which
    says that it runs code."""
    left_out = {"--no-build", "--only-binary", ":all:", "--ignore-scripts", "YARN_ENABLE_SCRIPTS=false"}
    commands = (
        replace(each, arguments=tuple(word for word in each.arguments if word not in left_out))
        for each in environment.commands
    )
    return replace(environment, commands=tuple(commands), runs_code=True)


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _link_uv(target: Path) -> None:
    """uv comes with Handrail, whose other programs are not in the sandbox."""
    try:
        target.hardlink_to(uv.find_uv_bin())
    except OSError:
        shutil.copy(uv.find_uv_bin(), target)


def _finish(planned: Environment, draft: Path, most: int) -> None:
    """Of the repository's folder only packages stay; then everybody may read, and the record says that it is whole."""
    within: list[str] = []
    # no link is followed: what is found are folders of this draft
    for folder, names, files in os.walk(draft / WITHIN):
        inside = Path(folder).relative_to(draft / WITHIN)
        if "node_modules" in names and not (Path(folder) / "node_modules").is_symlink():
            within.append((inside / "node_modules").as_posix())
            for name in WRITTEN:
                with suppress(FileExistsError):
                    (Path(folder) / "node_modules" / name).mkdir()
        names[:] = [name for name in names if name != "node_modules"]
        for name in files:
            (Path(folder) / name).unlink()
    remove(draft / "uv")
    size = measure(draft)
    if size > most:
        raise LayerTooLarge(f"{planned.manager} installed {size // MIB} MiB; {most // MIB} MiB are allowed.")
    share(draft)
    (draft / _RECORD).write_text(json.dumps({"manager": planned.manager, "within": within, "size": size}))


def _trust() -> dict[str, str]:
    """By which programs trust whom this machine trusts: a registry may be behind a company's own authority."""
    found = next((each for each in _AUTHORITIES if Path(each).is_file()), "")
    return {"UV_SYSTEM_CERTS": "1", **dict.fromkeys(_TRUSTING, found)} if found else {}


def _failure(planned: Environment, command: Command, result: Result, said: list[str]) -> PreparationFailed:
    output = "\n".join(said).strip()
    if result.ending == "disk":
        return LayerTooLarge(f"`{command}` wrote more than an environment may take.", output=output)
    reason = f"ended with {result.exit_code}" if result.ending == "exited" else f"was ended: {result.ending}"
    complaints = [line for pattern in (_REFUSED, _COMPLAINT) for line in said if pattern.search(line)]
    complaint = next(iter((*complaints, *reversed(said), "")), "").strip()[:300]
    hint = ""
    if not planned.runs_code and _BUILDS.search(output):
        hint = " Nothing is built and no script of a package is run; if that is what it needs, people can allow it."
    return PreparationFailed(f"`{command}` {reason}: {complaint}{hint}", output=output)


def _read(record: Path) -> dict[str, Any]:
    try:
        return cast("dict[str, Any]", json.loads(record.read_bytes()))
    except (OSError, ValueError):
        return {}
