"""npm, pnpm and Yarn, without the scripts of packages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from handrail.changes.environments.model import TREE, Command, Environment, command, hosts_in
from handrail.changes.environments.sources import Sources, folder_of, is_under, joined, table

LOCKS = {"package-lock.json": "npm", "npm-shrinkwrap.json": "npm", "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn"}
SETTINGS = (".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", ".pnpmfile.cjs")
REGISTRIES = {"npm": ("https://registry.npmjs.org/",), "pnpm": ("https://registry.npmjs.org/",)}
YARN = ("https://registry.yarnpkg.com/", "https://registry.npmjs.org/", "https://repo.yarnpkg.com/")
_QUIET = ("--no-audit", "--no-fund", "--no-update-notifier")
_REGISTRY = re.compile(r"""(?:registry|npmRegistryServer)["']?\s*[=:]?\s*["']?(https://[^\s"']+)""")
_VERSION = re.compile(r"^(pnpm|yarn)@(\d+\.\d+\.\d+)(?:\+.*)?$")
_RESOLVED = re.compile(r"""(?:resolved"?|tarball)[:\s]\s*"?(https://[^\s"',}]+)""")


def find(sources: Sources) -> Iterator[Environment]:
    """One for each folder with a lock file, and for each package that no workspace above it has."""
    taken: list[str] = []
    for path in sources.named(*LOCKS, "package.json"):
        folder = folder_of(path)
        if folder in taken or not sources.has(joined(folder, "package.json")):
            continue
        lock = next((name for name in LOCKS if sources.has(joined(folder, name))), "")
        if not lock and any(is_under(folder, above) and _is_workspace(sources, above) for above in taken):
            continue
        taken.append(folder)
        yield _environment(sources, folder, lock)


def _environment(sources: Sources, folder: str, lock: str) -> Environment:
    package = sources.json(joined(folder, "package.json"))
    manager = LOCKS.get(lock) or _named(package)[0]
    notes: tuple[str, ...] = ()
    if not lock:
        notes = ("There is no lock file: today's versions are used, until package.json changes.",)
        if sources.has(joined(folder, "bun.lock")) or sources.has(joined(folder, "bun.lockb")):
            notes = ("bun.lock is Bun's, which Handrail does not run: its versions are not used.",)
    paths = [joined(folder, name) for name in (*LOCKS, *SETTINGS)]
    paths += (
        sources.under(folder, "package.json") if _is_workspace(sources, folder) else [joined(folder, "package.json")]
    )
    files = {path: sources.data(path) for path in paths if sources.has(path)}
    text = sources.text(joined(folder, lock)) if lock else ""
    files.update(_packed(sources, folder, text))
    named = _RESOLVED.findall(text)
    named += [found for name in SETTINGS for found in _REGISTRY.findall(sources.text(joined(folder, name)))]
    hosts = hosts_in([*REGISTRIES.get(manager, YARN), *named])
    programs = (f"{TREE}/{joined(folder, 'node_modules/.bin')}",)
    locks = (joined(folder, lock),) if lock else ()
    install = _install(manager, package, text, is_locked=bool(lock))
    return Environment(manager, "node", folder, files, locks, (install,), hosts, programs=programs, notes=notes)


def _install(manager: str, package: dict[str, Any], lock: str, *, is_locked: bool) -> Command:
    version = _named(package)[1]
    if manager == "pnpm":
        how = ("--frozen-lockfile",) if is_locked else ("--no-lockfile",)
        return command(
            "npx", "--yes", f"pnpm@{version or 10}", "install", "--ignore-scripts", "--ignore-pnpmfile", *how
        )
    if manager == "yarn" and (lock.startswith("# yarn lockfile v1") or "\n__metadata:" not in lock):
        how = ("--frozen-lockfile",) if is_locked else ("--no-lockfile",)
        fixed = ("--ignore-scripts", "--non-interactive", "--no-progress")
        return command("npx", "--yes", "yarn@1", "install", *fixed, *how, YARN_IGNORE_PATH="1")
    if manager == "yarn":
        # code that the repository brings as its own Yarn is not run, and packages lie where Node.js looks for them
        settings = {"YARN_IGNORE_PATH": "1", "YARN_ENABLE_SCRIPTS": "false", "YARN_NODE_LINKER": "node-modules"}
        return command("npx", "--yes", f"@yarnpkg/cli-dist@{version or 4}", "install", "--immutable", **settings)
    if is_locked:
        return command("npm", "ci", "--ignore-scripts", *_QUIET)
    return command("npm", "install", "--ignore-scripts", "--no-package-lock", *_QUIET)


def _named(package: dict[str, Any]) -> tuple[str, str]:
    """The manager and its version, by `packageManager`."""
    said = package.get("packageManager")
    found = _VERSION.match(said) if isinstance(said, str) else None
    return (found[1], found[2]) if found else ("npm", "")


def _is_workspace(sources: Sources, folder: str) -> bool:
    package = sources.json(joined(folder, "package.json"))
    return bool(package.get("workspaces")) or sources.has(joined(folder, "pnpm-workspace.yaml"))


def _packed(sources: Sources, folder: str, lock: str) -> dict[str, bytes]:
    """Packages that lie in the repository as archives, by the lock file or by package.json."""
    named = set(re.findall(r'"file:([^"]+\.t(?:ar\.)?gz)"', lock))
    for kind in ("dependencies", "devDependencies"):
        for said in table(sources.json(joined(folder, "package.json")), kind).values():
            if isinstance(said, str) and said.startswith("file:") and said.endswith((".tgz", ".tar.gz")):
                named.add(said.removeprefix("file:"))
    paths = [joined(folder, name.removeprefix("./")) for name in sorted(named)]
    return {path: sources.data(path) for path in paths if sources.has(path)}
