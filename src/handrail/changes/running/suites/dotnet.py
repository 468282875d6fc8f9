"""`dotnet test`, with one trx file for each test project."""

from __future__ import annotations

import re

from handrail.changes.environments.managers import dotnet
from handrail.changes.environments.model import command
from handrail.changes.environments.sources import Sources, is_under
from handrail.changes.results.model import Case, Outcome
from handrail.changes.running.model import MOST_NAMED, OUT, Call, Runner, Selection

_FLAGS = ("--logger", "trx", "--logger", "console;verbosity=normal", "--results-directory", OUT, "--nologo")
_TESTING = re.compile(r"Microsoft\.NET\.Test\.Sdk|<IsTestProject>\s*true", re.IGNORECASE)
_ENDED = re.compile(r"^\s+(Passed|Failed|Skipped) (.+?)(?: \[(?:< )?([\d.,]+) ?(ms|s|m)?.*\])?$")
_OUTCOMES = {"Passed": Outcome.passed, "Failed": Outcome.failed, "Skipped": Outcome.skipped}
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}


def _find(sources: Sources) -> list[Call]:
    found: list[Call] = []
    for each in dotnet.find(sources):
        marks = [path for path in each.files if path.endswith("proj") and _TESTING.search(sources.text(path))]
        if marks:
            call = Call(
                "dotnet test", "tests", each.folder, command("dotnet", "test"), marks[0], variables=each.variables
            )
            found.append(call)
    return found


def _select(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    """By full name; for a file by the class that it is named after."""
    names = [f"FullyQualifiedName={_escaped(each.partition('(')[0])}" for each in chosen.ids]
    files = [path for path in chosen.files if path.endswith(".cs") and is_under(path, call.folder)]
    names += [f"FullyQualifiedName~.{_escaped(path.rpartition('/')[2].removesuffix('.cs'))}." for path in files]
    names = list(dict.fromkeys(names))
    return call.adding("--filter", "|".join(names)) if 0 < len(names) <= MOST_NAMED else None


def _escaped(name: str) -> str:
    return re.sub(r"([\\()&|=!~])", r"\\\1", name)


class _Console:
    def hear(self, line: str) -> Case | None:
        found = _ENDED.match(line)
        if not found:
            return None
        seconds = float(found[3].replace(",", "") or 0) * _UNITS[found[4] or "ms"] if found[3] else 0.0
        return Case(found[2], _OUTCOMES[found[1]], found[2].partition("(")[0], seconds=seconds)


DOTNET = Runner("dotnet test", _find, _select, _Console, _FLAGS, (f"{OUT}/*.trx",))
