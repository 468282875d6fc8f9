"""The speed and accuracy of the code graph.

Speed is compared with bare tree-sitter parsing of the same files; the ratios that count are of CPU time, which other
work on the machine affects less than wall time. Accuracy is precision and recall against tools that know: import edges
against grimp and the TypeScript compiler's own resolution, call targets against jedi on a sample, and endpoints against
the routes that the running example applications report.
"""

import sysconfig
from pathlib import Path
from typing import Any

from benchmarks.codegraph import oracles, speed

SUBJECTS = ("stdlib", "django", "pydantic", "hypothesis", "npm:zod", "npm:rxjs")
IMPORTS = ("django", "pydantic", "rich", "httpx", "hypothesis", "jedi")
TYPESCRIPT = ("rxjs", "zod", "@nestjs/common", "@nestjs/core")
APPLICATIONS = ("fastapi_app", "flask_app", "django_app", "express_app", "nest_app")
CALLS = ("httpx", "flask")
_SAMPLE = 100


def run(subjects: list[str] | None = None) -> dict[str, Any]:
    """Speed of each subject (`stdlib`, an installed package, a package of npm or a folder's path), then accuracy."""
    oracles.install_node_packages()
    return {
        "speed": {subject: speed.measure(_folder(subject)) for subject in subjects or SUBJECTS},
        "imports_against_grimp": {name: _figures(oracles.imports_against_grimp(name)) for name in IMPORTS},
        "imports_against_typescript": {
            name: _figures(oracles.imports_against_typescript(oracles.NODE / "node_modules" / name))
            for name in TYPESCRIPT
        },
        "calls_against_jedi": {name: _figures(oracles.calls_against_jedi(name, _SAMPLE)) for name in CALLS},
        "endpoints_against_applications": {
            name: _figures(oracles.routes_against_application(name)) for name in APPLICATIONS
        },
    }


def _folder(subject: str) -> Path:
    if subject.startswith("npm:"):
        return oracles.NODE / "node_modules" / subject.removeprefix("npm:")
    if "/" in subject:
        return Path(subject)
    return Path(sysconfig.get_path("stdlib")) if subject == "stdlib" else oracles.folder_of(subject)


def _figures(found: oracles.Agreement) -> dict[str, float]:
    return {
        "expected": found.expected,
        "precision": round(found.precision, 4),
        "recall": round(found.recall, 4),
    }
