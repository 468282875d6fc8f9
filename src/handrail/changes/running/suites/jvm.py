"""Maven's Surefire and Gradle's test task; both write JUnit's XML into the tree."""

from __future__ import annotations

import re
from collections.abc import Sequence

from handrail.changes.environments.managers import jvm
from handrail.changes.environments.model import command, place
from handrail.changes.environments.sources import Sources, is_under
from handrail.changes.results.model import Case, Outcome
from handrail.changes.running.model import INSIDE, MOST_NAMED, Call, MarkedLines, Runner, Selection

# all modules are tested, whatever fails in one; each test is printed when its class ends
_MAVEN = (
    *("-Dmaven.test.failure.ignore=true", "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"),
    *("-Dsurefire.useFile=false", "-Dsurefire.reportFormat=plain", "test"),
)
_GRADLE = ("--continue", "--rerun-tasks", "--init-script", f"{INSIDE}/report.gradle", "test")
_SOURCE = re.compile(r"(?:^|/)src/test/(?:java|kotlin|groovy|scala)/(.+)\.(?:java|kt|groovy|scala)$")
_ENDED = re.compile(
    r"^(?:\[\w+\]\s+)?([\w.$]+)(?:\(([\w.$]+)\))?[^\s]*\s+(?:-- )?"
    r"Time elapsed: ([\d.]+) s(?:ec)?(?:\s+<<< (FAILURE|ERROR)!)?"
)


def _find_maven(sources: Sources) -> list[Call]:
    found: list[Call] = []
    for each in jvm.find(sources):
        if each.manager == "Maven" and _has_tests(sources, each.folder):
            local = f"-Dmaven.repo.local={place('jvm', each.folder)}"
            run = command("mvn", "--offline", "--batch-mode", "--no-transfer-progress", local)
            found.append(Call("surefire", "tests", each.folder, run, min(each.files)))
    return found


def _find_gradle(sources: Sources) -> list[Call]:
    found: list[Call] = []
    for each in jvm.find(sources):
        if each.manager == "Gradle" and _has_tests(sources, each.folder):
            run = command(*jvm.program_of(sources, each.folder), "--offline", "--no-daemon", "--console=plain")
            # what was prepared is read-only, and Gradle writes into its home
            variables = {"GRADLE_RO_DEP_CACHE": f"{each.place}/caches", "GRADLE_USER_HOME": "/tmp/gradle"}  # noqa: S108
            found.append(Call("gradle", "tests", each.folder, run, min(each.files), variables=variables))
    return found


def _has_tests(sources: Sources, folder: str) -> bool:
    return any(is_under(path, folder) and _SOURCE.search(path) for path in sources.paths)


def _classes(call: Call, chosen: Selection) -> Sequence[str]:
    named = [
        found[1].replace("/", ".")
        for path in chosen.files
        if is_under(path, call.folder) and (found := _SOURCE.search(path))
    ]
    return list(dict.fromkeys([*named, *(each.partition("::")[0] for each in chosen.ids if "::" in each)]))


def _select_maven(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    classes = _classes(call, chosen)
    return call.adding(f"-Dtest={','.join(classes)}") if 0 < len(classes) <= MOST_NAMED else None


def _select_gradle(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    classes = _classes(call, chosen)
    if not 0 < len(classes) <= MOST_NAMED:
        return None
    return call.adding(*(part for name in classes for part in ("--tests", name)))


class _Surefire:
    """`pkg.Class.test -- Time elapsed: 0.01 s`, or `test(pkg.Class)  Time elapsed: 0.01 s` of older ones."""

    def hear(self, line: str) -> Case | None:
        found = _ENDED.match(line)
        if not found:
            return None
        name, around = found[1], found[2]
        if not around:
            around, _, name = name.rpartition(".")
        outcome = {"FAILURE": Outcome.failed, "ERROR": Outcome.errored}.get(found[4] or "", Outcome.passed)
        return Case(f"{around}::{name}", outcome, f"{around}::{name}", seconds=float(found[3]))


MAVEN = Runner("surefire", _find_maven, _select_maven, _Surefire, _MAVEN, ("**/target/surefire-reports/TEST-*.xml",))
GRADLE = Runner("gradle", _find_gradle, _select_gradle, MarkedLines, _GRADLE, ("**/build/test-results/**/TEST-*.xml",))
