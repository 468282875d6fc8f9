"""Edits as models write them, by our rule and by the rules of others. The edits are real: hunks between two releases of
public packages, fetched when this runs; each is then damaged the way models damage them. *Right* is the file that was
meant, *wrong* any other file that was written, *refused* is neither. For a stale deleted line and a left-out line there
is no right answer, only a refusal. The rules of others stand in `peers.py`, from what is known of their tools.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from handrail.changes.editing.desk import Edit
from handrail.changes.editing.errors import Refused
from handrail.changes.editing.placing import replaced
from handrail.changes.editing.syntax import ParseGate
from handrail.changes.editing.texts import decode
from handrail.changes.editing.trees import File

from . import peers
from .packages import Hunk, hunks
from .perturbing import PERTURBATIONS

RULES: dict[str, Callable[[str, str, str], str | None]] = {
    "exact, first": peers.exact_first,
    "Codex's way": peers.trimmed_first,
    "OpenHands'": peers.unique_or_stripped,
    "Cline's": peers.similar_first,
}


def run() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        found = hunks(Path(folder))
    tables = {name: _table(found, perturb) for name, perturb in PERTURBATIONS.items()}
    return {
        "hunks": len(found),
        "packages": len({hunk.package for hunk in found}),
        "edits": tables,
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
