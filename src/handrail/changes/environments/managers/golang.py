"""Go modules: downloading runs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from handrail.changes.environments.model import Environment, command, hosts_in, place
from handrail.changes.environments.sources import Sources, folder_of, joined

PROXY = ("https://proxy.golang.org/", "https://sum.golang.org/", "https://storage.googleapis.com/")


def find(sources: Sources) -> Iterator[Environment]:
    """One for each module."""
    for path in sources.named("go.mod"):
        yield _environment(sources, folder_of(path))


def _environment(sources: Sources, folder: str) -> Environment:
    paths = [joined(folder, name) for name in ("go.mod", "go.sum", "go.work", "go.work.sum")]
    files = {path: sources.data(path) for path in paths if sources.has(path)}
    locks = tuple(path for path in files if path.endswith(".sum"))
    modules = place("go", folder)
    vendored = sources.has(joined(folder, "vendor/modules.txt"))
    needs = not vendored and "require" in sources.text(joined(folder, "go.mod"))
    download = command("go", "mod", "download", GOMODCACHE=modules, GOFLAGS="-modcacherw", GOTOOLCHAIN="local")
    variables = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOCACHE": "/tmp/go-build"}  # noqa: S108
    if needs:
        variables["GOMODCACHE"] = modules
    commands, hosts = ((download,), hosts_in(PROXY)) if needs else ((), ())
    notes = ("Its dependencies are in vendor/.",) if vendored else ()
    return Environment("go", "go", folder, files, locks, commands, hosts, variables=variables, notes=notes)
