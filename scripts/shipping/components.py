"""The third-party components of a release: Python packages that it installs, JavaScript that its pages contain."""

from __future__ import annotations

import base64
import json
import platform
import re
from dataclasses import dataclass
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
OURS = ("handrail", "handrail-sdk")
# what packages say in words, by their SPDX names
SPOKEN = {
    "apache 2.0": "Apache-2.0",
    "bsd-3-clause, apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause",
    "lgpl-3.0-only": "LGPL-3.0-only",
    "gnu lesser general public license v3 (lgplv3)": "LGPL-3.0-only",
    "isc license (iscl)": "ISC",
    "mit": "MIT",
    "mit license": "MIT",
    "the mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "postgresql license": "PostgreSQL",
    "python software foundation license": "PSF-2.0",
}


@dataclass(frozen=True, slots=True)
class Component:
    purl: str
    name: str
    version: str
    licence: str
    needs: tuple[str, ...] = ()
    sha512: str | None = None


def python(what: str = "handrail[all]", machine: str = platform.machine()) -> list[Component]:
    """Everything that `pip install` of it installs on such a machine, as installed here."""
    found: dict[str, Component] = {}
    open_ = [_requirement(what)]
    seen: set[tuple[str, frozenset[str]]] = set()
    while open_:
        requirement = open_.pop()
        name = canonical(requirement.name)
        if (name, frozenset(requirement.extras)) in seen:
            continue
        seen.add((name, frozenset(requirement.extras)))
        installed = metadata.distribution(name)
        needs = [
            each for each in map(_requirement, installed.requires or ()) if _applies(each, requirement.extras, machine)
        ]
        open_ += needs
        known = found[name].needs if name in found else ()
        all_needs = {canonical(each.name) for each in needs} | set(known)
        found[name] = Component(
            f"pkg:pypi/{name}@{installed.version}",
            name,
            installed.version,
            _licence(installed),
            tuple(sorted(all_needs)),
        )
    return [found[name] for name in sorted(found) if name not in OURS]


def javascript() -> list[Component]:
    """What the pages may contain: all packages of the lock file that are not for development only."""
    lock: dict[str, Any] = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    found: dict[str, Component] = {}
    for path, entry in lock["packages"].items():
        if not path or entry.get("dev") or entry.get("optional"):
            continue
        name, version = path.rpartition("node_modules/")[2], entry["version"]
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        algorithm, _, digest = entry["integrity"].partition("-")
        sha512 = base64.b64decode(digest).hex() if algorithm == "sha512" else None
        found[purl] = Component(purl, name, version, entry["license"], sha512=sha512)
    return [found[purl] for purl in sorted(found)]


def npm_package() -> Component:
    """The SDK for TypeScript, which has no components of its own."""
    about: dict[str, Any] = json.loads((ROOT / "sdk" / "typescript" / "package.json").read_text(encoding="utf-8"))
    strange = {"dependencies", "peerDependencies", "optionalDependencies"} & about.keys()
    assert not strange, f"the npm package has {strange}, which the SBOM lacks"
    name, version = about["name"], about["version"]
    return Component(f"pkg:npm/{name}@{version}", name, version, about["license"])


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _requirement(text: str) -> Requirement:
    return Requirement(text)


def _applies(requirement: Requirement, extras: set[str], machine: str) -> bool:
    marker = requirement.marker
    return marker is None or any(
        marker.evaluate({"extra": extra, "platform_machine": machine}) for extra in ("", *extras)
    )


def _licence(installed: metadata.Distribution) -> str:
    """The SPDX expression; an empty text where the package states none that we know."""
    about = cast("Message", installed.metadata)
    if stated := about.get("License-Expression"):
        return stated
    classifiers = [text for text in about.get_all("Classifier") or () if text.startswith("License :: OSI Approved ::")]
    for spoken in (*(text.rpartition(" :: ")[2] for text in classifiers), about.get("License") or ""):
        if known := SPOKEN.get(spoken.strip().lower()):
            return known
    text = (about.get("License") or "").strip()
    if text.startswith("MIT License\n"):
        return "MIT"
    return text if re.fullmatch(r"[\w.+-]+( (OR|AND|WITH) [\w.+-]+)*", text) else ""
