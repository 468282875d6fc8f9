"""Every other language with a grammar: error nodes of tree-sitter."""

from __future__ import annotations

from collections.abc import Sequence

from handrail.changes.editing.grammars import errors, parse
from handrail.changes.editing.syntax.problems import Checker, Problem


class _Trees:
    def problems(self, sources: Sequence[tuple[str, bytes]]) -> list[Problem | None]:
        return [_problem(path, source) for path, source in sources]


CHECKER = _Trees()


def checker(path: str) -> Checker | None:
    return CHECKER if parse(path, b"") is not None else None


def _problem(path: str, source: bytes) -> Problem | None:
    root = parse(path, source.removeprefix(b"\xef\xbb\xbf"))
    found = errors(root) if root is not None else []
    if not found:
        return None
    first = found[0]
    message = f"`{first.type}` is missing" if first.is_missing else "this cannot be read"
    return Problem(first.start_point.row + 1, message, len(found))
