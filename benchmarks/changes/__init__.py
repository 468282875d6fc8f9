"""Code changes in real projects, fetched from their registries when this runs, two at a time. The attempts take half an
hour at most.

**Attempts.** A small fault is planted in each project (an operator or a constant of one line is another), and a
scripted model goes about it in seven ways in turn: the right edit damaged as models damage edits, one that does not
parse, one outside the plan, one with a secret in it, one that skips the test instead, one that mends the fault and
breaks other tests, and the right one. Only the last may reach the hold where people approve what is published. An
attempt is known by what the files held when it was checked; one that broke the tests that run first was stopped there,
before the gates. The projects' linters and type checkers are left out, so that the same tests can be run bare, without
a sandbox. A project that cannot be prepared or takes too long is a row that says so.

**Faults.** Twenty changes at once on four workers: at each of nine stages one worker is killed (kill -9) and one change
is cancelled. The time of cancelling is until no worker has the change any more, that of a kill until another one can
have it: nearly all of it is the time after which a worker that says nothing counts as dead.

**Edits.** By our rule and by the rules of others: hunks between two releases of public packages, each damaged the way
models damage them. *Right* is the file that was meant, *wrong* any other file that was written, *refused* is neither.
For a stale deleted line and a left-out line there is no right answer, only a refusal. The rules of others stand in
`peers.py`, from what is known of their tools.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from handrail.changes.editing.desk import Edit
from handrail.changes.editing.errors import Refused
from handrail.changes.editing.placing import replaced
from handrail.changes.editing.syntax import ParseGate
from handrail.changes.editing.texts import decode
from handrail.changes.editing.trees import File

sys.path.append(str(Path(__file__).parents[2] / "tests"))

import database as databases
from change_ordeal import ORDEALS, WHEN, deployed, suffered

from . import peers, playing
from .packages import Hunk, hunks
from .perturbing import PERTURBATIONS
from .projects import PROJECTS

RULES: dict[str, Callable[[str, str, str], str | None]] = {
    "exact, first": peers.exact_first,
    "Codex's way": peers.trimmed_first,
    "OpenHands'": peers.unique_or_stripped,
    "Cline's": peers.similar_first,
}


def run() -> dict[str, Any]:
    began, load = time.monotonic(), os.getloadavg()[0]
    figures: dict[str, Any] = {"load of the machine at the start": load}
    for name, part in {"attempts": played, "faults": struck, "edits": edits}.items():
        try:
            figures[name] = part()
        except Exception as error:
            # what was measured before stays
            traceback.print_exc()
            figures[name] = {"not measured": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
    return {**figures, "load of the machine at the end": os.getloadavg()[0], "minutes": (time.monotonic() - began) / 60}


def played(names: Sequence[str] = ()) -> dict[str, Any]:
    """What came of the seven attempts, in all projects or in those that are named."""
    chosen = [each for each in PROJECTS if not names or each.name in names]
    return playing.summed(playing.play_all(chosen))


def struck() -> dict[str, Any]:
    """What became of changes whose worker was killed or that were cancelled, at each stage."""
    databases.begin_run()
    try:
        with tempfile.TemporaryDirectory() as folder, deployed(Path(folder)) as (server, crew, shops):
            outcomes = suffered(server, crew, shops, ORDEALS)
    finally:
        databases.end_run()
    clear = Counter(each.ordeal.how for each in outcomes if each.run["status"] in each.ordeal.ends)
    cancelling = [each.cancelling for each in outcomes if each.cancelling is not None]
    missed = [each.missed for each in outcomes if each.missed is not None]
    return {
        "changes at once": len(outcomes),
        "killed at a stage, and completed": f"{clear['kill']} of {len(WHEN)}",
        "cancelled at a stage, and ended so": f"{clear['cancel']} of {len(WHEN)}",
        "seconds of cancelling, p50": statistics.median(cancelling),
        "seconds of cancelling, longest": max(cancelling),
        "seconds from a kill until another worker can have it, p50": statistics.median(missed),
        "seconds from a kill until another worker can have it, longest": max(missed),
    }


def edits() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        found = hunks(Path(folder))
    tables = {name: _table(found, perturb) for name, perturb in PERTURBATIONS.items()}
    return {
        "hunks": len(found),
        "packages": len({hunk.package for hunk in found}),
        **tables,
        "first match in the wrong place, %": {f"{n} lines of context": _misplaced(found, n) for n in (0, 1, 3)},
        "milliseconds": _times(found),
    }


def ours(source: str, old: str, new: str) -> str | None:
    text = decode("file", source.encode())
    try:
        splices = replaced("file", text, old.splitlines(), new.splitlines(), range(len(text.lines)))
    except Refused:
        return None
    return text.spliced(splices).data.decode()


def _table(found: list[Hunk], perturb: Callable[[Hunk], tuple[str, str] | None]) -> dict[str, str]:
    cases = [(hunk, spoilt) for hunk in found if (spoilt := perturb(hunk)) is not None]
    table: dict[str, str] = {"edits": str(len(cases))}
    for name, rule in {**RULES, "ours": ours}.items():
        counts = Counter(_verdict(hunk, rule(hunk.source, *spoilt)) for hunk, spoilt in cases)
        table[name] = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("right", "wrong", "refused"))
    return table


def _verdict(hunk: Hunk, result: str | None) -> str:
    if result is None:
        return "refused"
    return "right" if result == hunk.meant else "wrong"


def _misplaced(found: list[Hunk], context: int) -> float:
    cases = [case for hunk in found if (case := hunk.narrowed(context)).old.strip()]
    wrong = sum(case.source.find(case.old) not in (-1, case.offset) for case in cases)
    return 100 * wrong / len(cases)


def _times(found: list[Hunk]) -> dict[str, float]:
    gate = ParseGate()
    placing, parsing = list[float](), list[float]()
    for hunk in found[:: max(1, len(found) // 60)]:
        start = time.perf_counter()
        ours(hunk.source, hunk.old, hunk.new)
        placing.append(time.perf_counter() - start)
        if hunk.path.endswith(".py"):
            start = time.perf_counter()
            gate.check([Edit(hunk.path, None, File(hunk.source.encode()))])
            parsing.append(time.perf_counter() - start)
    return {
        "placing an edit": 1000 * statistics.median(placing),
        "Python's parse gate": 1000 * statistics.median(parsing),
    }
