"""A plugin of pytest's that says each test as it ends, on the standard error that pytest began with.

It is bound into the sandbox and imported by the repository's own Python: it uses the standard library
alone, and works from Python 3.9 on.
"""

import json
import os
from typing import Any

# loaded before pytest takes it away; its own lines go to standard output
_OUT = os.dup(2)
# pytest-xdist's workers report to the process that says it
_IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
_begun: dict[str, tuple[str, float, str]] = {}


def pytest_runtest_logreport(report: Any) -> None:
    """A test is over with its teardown, and as bad as the worst of its parts."""
    if _IS_WORKER:
        return
    outcome, seconds, message = _begun.get(report.nodeid, ("passed", 0.0, ""))
    if report.failed:
        outcome = "failed" if report.when == "call" else "errored"
        message = str(report.longreprtext)[-500:]
    elif report.skipped and outcome == "passed":
        outcome = "skipped"
    _begun[report.nodeid] = (outcome, seconds + report.duration, message)
    if report.when == "teardown":
        _say(_name(report.nodeid), *_begun.pop(report.nodeid))


def pytest_collectreport(report: Any) -> None:
    if report.failed and not _IS_WORKER:
        _say(
            "::" + report.nodeid.replace("/", ".").removesuffix(".py"), "errored", 0.0, str(report.longreprtext)[-500:]
        )


def _name(node: str) -> str:
    """As it stands in the report."""
    path, bracket, parameters = node.partition("[")
    names = path.split("::")
    names[0] = names[0].replace("/", ".").removesuffix(".py")
    names[-1] += bracket + parameters
    return ".".join(names[:-1]) + "::" + names[-1]


def _say(name: str, outcome: str, seconds: float, message: str) -> None:
    said = {"id": name, "outcome": outcome, "seconds": round(seconds, 4), "message": message}
    os.write(_OUT, ("\x1e" + json.dumps(said) + "\n").encode())
