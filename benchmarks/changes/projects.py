"""Real projects with their own tests, fetched from their registries, each as a repository of one commit."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from handrail.changes.environments.managers.python import INDEX

WHO = ("-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgSign=false")
# of the packages that developers of an npm package use: the ones that run its tests
RUNS_TESTS = ("mocha", "chai")
# what the tests of the package in TypeScript need, and only the repository of all its packages names
VITEST = {"vitest": "^3.2.4", "graphql": "^15.8.0", "graphql-tag": "^2.12.6", "lodash": "^4.17.21"}
# all files in one thread: a process for each takes three times as long
VITEST_CONFIG = """export default {
  cacheDir: ".vite",
  test: { globals: true, isolate: false, pool: "threads", include: ["src/**/__tests__/*.ts"] },
};
"""
_CHECKER = re.compile(r"\[+tool\.(mypy|pyright|ruff)\b")


@dataclass(frozen=True)
class Project:
    registry: Literal["pypi", "npm"]
    name: str
    version: str
    sources: str
    """Where its own code is: a folder or a file."""
    suffix: Literal[".py", ".js", ".ts"] = ".py"
    seed: int = 1
    found: tuple[str, int, int] | None = None
    """The file and the places of two faults that were found once. They are tried first, before others are sought."""


PROJECTS = (
    Project("pypi", "itsdangerous", "2.2.0", "src", found=("src/itsdangerous/serializer.py", 11609, 14797)),
    Project("pypi", "markupsafe", "3.0.2", "src", found=("src/markupsafe/__init__.py", 7186, 1660)),
    Project("pypi", "blinker", "1.9.0", "src", found=("src/blinker/base.py", 9331, 12232)),
    Project("pypi", "pluggy", "1.6.0", "src", found=("src/pluggy/_manager.py", 8881, 12459)),
    Project("pypi", "click", "8.2.1", "src", found=("src/click/utils.py", 1912, 17881)),
    Project("pypi", "flask", "3.1.1", "src", found=("src/flask/config.py", 787, 7420)),
    Project("npm", "sprintf-js", "1.0.3", "src/sprintf.js", ".js", found=("src/sprintf.js", 4544, 5776)),
    Project("npm", "object-path", "0.11.8", "index.js", ".js", found=("index.js", 1157, 4800)),
    Project("npm", "flat", "5.0.2", "index.js", ".js", found=("index.js", 689, 2023)),
    Project("npm", "apollo-utilities", "1.3.4", "src", ".ts", found=("src/util/mergeDeep.ts", 4021, 2280)),
)


def fetched(project: Project, folder: Path) -> Path:
    """The project's files as its registry has them, without history."""
    place = folder / project.name
    unpacked = folder / "unpacked"
    unpacked.mkdir(exist_ok=True)
    # the program keeps what it unpacks in the folder; Debian 12's Python does not yet
    subprocess.run(["tar", "-xz", "--no-same-owner", "-C", unpacked], input=_archive(project, folder), check=True)
    [inside] = unpacked.iterdir()
    inside.rename(place)
    if project.suffix == ".py":
        _leave_out_checkers(place)
    else:
        _keep_what_runs_tests(place / "package.json")
    if project.suffix == ".ts":
        _run_by_vitest(place)
    return place


def committed(place: Path, message: str) -> None:
    if not (place / ".git").exists():
        git(place, "init", "-q", "-b", "main")
    git(place, "add", "-A", "-f")
    git(place, *WHO, "commit", "-qm", message)


def git(place: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=place, check=True, capture_output=True, text=True).stdout


def _archive(project: Project, folder: Path) -> bytes:
    if project.registry == "npm":
        command = ["npm", "pack", "--silent", "--pack-destination", str(folder), f"{project.name}@{project.version}"]
        subprocess.run(command, check=True, capture_output=True)
        return next(folder.glob(f"{project.name}-*.tgz")).read_bytes()
    page = f"{INDEX[0]}simple/{project.name}/"
    listed = _read(page).decode()
    wanted = rf'href="([^"#]*/{re.escape(project.name)}-{re.escape(project.version)}\.tar\.gz)[#"]'
    found = re.search(wanted, listed, re.IGNORECASE)
    assert found is not None, f"no source of {project.name} {project.version}"
    return _read(urllib.parse.urljoin(page, found[1]))


def _read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def _leave_out_checkers(place: Path) -> None:
    """What is measured are tests: no linter and no type checker is configured any more."""
    for name in ("mypy.ini", ".flake8", "ruff.toml", "pyrightconfig.json"):
        (place / name).unlink(missing_ok=True)
    manifest = place / "pyproject.toml"
    tables = re.split(r"^(?=\[)", manifest.read_text(), flags=re.MULTILINE)
    manifest.write_text("".join(each for each in tables if not _CHECKER.match(each)))


def _keep_what_runs_tests(manifest: Path) -> None:
    """Its developers' other tools, such as those that build releases, take minutes to fetch and run no test."""
    package = json.loads(manifest.read_text())
    package["devDependencies"] = {
        name: version for name, version in package.get("devDependencies", {}).items() if name in RUNS_TESTS
    }
    manifest.write_text(json.dumps(package, indent=2) + "\n")


def _run_by_vitest(place: Path) -> None:
    """Its tests use what Jest and Vitest have in common; what Jest needs for TypeScript is not in the package."""
    manifest = place / "package.json"
    package = json.loads(manifest.read_text())
    package["scripts"], package["devDependencies"] = {"test": "vitest run"}, VITEST
    manifest.write_text(json.dumps(package, indent=2) + "\n")
    (place / "jest.config.js").unlink()
    (place / "vitest.config.mjs").write_text(VITEST_CONFIG)
