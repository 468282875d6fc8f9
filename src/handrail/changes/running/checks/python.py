"""ruff, flake8, mypy and pyright, where the repository configures them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from handrail.changes.environments.model import command
from handrail.changes.environments.sources import Sources, folder_of, joined, strings, table
from handrail.changes.running.model import OUT, Call, Checker, Kind

_ROOTS = ("pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt")


def _configured(sources: Sources, tool: str, files: tuple[str, ...], section: str = "") -> Iterator[tuple[str, str]]:
    """Each folder that configures the tool, and by which file."""
    folders = dict.fromkeys(folder_of(path) for path in sources.named(*_ROOTS, *files))
    for folder in folders:
        own = [joined(folder, name) for name in files if sources.has(joined(folder, name))]
        manifest = joined(folder, "pyproject.toml")
        if table(sources.toml(manifest), "tool").get(tool) is not None:
            own.append(manifest)
        shared = [joined(folder, name) for name in ("setup.cfg", "tox.ini")]
        own += [path for path in shared if section and section in sources.ini(path)]
        if own:
            yield folder, own[0]


def _finder(tool: str, kind: Kind, files: tuple[str, ...], section: str = "") -> Callable[[Sources], list[Call]]:
    def find(sources: Sources) -> list[Call]:
        found: list[Call] = []
        for folder, why in _configured(sources, tool, files, section):
            if not any(folder == call.folder or folder.startswith(f"{call.folder}/".lstrip("/")) for call in found):
                found.append(Call(tool, kind, folder, command(*_program(sources, tool, folder)), why))
        return found

    return find


def _program(sources: Sources, tool: str, folder: str) -> tuple[str, ...]:
    if tool == "ruff":
        return "ruff", "check"
    if tool != "mypy":
        return (tool,)
    settings = table(sources.toml(joined(folder, "pyproject.toml")), "tool", "mypy")
    named = settings.get("files") or strings(settings, "packages") or strings(settings, "modules")
    inside = [sources.ini(joined(folder, name)).get("mypy", {}) for name in ("mypy.ini", ".mypy.ini", "setup.cfg")]
    if named or any("files" in each or "packages" in each for each in inside):
        return ("mypy",)
    # all folders together may hold several modules of one name, which it refuses
    has_sources = any(path.startswith(joined(folder, "src/")) and path.endswith(".py") for path in sources.paths)
    return "mypy", "src" if has_sources else "."


RUFF = Checker(
    *("ruff", "lint", _finder("ruff", "lint", ("ruff.toml", ".ruff.toml"))),
    ("--no-cache", "--output-format", "json", "--output-file", f"{OUT}/ruff.json"),
    (f"{OUT}/ruff.json",),
)
FLAKE8 = Checker("flake8", "lint", _finder("flake8", "lint", (".flake8",), "flake8"), ("--format=default",))
MYPY = Checker(
    *("mypy", "types", _finder("mypy", "types", ("mypy.ini", ".mypy.ini"), "mypy")),
    ("--no-pretty", "--no-color-output", "--show-error-codes", "--no-error-summary", "--cache-dir=/tmp/mypy"),
)
PYRIGHT = Checker("pyright", "types", _finder("pyright", "types", ("pyrightconfig.json",)), ("--outputjson",))
