"""JSON and TOML: a broken manifest stops a project as surely as broken code."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence

from handrail.changes.editing.syntax.problems import Checker, Problem

_WITH_COMMENTS = re.compile(r"(^|/)([jt]sconfig[^/]*|devcontainer|\.eslintrc|\.swcrc|\.babelrc)\.json$|(^|/)\.vscode/")


class _Loaded:
    def __init__(self, load: Callable[[str], object]) -> None:
        self._load = load

    def problems(self, sources: Sequence[tuple[str, bytes]]) -> list[Problem | None]:
        return [self._problem(source) for _, source in sources]

    def _problem(self, source: bytes) -> Problem | None:
        try:
            self._load(source.decode("utf-8-sig"))
        except json.JSONDecodeError as error:
            return Problem(error.lineno, error.msg)
        except (ValueError, RecursionError) as error:
            line = re.search(r"at line (\d+)", str(error))
            return Problem(int(line[1]) if line else 0, re.sub(r" \(at line.*\)$", "", str(error)))
        return None


_JSON, _TOML = _Loaded(json.loads), _Loaded(tomllib.loads)


def checker(path: str) -> Checker | None:
    if path.endswith(".json") and not _WITH_COMMENTS.search(path):
        return _JSON
    return _TOML if path.endswith(".toml") else None
