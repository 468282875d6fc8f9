"""`go vet` and clippy, which come with their languages."""

from __future__ import annotations

from handrail.changes.environments.managers import golang, rust
from handrail.changes.environments.model import command
from handrail.changes.environments.sources import Sources
from handrail.changes.running.model import Call, Checker


def _find_vet(sources: Sources) -> list[Call]:
    return [
        Call("go vet", "lint", each.folder, command("go", "vet"), min(each.files), variables=each.variables)
        for each in golang.find(sources)
    ]


def _find_clippy(sources: Sources) -> list[Call]:
    run = command("cargo", "clippy", "--offline", "--all-targets")
    return [
        Call("clippy", "lint", each.folder, run, min(each.files), variables=each.variables)
        for each in rust.find(sources)
    ]


GO_VET = Checker("go vet", "lint", _find_vet, ("-json", "./..."))
CLIPPY = Checker("clippy", "lint", _find_clippy, ("--message-format", "json"))
