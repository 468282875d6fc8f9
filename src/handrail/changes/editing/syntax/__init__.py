"""The parse gate: an edit that breaks a file's syntax is not made.

A file that was broken before may stay as broken as it was, and no more. CPython and TypeScript's own parser decide
where they are installed; elsewhere tree-sitter does, which sees fewer errors, and some that are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from handrail.changes.editing.desk import Edit
from handrail.changes.editing.errors import DoesNotParse
from handrail.changes.editing.syntax import data, python, trees, typescript
from handrail.changes.editing.syntax.problems import Checker, Problem
from handrail.codegraph.languages import suffix_of


class ParseGate:
    """`interpreter` is the Python whose syntax counts, else this one; `compiler` names TypeScript's `typescript.js`."""

    def __init__(self, *, interpreter: str | None = None, compiler: Path | None = None) -> None:
        self._compiled = python.Compiler(interpreter)
        self._typescript = typescript.found(compiler)

    def check(self, edits: Sequence[Edit]) -> None:
        """Raises DoesNotParse for the first file that would be worse than before."""
        checkers: dict[Checker, list[Edit]] = {}
        for edit in edits:
            if edit.after is not None and (checker := self._checker(edit.path)):
                checkers.setdefault(checker, []).append(edit)
        for checker, some in checkers.items():
            _compare(checker, some)

    def _checker(self, path: str) -> Checker | None:
        suffix = suffix_of(path)
        if suffix in {".py", ".pyi"}:
            return self._compiled
        if suffix in typescript.SUFFIXES and self._typescript is not None:
            return self._typescript
        return data.checker(path) or trees.checker(path)


def _compare(checker: Checker, edits: Sequence[Edit]) -> None:
    after = checker.problems([(edit.path, edit.after.data) for edit in edits if edit.after])
    broken = [(edit, problem) for edit, problem in zip(edits, after, strict=True) if problem]
    before = checker.problems([(edit.path, edit.before.data if edit.before else b"") for edit, _ in broken])
    for (edit, problem), old in zip(broken, before, strict=True):
        if edit.before is None or old is None or problem.errors > old.errors:
            raise DoesNotParse(_message(edit, problem))
        if checker is not trees.CHECKER:
            _compare(trees.CHECKER, [edit])


def _message(edit: Edit, problem: Problem) -> str:
    assert edit.after is not None
    lines = edit.after.data.decode("utf-8", "replace").splitlines()
    here = lines[problem.line - 1].strip()[:160] if 0 < problem.line <= len(lines) else ""
    at = f" at line {problem.line}" + (f", `{here}`" if here else "") if problem.line else ""
    return f"{edit.path} would no longer parse: {problem.message}{at}. Nothing was changed."
