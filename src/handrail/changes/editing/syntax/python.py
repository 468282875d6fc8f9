"""Python by `compile()`, in a separate process: a hostile source can end the interpreter that compiles it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from handrail.changes.editing.syntax.problems import Problem

_SECONDS = 20
_PROGRAM = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
def problem(source):
    try:
        compile(source, "<edit>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return [error.lineno or 0, error.msg or "invalid syntax"]
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return [0, str(error) or type(error).__name__]
data = sys.stdin.buffer
while line := data.readline():
    print(json.dumps(problem(data.read(int(line)))), flush=True)
"""


class Compiler:
    def __init__(self, interpreter: str | None = None) -> None:
        self._interpreter = interpreter or sys.executable

    def problems(self, sources: Sequence[tuple[str, bytes]]) -> list[Problem | None]:
        """What comes after a source that ended the interpreter counts as not compiled either."""
        if not sources:
            return []
        request = b"".join(b"%d\n%s" % (len(source), source) for _, source in sources)
        command = [self._interpreter, "-I", "-S", "-W", "ignore", "-c", _PROGRAM]
        try:
            done = subprocess.run(  # noqa: S603 - our own program; the source is data to it
                command, input=request, capture_output=True, timeout=_SECONDS, check=False
            )
            answers = done.stdout.splitlines()
        except subprocess.TimeoutExpired:
            answers = list[bytes]()
        found = [_problem(json.loads(answer)) for answer in answers[: len(sources)]]
        crashed = Problem(0, "the compiler gave up on it")
        return found + [crashed] * (len(sources) - len(found))


def _problem(answer: tuple[int, str] | None) -> Problem | None:
    return Problem(*answer) if answer else None
