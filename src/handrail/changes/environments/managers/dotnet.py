"""NuGet packages of .NET solutions and projects. MSBuild evaluates project files, so preparing runs code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handrail.changes.environments.model import Environment, command, hosts_in, place
from handrail.changes.environments.sources import Sources, folder_of, is_under

PROJECTS = ("*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj")
SETTINGS = ("*.props", "*.targets", "global.json", "packages.lock.json", "[Nn]u[Gg]et.[Cc]onfig")
_SOURCE = re.compile(r'value="(https://[^"]+)"')


def find(sources: Sources) -> Iterator[Environment]:
    """One for each solution, and for each project outside of one."""
    tops: list[str] = []
    for path in sources.named(*PROJECTS):
        folder = folder_of(path)
        if not any(is_under(folder, above) for above in tops):
            tops.append(folder)
            yield _environment(sources, folder)


def _environment(sources: Sources, folder: str) -> Environment:
    files = {path: sources.data(path) for path in sources.under(folder, *PROJECTS, *SETTINGS)}
    locks = tuple(path for path in files if path.endswith("packages.lock.json"))
    packages = place("dotnet", folder)
    quiet = {"DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_NOLOGO": "1"}
    restore = command("dotnet", "restore", *(("--locked-mode",) if locks else ()), "--packages", packages, **quiet)
    named = [
        each
        for path, data in files.items()
        if path.lower().endswith(".config")
        for each in _SOURCE.findall(data.decode(errors="replace"))
    ]
    hosts = hosts_in(["https://api.nuget.org/", *named])
    variables = {"NUGET_PACKAGES": packages, **quiet}
    return Environment("dotnet", "dotnet", folder, files, locks, (restore,), hosts, runs_code=True, variables=variables)
