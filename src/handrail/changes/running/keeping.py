"""Results that are known already, by what was run on what. A run with a fault is not kept: it may be the machine's."""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

from handrail.changes.results.model import Case, Finding, Outcome, Report
from handrail.changes.running.executing import Ran, Tree
from handrail.changes.running.model import Call

_FORM = 1


class Results:
    """A folder with a file for each run. Several processes may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, call: Call, tree: Tree, number: int) -> Ran | None:
        with suppress(OSError, ValueError, KeyError, TypeError):
            said = cast("dict[str, Any]", json.loads(self._file(call, tree, number).read_bytes()))
            return Ran(_report(said["report"]), said["output"], said["seconds"])
        return None

    def keep(self, call: Call, tree: Tree, number: int, ran: Ran) -> None:
        if ran.report.fault:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._folder / f".{uuid4().hex}.tmp"
        temporary.write_text(json.dumps({"report": asdict(ran.report), "output": ran.output, "seconds": ran.seconds}))
        temporary.replace(self._file(call, tree, number))

    def sweep(self, seconds: float) -> int:
        """Removes what is older; how many there were."""
        old = [file for file in self._folder.glob("*") if file.stat().st_mtime < time.time() - seconds]
        for file in old:
            file.unlink(missing_ok=True)
        return len(old)

    def _file(self, call: Call, tree: Tree, number: int) -> Path:
        """The `number` tells runs apart that are made to see whether they agree."""
        what: list[Any] = [_FORM, call.as_data(), sorted(call.variables.items()), list(call.reports)]
        where = [tree.hash, sorted(layer.hash for layer in tree.layers), number]
        return self._folder / f"{hashlib.sha256(json.dumps([what, where]).encode()).hexdigest()}.json"


def _report(said: dict[str, Any]) -> Report:
    cases = (Case(**each) for each in said["tests"])
    tests = tuple(replace(each, outcome=Outcome(each.outcome)) for each in cases)
    return Report(said["tool"], tests, tuple(Finding(**each) for each in said["findings"]), said["fault"])
