"""`cargo test`, line by line."""

from __future__ import annotations

import re

from handrail.changes.environments.managers import rust
from handrail.changes.environments.model import command
from handrail.changes.environments.sources import Sources, is_under
from handrail.changes.results.model import Case, Outcome
from handrail.changes.running.model import MOST_NAMED, Call, Runner, Selection

_ENDED = re.compile(r"^test (.+?)(?: - (?:should panic|compile fail|compile))? \.\.\. (ok|FAILED|ignored.*)$")
_OUTCOMES = {"ok": Outcome.passed, "FAILED": Outcome.failed}


def _find(sources: Sources) -> list[Call]:
    run = command("cargo", "test", "--offline", "--no-fail-fast")
    return [
        Call("cargo test", "tests", each.folder, run, min(each.files), variables=each.variables)
        for each in rust.find(sources)
        if any(
            "#[test]" in sources.text(path) or "::test]" in sources.text(path)
            for path in _sources(sources, each.folder)
        )
    ]


def _sources(sources: Sources, folder: str) -> list[str]:
    return [path for path in sources.paths if path.endswith(".rs") and is_under(path, folder)]


def _select(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    """Integration tests by file, others by their names, of which a part is enough."""
    files = [path for path in chosen.files if re.search(r"(?:^|/)tests/\w+\.rs$", path) and is_under(path, call.folder)]
    programs = [part for path in files for part in ("--test", path.rpartition("/")[2].removesuffix(".rs"))]
    names = list(dict.fromkeys(re.sub(r" #\d+$", "", each).partition("::")[2] for each in chosen.ids if "::" in each))
    if programs and not names:
        return call.adding(*programs)
    return call.adding("--", "--exact", *names) if 0 < len(names) <= MOST_NAMED and not files else None


class _Lines:
    def hear(self, line: str) -> Case | None:
        found = _ENDED.match(line)
        return Case(found[1], _OUTCOMES.get(found[2], Outcome.skipped), found[1]) if found else None


CARGO = Runner("cargo test", _find, _select, _Lines)
