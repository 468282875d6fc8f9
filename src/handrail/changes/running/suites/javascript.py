"""Vitest, Jest and Mocha by name; any other `npm test` by what it prints in the Test Anything Protocol."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from handrail.changes.environments.model import command
from handrail.changes.environments.sources import Sources, folder_of, is_under, joined, table
from handrail.changes.results.suites.tap import Reader
from handrail.changes.running.model import INSIDE, OUT, Call, MarkedLines, Runner, Selection

_EMPTY = 'echo "Error: no test specified" && exit 1'
_WRAPPERS = frozenset({"npx", "nyc", "c8", "cross-env", "env", "--"})
_SHELL = re.compile(r"[|;<>`$()*?\[\]{}]|&(?!&)")
# it finds files by such patterns itself
_MOCHA = re.compile(r"[|;<>`$()]|&(?!&)")


def scripts(sources: Sources) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each package's folder, scripts and dependencies."""
    for path in sources.named("package.json"):
        package = sources.json(path)
        needed = {**table(package, "dependencies"), **table(package, "devDependencies")}
        yield folder_of(path), table(package, "scripts"), needed


def arguments(script: object, program: str) -> tuple[str, ...] | None:
    """What a script calls the program with; None where it does not, or where a shell would read the line otherwise."""
    if not isinstance(script, str):
        return None
    for part in script.split("&&"):
        try:
            words = shlex.split(part)
        except ValueError:
            return None
        while words and (words[0] in _WRAPPERS or re.fullmatch(r"[A-Z_][A-Z0-9_]*=\S*", words[0])):
            words.pop(0)
        if words and words[0].rpartition("/")[2] == program:
            unquoted = re.sub(r"'[^']*'|\"[^\"$`]*\"", "", part)
            read_by_shell = _MOCHA if program == "mocha" else _SHELL
            return None if read_by_shell.search(unquoted) else tuple(words[1:])
    return None


def runner_of(folder: str, script: object, needed: dict[str, Any], sources: Sources) -> tuple[str, tuple[str, ...]]:
    """The runner's name and what the repository calls it with; empty where it has none."""
    for name in ("vitest", "jest", "mocha"):
        given = arguments(script, name)
        if given is not None:
            return name, given
        configured = any(path.startswith(joined(folder, mark)) for path in sources.paths for mark in _MARKS[name])
        is_open = not isinstance(script, str) or script == _EMPTY or name in script
        if is_open and (configured or name in needed):
            return name, ()
    return ("npm test", ()) if isinstance(script, str) and script not in {"", _EMPTY} else ("", ())


_MARKS = {"vitest": ("vitest.config.",), "jest": ("jest.config.",), "mocha": (".mocharc.",)}
# of what scripts say: what watches files never ends, and another report is not ours
_LEFT_OUT = re.compile(r"^(run|watch|dev|-w|--watch.*|--reporters?=.*|--silent|--verbose)$")
_LEFT_OUT_WITH_VALUE = frozenset({"--reporter", "--reporters", "-R"})


def _kept(name: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """Mocha's `--ui` says how tests are written; that of Vitest opens a page."""
    pairs = zip(("", *given), given, strict=False)
    kept = (word for last, word in pairs if not ({last, word} & _LEFT_OUT_WITH_VALUE or _LEFT_OUT.match(word)))
    return tuple(word for word in kept if word != "--ui" or name == "mocha")


def _finder(name: str) -> Any:
    def find(sources: Sources) -> list[Call]:
        found: list[Call] = []
        for folder, known, needed in scripts(sources):
            chosen, given = runner_of(folder, known.get("test"), needed, sources)
            if chosen == name and not any(is_under(folder, call.folder) for call in found):
                given = _kept(name, given)
                program = {"npm test": ("npm", "test", "--silent"), "vitest": ("vitest", "run")}.get(name, (name,))
                why = f"{joined(folder, 'package.json')}"
                variables = {"NODE_OPTIONS": "--test-reporter=tap"} if name == "npm test" else {"CI": "true"}
                found.append(Call(name, "tests", folder, command(*program, *given), why, variables=variables))
        return found

    return find


def _by_file(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    """Files are the smallest part that every version can be told to run."""
    inside = [path for path in chosen.files if sources.has(path) and is_under(path, call.folder)]
    files = [path.removeprefix(call.folder).lstrip("/") for path in inside]
    files += [path for each in chosen.ids if sources.has(joined(call.folder, path := each.partition("::")[0]))]
    return call.adding(*dict.fromkeys(files)) if files else None


def _mocha_by_file(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    """Its files are added to those that are named already, so only a call without any can be narrowed down."""
    named = [word for word in call.command.arguments[1:] if not word.startswith("-") and ("/" in word or "*" in word)]
    return None if named else _by_file(call, chosen, sources)


def _whole(call: Call, chosen: Selection, sources: Sources) -> Call | None:
    return None


_LINES = f"{OUT}/coverage/coverage-final.json"


def _measured(call: Call, sources: Sources) -> Call | None:
    """Jest brings what it measures with; of Vitest it is a package of its own."""
    if call.tool == "jest":
        flags = ("--coverage", "--coverageReporters=json", f"--coverageDirectory={OUT}/coverage")
        return replace(call.adding(*flags), coverage=_LINES)
    package = sources.json(joined(call.folder, "package.json"))
    needed = {**table(package, "dependencies"), **table(package, "devDependencies")}
    if not any(name.startswith("@vitest/coverage-") for name in needed):
        return None
    flags = ("--coverage.enabled", "--coverage.reporter=json", f"--coverage.reportsDirectory={OUT}/coverage")
    return replace(call.adding(*flags), coverage=_LINES)


_REPORT = {name: f"{OUT}/{name}.json" for name in ("vitest", "jest", "mocha")}
VITEST = Runner(
    *("vitest", _finder("vitest"), _by_file, MarkedLines),
    ("--reporter=json", f"--reporter={INSIDE}/vitest.mjs", f"--outputFile.json={_REPORT['vitest']}"),
    (_REPORT["vitest"],),
    measure=_measured,
)
JEST = Runner(
    *("jest", _finder("jest"), _by_file, MarkedLines),
    ("--ci", "--json", f"--outputFile={_REPORT['jest']}", f"--reporters={INSIDE}/jest.cjs"),
    (_REPORT["jest"],),
    measure=_measured,
)
MOCHA = Runner(
    *("mocha", _finder("mocha"), _mocha_by_file, MarkedLines),
    ("--reporter", f"{INSIDE}/mocha.cjs"),
    (_REPORT["mocha"],),
)
NPM = Runner("npm test", _finder("npm test"), _whole, Reader)
