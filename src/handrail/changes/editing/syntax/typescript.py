"""TypeScript and JavaScript by TypeScript's own parser, where Node.js and the compiler are installed."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from handrail.changes.editing.syntax.problems import Problem

SUFFIXES = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"})
_PROGRAM = Path(__file__).with_name("typescript.cjs")
CHECKOUT = Path(__file__).parents[5] / "web" / "node_modules" / "typescript" / "lib" / "typescript.js"
_SECONDS = 30.0
_GAVE_UP = Problem(0, "TypeScript's parser gave up on it")


class TypeScript:
    """`compiler` is Handrail's own and never the repository's, whose code runs in the sandbox alone.

    Loading it takes longer than reading a hundred files, so its process is kept for the next edit. It ends with this
    one, by the end of its input, and one that crashed or took too long is replaced.
    """

    def __init__(self, node: str, compiler: Path, seconds: float = _SECONDS) -> None:
        self._command = [node, "--max-old-space-size=1024", str(_PROGRAM), str(compiler)]
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def problems(self, sources: Sequence[tuple[str, bytes]]) -> list[Problem | None]:
        if not sources:
            return []
        request = json.dumps([(path, source.decode("utf-8-sig", "replace")) for path, source in sources])
        with self._lock:
            line = self._answer(request.encode() + b"\n")
        if line is None:
            return [_GAVE_UP] * len(sources)
        answers: list[tuple[int, str, int] | None] = json.loads(line)
        return [Problem(*answer) if answer else None for answer in answers]

    def _answer(self, request: bytes) -> bytes | None:
        process = self._process or self._begun()
        assert process.stdin is not None and process.stdout is not None
        late = threading.Timer(self._seconds, process.kill)
        late.start()
        try:
            process.stdin.write(request)
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            late.cancel()
        if line.endswith(b"\n"):
            return line
        self.close()
        return None

    def _begun(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(  # noqa: S603 - our own program; the source is data to it
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        atexit.register(self.close)
        return self._process

    def close(self) -> None:
        """Ends the process; the next question starts another."""
        atexit.unregister(self.close)
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            # what it was not told any more is of no use
            process.communicate()


@cache
def found(compiler: Path | None) -> TypeScript | None:
    """With the compiler that is named, else with that of a checkout's web pages; None where there is none."""
    node = shutil.which("node")
    where = compiler or CHECKOUT
    return TypeScript(node, where) if node and where.is_file() else None
