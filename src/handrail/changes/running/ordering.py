"""In which order tests run, so that what is most likely to break says so first. Only the whole suite is a gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from handrail.changes.running.model import Selection

NONE = Selection()
Reason = Literal["plan", "impact", "imports", "suite"]


@dataclass(frozen=True, slots=True)
class Stage:
    """Tests to run before those of the next stage; the suite names none, because it is all of them."""

    reason: Reason
    depth: int = 0
    """For `impact`: how many steps away from what was changed."""
    selection: Selection = NONE

    @property
    def is_gate(self) -> bool:
        return self.reason == "suite"

    def as_data(self) -> dict[str, Any]:
        named = [*self.selection.files, *self.selection.ids]
        return {"reason": self.reason, "depth": self.depth, "tests": named, "gate": self.is_gate}


def order(
    planned: Iterable[str] = (), impacted: Mapping[str, int] | None = None, importing: Iterable[str] = ()
) -> tuple[Stage, ...]:
    """The tests of the plan, then those that the code graph reaches from the change, by depth, then those that import
    what was changed, then the whole suite. A test is in the first stage that has it.

    Tests are files, or ids as reports have them (with `::`).
    """
    impacted = impacted or {}
    stages: list[tuple[Reason, int, tuple[str, ...]]] = [("plan", 0, tuple(planned))]
    for depth in sorted(set(impacted.values())):
        stages.append(("impact", depth, tuple(test for test, steps in impacted.items() if steps == depth)))
    stages.append(("imports", 0, tuple(importing)))
    seen: set[str] = set()
    found: list[Stage] = []
    for reason, depth, tests in stages:
        new = [test for test in dict.fromkeys(tests) if test not in seen and test.partition("::")[0] not in seen]
        seen.update(new)
        if new:
            files = tuple(test for test in new if "::" not in test)
            found.append(Stage(reason, depth, Selection(files, tuple(test for test in new if "::" in test))))
    return (*found, Stage("suite"))
