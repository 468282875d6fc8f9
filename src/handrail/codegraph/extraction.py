"""Facts of many files: in this process when they are few, else by worker processes, one a core."""

import json
import os
import select
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from handrail.codegraph import facts, worker
from handrail.codegraph.facts import FileFacts
from handrail.codegraph.walk import FileEntry

_FEW_BYTES = 200_000
"""Below this, reading takes less time than starting a process (70 ms)."""
_BATCH_BYTES = 250_000
_BATCH_FILES = 64
_SECONDS_A_FILE = 60.0


class Extraction(NamedTuple):
    path: str
    hash: str
    reason: str
    """Why the file was skipped, empty where it was read."""
    facts: FileFacts | None
    data: bytes = b""
    """The facts encoded, where a worker process sent them so."""


Sink = Callable[[Extraction], None]


def extract(root: Path, files: Sequence[FileEntry], max_bytes: int, workers: int, sink: Sink) -> None:
    """Read every file and give each result to `sink`, in any order, one at a time."""
    if workers <= 1 or sum(file.size for file in files) < _FEW_BYTES:
        for file in files:
            sink(Extraction(file.path, *worker.answer(root, file.path, max_bytes)))
        return
    batches = deque(_batches(files))
    lock = threading.Lock()
    failures: list[BaseException] = []

    def locked(result: Extraction) -> None:
        with lock:
            sink(result)

    def drive() -> None:
        try:
            _Worker(root, max_bytes, locked).run(batches)
        except BaseException as error:
            batches.clear()
            failures.append(error)

    threads = [threading.Thread(target=drive, name=f"codegraph-{n}") for n in range(min(workers, len(batches)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _batches(files: Iterable[FileEntry]) -> Iterable[list[str]]:
    """Large files first, so that no worker is left alone with one at the end."""
    batch: list[str] = []
    size = 0
    for file in sorted(files, key=lambda f: -f.size):
        batch.append(file.path)
        size += file.size
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Worker:
    """One worker process and the thread that feeds it."""

    def __init__(self, root: Path, max_bytes: int, sink: Sink) -> None:
        self._root, self._max_bytes, self._sink = root, max_bytes, sink
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""

    def run(self, batches: "deque[list[str]]") -> None:
        try:
            while True:
                try:
                    batch = batches.popleft()
                except IndexError:
                    return
                self._batch(batch)
        finally:
            self._stop()

    def _batch(self, paths: list[str]) -> None:
        while paths:
            done = self._send(paths)
            if done < len(paths):
                self._stop()
                self._sink(Extraction(paths[done], "", "the parser crashed or took too long", None))
                done += 1
            paths = paths[done:]

    def _send(self, paths: list[str]) -> int:
        """How many files were answered before the process failed."""
        process = self._process or self._start()
        request = {"root": str(self._root), "max_bytes": self._max_bytes, "paths": paths}
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return 0
        for count, path in enumerate(paths):
            line = self._line(process)
            if line is None:
                return count
            content_hash, reason, data = line.split(b"\t", 2)
            found = facts.decode(data) if data else None
            self._sink(Extraction(path, content_hash.decode(), reason.decode(), found, data))
        return len(paths)

    def _line(self, process: subprocess.Popen[bytes]) -> bytes | None:
        assert process.stdout is not None
        parts: list[bytes] = []
        rest = self._buffer
        while (end := rest.find(b"\n")) < 0:
            parts.append(rest)
            if not select.select([process.stdout], [], [], _SECONDS_A_FILE)[0]:
                return None
            rest = os.read(process.stdout.fileno(), 1 << 20)
            if not rest:
                return None
        self._buffer = rest[end + 1 :]
        return b"".join((*parts, rest[:end]))

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "handrail.codegraph.worker"]
        self._buffer = b""
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path.cwd())  # noqa: S603 - a fixed command
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        process.wait()
