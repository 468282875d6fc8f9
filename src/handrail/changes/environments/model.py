"""What an environment is, as data that people can be shown before anything is run."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Family = Literal["python", "node", "jvm", "dotnet", "go", "rust", "custom"]
# where the sandbox has the repository, and what was prepared for it
TREE = "/workspace"
DEPENDENCIES = "/deps"
# changes with what a layer of the same description would hold
_FORM = 1
_HOST = re.compile(r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[0-9]{1,5})?$")


@dataclass(frozen=True, slots=True)
class Command:
    """An argument list. One that runs a shell says so, and people see it."""

    arguments: tuple[str, ...]
    is_shell: bool = False

    def __str__(self) -> str:
        """For messages: without the variables that are set first."""
        words = list(self.arguments)
        while words and (words[0] == "env" or re.match(r"^[A-Za-z_][A-Za-z0-9_]*=", words[0])):
            words.pop(0)
        return " ".join(words)

    def as_data(self) -> dict[str, Any]:
        return {"arguments": list(self.arguments), "shell": self.is_shell}


def command(*arguments: str, **variables: str) -> Command:
    """With these environment variables, which the sandbox does not pass on by itself."""
    set_first = ("env", *(f"{name}={value}" for name, value in sorted(variables.items()))) if variables else ()
    return Command((*set_first, *arguments))


@dataclass(frozen=True)
class Environment:
    """What one package manager sets up for one folder."""

    manager: str
    family: Family
    folder: str
    """Relative to the repository; empty for its root."""
    files: Mapping[str, bytes] = field(repr=False)
    """Manifests and lock files, as the manager gets them: nothing else of the repository is there while it prepares."""
    locks: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    hosts: tuple[str, ...] = ()
    """What the network is opened to while preparing; none where nothing is needed."""
    runs_code: bool = False
    """Whether preparing runs code of packages or of the repository, by scripts, plugins or builds."""
    programs: tuple[str, ...] = ()
    """Folders of programs that come with it, for what runs in it later."""
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    """For what runs in it later."""
    notes: tuple[str, ...] = ()
    platform: str = ""
    """What packages are made for, where that is not the same everywhere."""

    @property
    def place(self) -> str:
        """Where the sandbox has what was prepared."""
        return place(self.family, self.folder)

    @property
    def hash(self) -> str:
        """The same for all trees that need the same; another wherever something else would be prepared."""
        said: list[Any] = [_FORM, self.manager, self.folder, self.platform, [each.as_data() for each in self.commands]]
        said.append([[path, hashlib.sha256(data).hexdigest()] for path, data in sorted(self.files.items())])
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()

    def as_data(self) -> dict[str, Any]:
        return {
            "manager": self.manager,
            "folder": self.folder,
            "files": sorted(self.files),
            "locks": list(self.locks),
            "commands": [each.as_data() for each in self.commands],
            "hosts": list(self.hosts),
            "runs_code": self.runs_code,
            "hash": self.hash,
            "notes": list(self.notes),
        }


def place(family: Family, folder: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", folder.lower()).strip("-")
    known = hashlib.sha256(folder.encode()).hexdigest()[:6]
    return f"{DEPENDENCIES}/{family}" + (f"-{slug[:40]}-{known}" if folder else "")


def hosts_in(addresses: Iterable[str]) -> tuple[str, ...]:
    """The hosts of addresses that are reached by TLS, sorted; addresses of any other kind are left out."""
    found: set[str] = set()
    for address in addresses:
        scheme, _, rest = address.partition("://")
        host = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2].lower().removesuffix(":443")
        if scheme.removeprefix("git+") in {"https", "sparse+https", "registry+https"} and _HOST.match(host):
            found.add(host)
    return tuple(sorted(found))
