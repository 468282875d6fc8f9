"""All checks of a change together: the one way in for the workflow."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from handrail.changes.results.model import Report
from handrail.changes.running.judging import Judgement, SuiteOutcome
from handrail.changes.verifying import (
    characters,
    coverage,
    criteria,
    dependencies,
    kinds,
    outcomes,
    overlays,
    proof,
    scope,
    secrets,
    security,
    size,
)
from handrail.changes.verifying.change import Change
from handrail.changes.verifying.coverage import THRESHOLD, Coverage
from handrail.changes.verifying.criteria import Criterion, Knowledge
from handrail.changes.verifying.gates import Verification, verification
from handrail.changes.verifying.integrity import check as integrity
from handrail.changes.verifying.integrity.reading import has_tests_inside
from handrail.changes.verifying.model import Check
from handrail.changes.verifying.scope import Scope
from handrail.changes.verifying.size import Limits


@dataclass(frozen=True)
class Evidence:
    """What was run, and what the change was meant to be."""

    change: Change
    scope: Scope
    judged: Judgement
    """Base and head, compared."""
    old_tests: tuple[SuiteOutcome, ...] = ()
    """The base's tests on the head's code (`overlays.old_tests_on_head`), compared with the base; none where the change
    edits no test."""
    new_tests: Mapping[tuple[str, str], Report] = field(default_factory=dict[tuple[str, str], Report])
    """The head's tests on the base's code (`overlays.new_tests_on_base`), by tool and folder."""
    tests_required: bool = False
    coverage: Coverage | None = None
    coverage_threshold: float = THRESHOLD
    criteria: tuple[Criterion, ...] = ()
    limits: Limits = field(default_factory=Limits)
    known: Knowledge = field(default_factory=Knowledge)


async def verify(evidence: Evidence) -> Verification:
    """Nothing of the repository runs. The same evidence gives the same answer."""
    read = await asyncio.to_thread(_read, evidence)
    return verification([*read, await security.check(evidence.change)])


def _read(evidence: Evidence) -> list[Check]:
    change, ran = evidence.change, evidence.judged.tests
    old_tests = overlays.old_tests_on_head(change).put
    is_announced = all(evidence.scope.weakens(path) for path, _ in old_tests)
    is_inline = any(has_tests_inside(file.path) for file in change.files)
    return [
        integrity.check(change, evidence.scope),
        outcomes.tests(ran),
        outcomes.base_tests(evidence.old_tests, ran, is_needed=bool(old_tests), is_announced=is_announced),
        proof.check(ran, evidence.new_tests, required=evidence.tests_required, is_inline=is_inline),
        secrets.check(change),
        scope.check(change, evidence.scope),
        characters.check(change),
        kinds.check(change),
        outcomes.lint(evidence.judged.checks),
        coverage.check(change, evidence.coverage, evidence.coverage_threshold),
        dependencies.check(change),
        size.check(change, evidence.limits),
        criteria.check(evidence.criteria, evidence.known),
    ]
