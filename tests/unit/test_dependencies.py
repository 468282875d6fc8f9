"""Each runtime dependency is used, and says what for."""

from __future__ import annotations

import re
from importlib.metadata import packages_distributions
from pathlib import Path

import handrail

ROOT = Path(__file__).parents[2]
SOURCE = Path(handrail.__file__).parent
# used without an import of ours: by another package, as data, or as a program
UNIMPORTED = {"bandit", "httptools", "python-multipart", "tzdata", "uv", "wordllama"}
REQUIREMENT = re.compile(r'^    "([A-Za-z0-9-]+)[^"]*",(.*)$')


def requirements() -> dict[str, str]:
    """By name: what is said of each, on its line or above it; a heading of its group is no reason."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = text[text.index("\ndependencies = [") :].partition("\n]")[0].splitlines()
    found: dict[str, str] = {}
    above = ""
    for line in listed:
        match = REQUIREMENT.match(line)
        if match is not None:
            found[match[1].lower()] = match[2] or above
        elif line.lstrip().startswith("#"):
            above = line if " " in line.strip("# ") else ""
    return found


def test_each_has_its_reason_in_one_line() -> None:
    assert {name for name, reason in requirements().items() if not reason} <= {"handrail-sdk"}


def test_each_is_imported() -> None:
    modules: dict[str, set[str]] = {}
    for module, distributions in packages_distributions().items():
        for name in distributions:
            modules.setdefault(name.lower().replace("_", "-"), set()).add(module)
    source = "\n".join(file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py"))
    imported = set(re.findall(r"^\s*(?:from|import) (\w+)", source, re.MULTILINE))
    imported |= set(re.findall(r'(?:find_spec|import_module)\("(\w+)', source))
    unused = {name for name in requirements() if not (modules.get(name, set()) | names_of(name)) & imported}
    assert unused - UNIMPORTED == set()


def names_of(distribution: str) -> set[str]:
    """What a module may be called that the installation does not list: one of a shared name, or in development."""
    return {distribution.replace("-", "_"), distribution.partition("-")[0]}
