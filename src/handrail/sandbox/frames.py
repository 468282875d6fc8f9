"""What crosses the border of the sandbox: a job on the way in, frames on the way out, of which nothing is trusted."""

from __future__ import annotations

import asyncio
import io
import json
import struct
import tarfile
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from pathlib import PurePosixPath

from handrail.core.errors import InvalidField
from handrail.sandbox import seccomp
from handrail.sandbox.limits import Limits
from handrail.sandbox.places import HOME, Place
from handrail.sandbox.reaching import ENVIRONMENT, FORWARDER, INSIDE, PORT, SOCKET

HEADER = struct.Struct(">cI")
# tar pads each file to blocks of 512 bytes and adds a header of one block
PADDING = 2


def job(command: Sequence[str], limits: Limits, place: Place | None = None, *, grouped: bool) -> bytes:
    rlimits = {
        "CPU": limits.cpu_seconds,
        "FSIZE": limits.file_size,
        "NOFILE": limits.open_files,
        "CORE": 0,
    }
    if not grouped:
        # not the address space, of which WebAssembly in Node.js alone reserves 10 GiB
        rlimits["DATA"] = limits.memory
        # counts what the user runs: in Docker that is the machine's, with all that is not in the sandbox
        rlimits["NPROC"] = limits.processes
    head = {
        "command": list(command),
        "rlimits": rlimits,
        "memory": None if grouped else limits.memory,
        "seconds": limits.seconds,
        "output": limits.output,
        "filter": seccomp.program().hex(),
        "folder": place.folder if place else None,
        "environment": _environment(place) if place else {},
        "forwarder": [FORWARDER, f"{INSIDE}/{SOCKET}", str(PORT)] if place and place.reach else None,
        "path": place.path if place else (),
        "pack": place is None,
    }
    return json.dumps(head).encode() + b"\n"


def _environment(place: Place) -> dict[str, str]:
    return {"HOME": HOME, **(ENVIRONMENT if place.reach else {}), **place.environment}


def packed(files: Mapping[str, bytes], fixed: Collection[str] = ()) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, content in files.items():
            if not is_inside(name):
                raise InvalidField(f"{name!r} is not the path of a file in the workspace", field="files")
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            # scripts name their interpreter in their first line
            entry.mode = 0o755 if content.startswith(b"#!") else 0o644
            if name in fixed:
                entry.mode &= ~0o222
            archive.addfile(entry, io.BytesIO(content))
    return target.getvalue()


def unpacked(content: bytes) -> dict[str, bytes]:
    """Regular files at places in the workspace, and nothing else of what may be in there."""
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            for member in archive:
                source = archive.extractfile(member) if member.isreg() and is_inside(member.name) else None
                if source is not None:
                    files[str(PurePosixPath(member.name))] = source.read()
    except (tarfile.TarError, ValueError, EOFError, OverflowError):
        return {}
    return files


def is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name


async def frames(stream: asyncio.StreamReader, limits: Limits) -> AsyncGenerator[tuple[bytes, bytes]]:
    """Ends with the stream, and where more comes than can be honest."""
    left = limits.output + limits.disk * PADDING + 65536
    while left > 0:
        try:
            letter, length = HEADER.unpack(await stream.readexactly(HEADER.size))
            if length > left:
                return
            yield letter, await stream.readexactly(length)
        except asyncio.IncompleteReadError:
            return
        left -= length + HEADER.size
