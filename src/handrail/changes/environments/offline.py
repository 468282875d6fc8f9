"""Machines without internet: packages come from a folder that the operator has filled, and no network is opened."""

from __future__ import annotations

from dataclasses import replace

from handrail.changes.environments.errors import PreparationFailed
from handrail.changes.environments.model import TREE, Command, Environment
from handrail.changes.environments.sources import joined

INSIDE = "/opt/packages"
# `wheels` for all of Python, npm's own cache, and for the others what they have downloaded elsewhere, as it is
WHEELS, CACHE = "wheels", "npm"
COPIED = {"go": "go", "cargo": "cargo", "Maven": "maven", "Gradle": "gradle", "dotnet": "nuget"}
_EXPORTED = "requirements.handrail.txt"


def offline(environment: Environment) -> Environment:
    """The same from the operator's folder. Raises PreparationFailed for a manager that cannot do without a network."""
    if environment.manager in {"pip", "poetry", "uv"}:
        commands = tuple(_wheels(environment))
    elif environment.manager == "npm":
        # npm writes into its cache, and the operator's is read-only
        copied = Command(("cp", "-r", f"{INSIDE}/{CACHE}", f"{TREE}/.npm"))
        cached = ("--offline", "--cache", f"{TREE}/.npm")
        commands = (copied, *(_with(each, *cached) for each in environment.commands))
    elif environment.manager in COPIED:
        source = f"{INSIDE}/{COPIED[environment.manager]}/."
        copied = Command(("cp", "-r", source, environment.place))
        commands = (copied,) if environment.commands else ()
    elif environment.manager == "custom":
        commands = environment.commands
    else:
        raise PreparationFailed(
            f"{environment.manager} cannot install without a network. Say in .handrail/change.toml how to set up "
            f"{environment.folder or 'the repository'} from {INSIDE}, which is the operator's folder of packages."
        )
    return replace(environment, commands=commands, hosts=())


def _wheels(environment: Environment) -> list[Command]:
    """uv's lock file names addresses: its versions are written down as requirements first."""
    found: list[Command] = []
    only = ("--no-index", "--find-links", f"{INSIDE}/{WHEELS}")
    for each in environment.commands:
        if "sync" not in each.arguments:
            found.append(_with(each, *only) if "install" in each.arguments else each)
            continue
        at = each.arguments.index("sync")
        chosen = [word for word in each.arguments[at + 1 :] if word not in {"--no-install-workspace", "--no-build"}]
        export = ("export", "--quiet", "--no-emit-workspace", "--no-hashes", "--output-file", _EXPORTED, *chosen)
        found.append(Command((*each.arguments[:at], *export)))
        python = ("--python", f"{environment.place}/bin/python", "--only-binary", ":all:")
        wanted = ("-r", f"{TREE}/{joined(environment.folder, _EXPORTED)}")
        found.append(Command((*each.arguments[:at], "pip", "install", *python, *only, *wanted)))
    return found


def _with(command: Command, *arguments: str) -> Command:
    return replace(command, arguments=(*command.arguments, *arguments))
