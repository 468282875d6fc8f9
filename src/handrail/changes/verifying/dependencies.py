"""Which outside packages come, go or change, by the files that declare and lock them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any, cast
from urllib.parse import urlsplit

from handrail.changes.verifying.change import Change, File, Side
from handrail.changes.verifying.model import Check, Finding, Verdict, judged
from handrail.core.wording import counted

NAME = "dependencies"
_LOCK = re.compile(
    r"(^|/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock"
    r"|pdm\.lock|[\w.-]*requirements[\w.-]*\.lock|pylock[\w.]*\.toml|Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock"
    r"|packages\.lock\.json|gradle\.lockfile)$"
)
_URL = re.compile(r"https?://[^\s\"'#]+")
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.\[\],-]*)\s*(.*)")
_GO = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+)\s+(v\S+)", re.MULTILINE)
_MAVEN = re.compile(
    r"<groupId>\s*([^<\s]+)\s*</groupId>\s*<artifactId>\s*([^<\s]+)\s*</artifactId>(?:\s*<version>\s*([^<\s]+))?"
)
_GRADLE = re.compile(r"(?:mplementation|api|compileOnly|runtimeOnly|classpath)\W+([\w.-]+:[\w.-]+)(?::([\w.$-]+))?")
_NUGET = re.compile(r"<PackageReference\s+Include=\"([^\"]+)\"(?:\s+Version=\"([^\"]+)\")?")
_HOOKS = ("preinstall", "install", "postinstall", "prepare", "prepublish")
_LOOK = "Code of others runs with the rights of this project. Is it the right package, and is it maintained?"


def is_lock(path: str) -> bool:
    return _LOCK.search(path) is not None


def check(change: Change) -> Check:
    declared = [finding for file in change.files for finding in _declared(file)]
    locked = [finding for file in change.files if is_lock(file.path) for finding in _locked(file, bool(declared))]
    findings = [*declared, *locked]
    words = f"{counted(len(findings), 'change')} to the packages it depends on."
    return judged(NAME, findings, clean="The packages it depends on are the same.", words=words)


def _declared(file: File) -> Iterator[Finding]:
    read = _reader(file.path)
    if read is None:
        return
    try:
        before, after = _packages(read, file.before), _packages(read, file.after)
    except (ValueError, RecursionError):
        what = f"{file.path} cannot be read."
        yield Finding("manifest_unreadable", file.path, 0, what, "What it declares is not known.", Verdict.unsure)
        return
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if old is None:
            rule, what = "dependency_added", f"`{name}` was added" + (f" ({new})." if new else ".")
        elif new is None:
            rule, what = "dependency_removed", f"`{name}` was removed."
        else:
            rule, what = "dependency_changed", f"`{name}` was `{old or 'any'}` and is `{new or 'any'}`."
        yield Finding(rule, file.path, _line_of(file, name), what, _LOOK, Verdict.unsure)


def _locked(file: File, is_declared: bool) -> Iterator[Finding]:
    if not is_declared:
        what = f"{file.path} changed, though no declared dependency did."
        yield Finding("lock_changed", file.path, 0, what, "Other versions are installed than before.", Verdict.unsure)
    known = {_host(url) for line in (file.before.lines if file.before else ()) for url in _URL.findall(line)}
    for number, text in file.added:
        hosts = {_host(url) for url in _URL.findall(text)} - known
        for host in sorted(hosts) if known else ():
            known.add(host)
            what = f"Packages come from {host}, which was no source before."
            yield Finding("new_source", file.path, number, what, "Anybody could answer under a new address.")
        if '"hasInstallScript": true' in text:
            what = "A package that runs a script when it is installed was added."
            yield Finding(
                "install_script", file.path, number, what, "The script runs before anyone reads it.", Verdict.unsure
            )


def _reader(path: str) -> Callable[[str], dict[str, str]] | None:
    name = path.rpartition("/")[2]
    if re.fullmatch(r"[\w.-]*requirements[\w.-]*\.(txt|in)", name):
        return _requirements
    if name.startswith("build.gradle"):
        return lambda text: dict(_GRADLE.findall(text))
    if name.endswith((".csproj", ".fsproj")) or name == "Directory.Packages.props":
        return lambda text: dict(_NUGET.findall(text))
    return _READERS.get(name)


def _packages(read: Callable[[str], dict[str, str]], side: Side | None) -> dict[str, str]:
    return read(side.text) if side is not None and side.text else {}


def _package_json(text: str) -> dict[str, str]:
    package = _mapping(json.loads(text))
    found: dict[str, str] = {}
    for kind in (
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
        "overrides",
        "resolutions",
    ):
        found |= {name: str(value) for name, value in _mapping(package.get(kind)).items()}
    scripts = _mapping(package.get("scripts"))
    return found | {f"script {name}": str(scripts[name]) for name in _HOOKS if name in scripts}


def _pyproject(text: str) -> dict[str, str]:
    read = tomllib.loads(text)
    project, tool = _mapping(read.get("project")), _mapping(read.get("tool"))
    listed = [project.get("dependencies"), _mapping(read.get("build-system")).get("requires")]
    listed += [
        *_mapping(project.get("optional-dependencies")).values(),
        *_mapping(read.get("dependency-groups")).values(),
    ]
    found = _requirements("\n".join(str(each) for one in listed for each in _items(one) if isinstance(each, str)))
    poetry = _mapping(tool.get("poetry"))
    groups = [poetry, *map(_mapping, _mapping(poetry.get("group")).values())]
    for group in groups:
        for kind in ("dependencies", "dev-dependencies"):
            found |= {name: str(value) for name, value in _mapping(group.get(kind)).items()}
    return found


def _requirements(text: str) -> dict[str, str]:
    lines = (line.partition(" #")[0].strip() for line in text.splitlines())
    wanted = [line for line in lines if line and not line.startswith("#")]
    options = {line.split("=")[0].split()[0]: line for line in wanted if line.startswith("-")}
    found = {match[1].lower(): match[2] for line in wanted if (match := _REQUIREMENT.fullmatch(line))}
    return found | options


def _cargo(text: str) -> dict[str, str]:
    read = tomllib.loads(text)
    tables = [read, _mapping(read.get("workspace")), *map(_mapping, _mapping(read.get("target")).values())]
    kinds = ("dependencies", "dev-dependencies", "build-dependencies", "patch")
    return {name: str(value) for t in tables for kind in kinds for name, value in _mapping(t.get(kind)).items()}


def _go(text: str) -> dict[str, str]:
    replaced = {line.split("=>")[0].strip(): line for line in text.splitlines() if "=>" in line}
    return dict(_GO.findall(text)) | replaced


def _maven(text: str) -> dict[str, str]:
    return {f"{group}:{artifact}": version for group, artifact, version in _MAVEN.findall(text)}


_READERS: dict[str, Callable[[str], dict[str, str]]] = {
    "package.json": _package_json,
    "pyproject.toml": _pyproject,
    "Cargo.toml": _cargo,
    "go.mod": _go,
    "pom.xml": _maven,
}


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return "an address that is none"


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _items(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _line_of(file: File, name: str) -> int:
    return next((number for number, text in (*file.added, *file.removed) if name.lower() in text.lower()), 0)
