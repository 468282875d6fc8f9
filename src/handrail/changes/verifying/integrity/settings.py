"""The parts of shared files that concern tests: `pyproject.toml`, `package.json` and their like."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable
from typing import Any, cast

_TOOLS = frozenset(
    {"pytest", "coverage", "tox", "nox", "hatch", "ruff", "mypy", "pyright", "pylint", "bandit", "flake8", "unittest"}
)
_SECTIONS = re.compile(r"tool:pytest|coverage:|flake8|mypy|pylint|testenv|aliases")
_KEYS = frozenset({"jest", "mocha", "nyc", "c8", "vitest", "ava", "eslintConfig", "lint-staged", "husky"})
_SCRIPTS = re.compile(r"(pre|post)?(test|lint|check|coverage|cover|typecheck|type-check|ci|verify|build)\b.*")
_MAVEN = re.compile(r"surefire|failsafe|jacoco|skipTests|skipITs|maven\.test|testFailureIgnore|excludedGroups|<exclude")
_GRADLE = re.compile(r"\btest\b|jacoco|ignoreFailures|excludeTags|failOnNoMatchingTests|kover")


def concerning(name: str) -> Callable[[str], object] | None:
    """How to read those parts of a file of this name; None where it has none. What is read compares as equal where
    nothing of it changed. The function raises ValueError for a text that is no such file."""
    if name.startswith("build.gradle"):
        return _gradle
    return _READERS.get(name)


def _pyproject(text: str) -> object:
    tools: dict[str, Any] = tomllib.loads(text).get("tool", {})
    return {name: value for name, value in tools.items() if name in _TOOLS}


def _setup_cfg(text: str) -> object:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from None
    return {section: dict(parser[section]) for section in parser.sections() if _SECTIONS.match(section)}


def _package_json(text: str) -> object:
    read: object = json.loads(text)
    package = cast("dict[str, Any]", read) if isinstance(read, dict) else {}
    listed: object = package.get("scripts")
    scripts = cast("dict[str, Any]", listed) if isinstance(listed, dict) else {}
    found = {name: value for name, value in package.items() if name in _KEYS}
    return found | {f"scripts.{name}": value for name, value in scripts.items() if _SCRIPTS.fullmatch(name)}


def _cargo(text: str) -> object:
    read = tomllib.loads(text)
    library: dict[str, Any] = read.get("lib", {})
    profiles: dict[str, Any] = read.get("profile", {})
    return read.get("test"), library.get("test"), library.get("harness"), profiles.get("test"), read.get("lints")


def _maven(text: str) -> object:
    return [line.strip() for line in text.splitlines() if _MAVEN.search(line)]


def _gradle(text: str) -> object:
    return [line.strip() for line in text.splitlines() if _GRADLE.search(line) and "mplementation" not in line]


def _makefile(text: str) -> object:
    """The recipes of its targets for tests and checks."""
    found: list[str] = []
    wanted = False
    for line in text.splitlines():
        if line[:1] not in {"\t", " ", "#", ""}:
            wanted = re.match(r"[\w .-]*\b(test|check|lint|coverage|ci)\b[\w .-]*:", line) is not None
        if wanted:
            found.append(line.strip())
    return found


_READERS: dict[str, Callable[[str], object]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "pom.xml": _maven,
    "Makefile": _makefile,
}
