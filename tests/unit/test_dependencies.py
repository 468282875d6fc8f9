"""Each runtime dependency is used, and says what for."""

from __future__ import annotations

import re
from importlib.metadata import packages_distributions
from pathlib import Path

import handrail
from handrail import extras
from scripts.shipping import components

ROOT = Path(__file__).parents[2]
SOURCE = Path(handrail.__file__).parent
# used without an import of ours: by another package, as data, or as a program
UNIMPORTED = {"bandit", "httptools", "python-multipart", "tzdata", "uv", "wordllama"}
REQUIREMENT = re.compile(r'^    "([A-Za-z0-9-]+)[^"]*",(.*)$')


def requirements() -> dict[str, str]:
    """By name: what is said of each, on its line or above it; a heading of its group is no reason. With the extras."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lists = ("dependencies", *extras.EXTRAS)
    listed = [line for name in lists for line in text[text.index(f"\n{name} = [") :].partition("\n]")[0].splitlines()]
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
    assert {name for name, reason in requirements().items() if not reason} <= {"handrail"}


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


def test_all_that_is_optional_is_in_the_extra_all() -> None:
    installed = {each.name for each in components.python()}
    assert requirements().keys() - installed == {"handrail", "handrail-sdk"}


# GPL and AGPL would bind what is built with Handrail. LGPL-3.0: psycopg, used as a library that can be exchanged.
ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CNRI-Python", "ISC", "LGPL-3.0-only"),
    *("MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "OFL-1.1", "PSF-2.0", "PostgreSQL", "Python-2.0", "Unlicense", "Zlib"),
}


def test_every_component_of_a_release_states_a_licence_that_we_allow() -> None:
    found = {each.purl: each.licence for each in (*components.python(), *components.javascript())}
    strange = {
        purl: licence
        for purl, licence in found.items()
        if not licence or not set(re.findall(r"[\w.+-]+", licence)) - {"AND", "OR", "WITH"} <= ALLOWED
    }
    assert strange == {}


def names_of(distribution: str) -> set[str]:
    """What a module may be called that the installation does not list: one of a shared name, or in development."""
    return {distribution.replace("-", "_"), distribution.partition("-")[0]}
