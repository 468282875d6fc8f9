"""ESLint and the TypeScript compiler, where the repository configures them."""

from __future__ import annotations

import re

from handrail.changes.environments.model import command
from handrail.changes.environments.sources import Sources, folder_of, is_under, joined
from handrail.changes.running.model import OUT, Call, Checker
from handrail.changes.running.suites.javascript import arguments, scripts

_ESLINT = ("eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", ".eslintrc*")
# what mends or shortens is left out of the arguments that a script gives
_LEFT_OUT = re.compile(r"^(--fix|--quiet|--cache|--max-warnings(=.*)?|-f|--format(=.*)?|\d+|stylish|compact)$")


def _find_eslint(sources: Sources) -> list[Call]:
    configured = {folder_of(path): path for path in reversed(sources.named(*_ESLINT))}
    found: list[Call] = []
    for folder, known, _ in scripts(sources):
        if "eslintConfig" in sources.json(joined(folder, "package.json")):
            configured.setdefault(folder, joined(folder, "package.json"))
        if folder in configured and not any(is_under(folder, call.folder) for call in found):
            given = arguments(known.get("lint"), "eslint") or ()
            words = tuple(word for word in given if not _LEFT_OUT.match(word)) or (".",)
            found.append(Call("eslint", "lint", folder, command("eslint", *words), configured[folder]))
    return found


def _find_tsc(sources: Sources) -> list[Call]:
    found: list[Call] = []
    for path in sources.named("tsconfig.json"):
        folder = folder_of(path)
        if not any(is_under(folder, call.folder) for call in found):
            built = ("--build",) if re.search(r'"references"\s*:', sources.text(path)) else ("--project", ".")
            found.append(Call("tsc", "types", folder, command("tsc", *built), path))
    return found


ESLINT = Checker(
    *("eslint", "lint", _find_eslint),
    ("--format", "json", "--output-file", f"{OUT}/eslint.json"),
    (f"{OUT}/eslint.json",),
)
TSC = Checker("tsc", "types", _find_tsc, ("--noEmit", "--pretty", "false"))
