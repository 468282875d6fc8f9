"""`go test -json`, which is a stream by itself."""

from __future__ import annotations

import re

from handrail.changes.environments.managers import golang
from handrail.changes.environments.model import command
from handrail.changes.environments.sources import Sources, folder_of, is_under
from handrail.changes.results.model import Case, Outcome
from handrail.changes.results.reading import json_lines, number_of, text_of
from handrail.changes.running.model import MOST_NAMED, Call, Runner, Selection

_ENDS = {"pass": Outcome.passed, "fail": Outcome.failed, "skip": Outcome.skipped}
_NAMED = re.compile(r"^(.*?)\.((?:Test|Example|Fuzz)[^/]*)(?:/.*)?$")
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)


def _find(sources: Sources) -> list[Call]:
    return [
        Call("go test", "tests", each.folder, command("go", "test", "-json"), min(each.files), variables=each.variables)
        for each in golang.find(sources)
        if sources.under(each.folder, "*_test.go")
    ]


def _select(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    """Packages, and the functions in them where only functions are named."""
    module = _MODULE.search(sources.text(f"{call.folder}/go.mod".lstrip("/")))
    tests = [found for each in chosen.ids if (found := _NAMED.match(each))]
    packages = [found[1] for found in tests]
    packages += [each for each in chosen.ids if module and each.startswith(module[1]) and not _NAMED.match(each)]
    files = [path for path in chosen.files if path.endswith(".go") and is_under(path, call.folder)]
    packages += [f"./{folder_of(path).removeprefix(call.folder).strip('/')}" for path in files]
    packages = list(dict.fromkeys(packages))
    if not packages:
        return None
    functions = sorted({re.escape(found[2]) for found in tests})
    only = ("-run", f"^({'|'.join(functions)})$") if len(tests) == len(chosen.ids) and not files else ()
    return call.adding(*(only if len(functions) <= MOST_NAMED else ()), *packages)


class _Events:
    def hear(self, line: str) -> Case | None:
        for event in json_lines(line):
            outcome, test = _ENDS.get(text_of(event.get("Action"))), text_of(event.get("Test"))
            if outcome and test:
                package = text_of(event.get("Package"))
                group = f"{package}.{test.partition('/')[0]}"
                return Case(f"{package}.{test}", outcome, group, seconds=number_of(event.get("Elapsed")))
        return None


GO = Runner("go test", _find, _select, _Events, whole=("./...",))
