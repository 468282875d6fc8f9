"""TypeScript and JavaScript by TypeScript's own parser, where Node.js and the compiler are installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from handrail.changes.editing.syntax.problems import Problem

SUFFIXES = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"})
_PROGRAM = Path(__file__).with_name("typescript.cjs")
_CHECKOUT = Path(__file__).parents[5] / "web" / "node_modules" / "typescript" / "lib" / "typescript.js"
_SECONDS = 30


class TypeScript:
    """`compiler` is Handrail's own and never the repository's, whose code runs in the sandbox alone."""

    def __init__(self, node: str, compiler: Path) -> None:
        self._command = [node, "--max-old-space-size=1024", str(_PROGRAM), str(compiler)]

    def problems(self, sources: Sequence[tuple[str, bytes]]) -> list[Problem | None]:
        if not sources:
            return []
        request = json.dumps([(path, source.decode("utf-8-sig", "replace")) for path, source in sources])
        try:
            done = subprocess.run(  # noqa: S603 - our own program; the source is data to it
                self._command, input=request.encode(), capture_output=True, timeout=_SECONDS, check=True
            )
            answers: list[tuple[int, str, int] | None] = json.loads(done.stdout)
        except (subprocess.SubprocessError, ValueError):
            return [Problem(0, "TypeScript's parser gave up on it")] * len(sources)
        return [Problem(*answer) if answer else None for answer in answers]


def found(compiler: Path | None) -> TypeScript | None:
    """With the compiler that is named, else with that of a checkout's web pages; None where there is none."""
    node = shutil.which("node")
    where = compiler or _CHECKOUT
    return TypeScript(node, where) if node and where.is_file() else None
