"""Runs inside the sandbox, before and after the command: unpacks the files, applies limits, packs what changed.

It is handed to the sandbox's Python as text and imports nothing of Handrail. It reads one job from standard input (a
line of JSON, then a tar file) and answers in frames: a letter, a length, the bytes. `o` and `e` are output, `f` a tar
file of the files that are new or changed, `x` how it ended. All of it may be forged by the command: who reads it trusts
nothing of it.
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import json
import os
import resource
import selectors
import signal
import struct
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

CHUNK = 65536
# seconds from one look at the memory in use to the next
LOOK = 0.1
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 4, 22, 38
SECCOMP_MODE_FILTER = 2


def send(letter: bytes, content: bytes) -> None:
    sys.stdout.buffer.write(struct.pack(">cI", letter, len(content)) + content)
    sys.stdout.buffer.flush()


def unpack() -> dict[str, str]:
    """The hash of each file that was given."""
    known: dict[str, str] = {}
    with tarfile.open(fileobj=sys.stdin.buffer, mode="r|") as archive:
        for member in archive:
            source = archive.extractfile(member)
            assert source is not None
            content = source.read()
            path = Path(member.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(member.mode)
            known[member.name] = hashlib.sha256(content).hexdigest()
    return known


def pack(known: dict[str, str]) -> bytes:
    """Regular files alone: a link would lead somewhere else on the other side."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for folder, _, names in os.walk("."):
            for path in (Path(folder) / name for name in names):
                if not path.is_file() or path.is_symlink():
                    continue
                content = path.read_bytes()
                if known.get(str(path)) != hashlib.sha256(content).hexdigest():
                    entry = tarfile.TarInfo(str(path))
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
    return target.getvalue()


class Filter(ctypes.Structure):
    """`struct sock_fprog`: how many instructions of 8 bytes, and where they are."""

    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))


def confine(job: dict[str, Any], filtered: Filter) -> None:
    """In the command's process, before it begins. Where any of it fails, the command does not."""
    for name, value in job["rlimits"].items():
        number = getattr(resource, "RLIMIT_" + name)
        # the soft one may be met with a signal, the hard one is the end
        resource.setrlimit(number, (value, value + 1 if name == "CPU" else value))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filtered))


def prctl(option: int, value: int, more: Any = None) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, more, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def forward(process: subprocess.Popen[bytes], job: dict[str, Any]) -> tuple[str | None, int]:
    """Output as it comes, until the command has ended; why it was ended, where it did not by itself, and how much
    output was thrown away."""
    deadline, left, killed, look = time.monotonic() + job["seconds"], job["output"], None, 0.0
    with selectors.DefaultSelector() as ready:
        for stream, letter in ((process.stdout, b"o"), (process.stderr, b"e")):
            assert stream is not None
            ready.register(stream, selectors.EVENT_READ, letter)
        while ready.get_map():
            for key, _ in ready.select(0.05):
                chunk = os.read(key.fd, CHUNK)
                if not chunk:
                    ready.unregister(key.fileobj)
                else:
                    if left > 0:
                        send(key.data, chunk[:left])
                    left -= len(chunk)
            if killed is None and time.monotonic() > deadline:
                killed = "time"
            if killed is None and job["memory"] and time.monotonic() > look:
                killed = "memory" if used(used_at_most) > job["memory"] < used(used_fairly) else None
                look = time.monotonic() + LOOK
            if killed is not None or process.poll() is not None:
                # all processes but this one: what the command left behind ends with it
                silence()
    return killed, max(0, -left)


def used(by: Callable[[Path], int]) -> int:
    """Bytes of memory, of all processes but this one."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        if process.name != str(os.getpid()):
            # it may have ended meanwhile
            with suppress(OSError):
                total += by(process)
    return total


def used_at_most(process: Path) -> int:
    """What processes share counts for each of them."""
    return summed(process / "status", ("RssAnon:", "RssShmem:"))


def used_fairly(process: Path) -> int:
    """What processes share is divided among them: slower to find out, and a process can refuse to be looked into."""
    try:
        return summed(process / "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:"))
    except PermissionError:
        return used_at_most(process)


def summed(file: Path, names: tuple[str, ...]) -> int:
    lines = (line.split() for line in file.read_text().splitlines())
    return sum(int(line[1]) * 1024 for line in lines if line and line[0] in names)


def surroundings(job: dict[str, Any]) -> dict[str, str]:
    """The command's variables: the sandbox's own, and those that were given."""
    variables = {**os.environ, **job["environment"]}
    variables["PATH"] = ":".join((*job["path"], variables["PATH"]))
    if "HOME" in job["environment"]:
        Path(variables["HOME"]).mkdir(parents=True, exist_ok=True)
    return variables


def forward_out(program: list[str]) -> subprocess.Popen[bytes]:
    """The command's way to the proxy outside, ready to be used."""
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-I", "-S", "-c", *program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def silence() -> None:
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)


def main() -> None:
    # nobody else may look into this process or write to its files by /proc
    prctl(PR_SET_DUMPABLE, 0)
    job = json.loads(sys.stdin.buffer.readline())
    program = bytes.fromhex(job["filter"])
    instructions = ctypes.create_string_buffer(program, len(program))
    filtered = Filter(len(program) // 8, ctypes.addressof(instructions))
    known = unpack()
    os.umask(0o022)
    environment = surroundings(job)
    forwarder = forward_out(job["forwarder"]) if job["forwarder"] else None
    try:
        process = subprocess.Popen(  # noqa: S603 - this is what the sandbox is for
            job["command"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=job["folder"],
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: confine(job, filtered),  # noqa: PLW1509 - there is one thread
        )
    except OSError as error:
        send(b"e", f"{error.filename or job['command'][0]}: {error.strerror}\n".encode())
        send(b"x", json.dumps({"exit_code": 127, "killed": None}).encode())
        return
    killed, lost = forward(process, job)
    code = process.wait()
    silence()
    if forwarder is not None:
        forwarder.wait()
    removed: list[str] = []
    if job["pack"]:
        send(b"f", pack(known))
        removed = [path for path in known if not Path(path).is_file()]
    send(b"x", json.dumps({"exit_code": code, "killed": killed, "removed": removed, "lost": lost}).encode())


main()
