"""Runs one tool over a copy of a tree, in the sandbox, and reads its results. What is no result is a fault."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import stat
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkdtemp
from threading import Event

import pathspec

from handrail.changes.editing.errors import Refused
from handrail.changes.editing.trees import Folder
from handrail.changes.environments.layers import Layer
from handrail.changes.environments.model import TREE
from handrail.changes.environments.sources import Sources, joined
from handrail.changes.folders import remove, stoppable
from handrail.changes.results.model import Output, Report
from handrail.changes.results.parsers import parse
from handrail.changes.running import projects
from handrail.changes.running.hearing import Hearing, Tell, nobody, without_secrets
from handrail.changes.running.model import INSIDE, MARK, OUT, Call, Silent
from handrail.changes.running.suites.python import PLUGINS
from handrail.changes.running.tools import RUNNERS
from handrail.core.sizes import MIB
from handrail.sandbox import Bind, Ending, Limits, Place, Result, Sandbox
from handrail.sandbox.places import share

TIMEOUT = 300.0
LIMITS = Limits(
    cpus=2, memory=4096 * MIB, processes=512, open_files=4096, disk=1024 * MIB, file_size=256 * MIB, output=16 * MIB
)
# a report by itself, and how many there may be
MAX_REPORT, MAX_REPORTS = 100 * MIB, 5_000
_HERE = Path(__file__).parent / "inside"
_PYTHON = frozenset({"pytest", "unittest", "mypy", "pyright"})
# what these write into a file is what `results` expects on standard output
_PRINTED = frozenset({"mocha", "ruff", "eslint"})
_MARKED = re.compile(MARK.encode() + rb"[^\n]*\n?")
_NOT_INSTALLED = 127
_ENDINGS: Mapping[Ending, str] = {
    "cpu": "It used more processor time than it may.",
    "memory": "It used more memory than it may.",
    "file_size": "It wrote a larger file than it may.",
    "disk": "It wrote more than it may.",
    "killed": "It was killed.",
}


@dataclass(frozen=True, slots=True)
class Bench:
    """`scratch` is a private folder for copies of trees: a suite that writes into its tree changes nothing else."""

    sandbox: Sandbox
    scratch: Path
    timeout: float = TIMEOUT
    limits: Limits = LIMITS


@dataclass(frozen=True, slots=True)
class Tree:
    """`hash` stands for its content: results are kept by it."""

    path: Path
    hash: str
    layers: tuple[Layer, ...] = ()


@dataclass(frozen=True, slots=True)
class Ran:
    report: Report
    output: str = ""
    """What was printed, as much as people read, without secrets."""
    seconds: float = 0.0
    coverage: bytes = b""
    """What it wrote of the lines that were run, where it was asked to."""


async def run(call: Call, tree: Tree, bench: Bench, tell: Tell = nobody, side: str = "head") -> Ran:
    """What came of the call, which is `whole` or `narrowed`. Cancelling it ends everything at once."""
    stream = RUNNERS[call.tool].stream() if call.kind == "tests" else Silent()
    hearing = Hearing(call, stream, side, tell)
    await hearing.tell("began", command=call.command.as_data())
    seconds = call.timeout or bench.timeout
    limits = replace(bench.limits, seconds=seconds, cpu_seconds=int(seconds * bench.limits.cpus) + 1)
    began = time.monotonic()
    with folders(bench.scratch) as (work, out, own, site):
        place = await stoppable(lambda stop: laid_out(call, tree, (work, out, own, site), stop))
        result = await bench.sandbox.run_in(place, call.command.arguments, limits, hearing.hear)
        report = await asyncio.to_thread(_report, call, result, seconds, hearing, work, out)
        lines = await asyncio.to_thread(_coverage, call, out)
    report = without_secrets(report)
    counted = {"tests": len(report.tests), "broken": len(report.broken), "findings": len(report.findings)}
    await hearing.tell("ended", **counted, fault=report.fault, output=hearing.output)
    return Ran(report, hearing.output, time.monotonic() - began, lines)


@contextmanager
def folders(scratch: Path) -> Generator[tuple[Path, Path, Path, Path]]:
    """For the tree, its reports, our own files, and what stands for the installed project."""
    scratch.mkdir(parents=True, exist_ok=True)
    folder = Path(mkdtemp(prefix="run-", dir=scratch))
    try:
        parts = tuple(folder / name for name in ("tree", "out", "own", "site"))
        for part in parts:
            part.mkdir()
        yield parts[0], parts[1], parts[2], parts[3]
    finally:
        remove(folder)


def sweep(scratch: Path, seconds: float) -> None:
    """Removes copies that are older: workers that were killed have left them."""
    for folder in scratch.glob("run-*"):
        if folder.lstat().st_mtime < time.time() - seconds:
            remove(folder)


def laid_out(call: Call, tree: Tree, folders: tuple[Path, Path, Path, Path], stop: Event) -> Place:
    work, out, own, site = folders
    _copy(tree.path, work, stop)
    # a report that the tree brings along is not one of this run
    for path in _matching(Folder(work), call.folder, call.reports):
        (work / path).unlink()
    shutil.copytree(_HERE, own, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    variables = {name: value for layer in tree.layers for name, value in layer.environment.variables.items()}
    if call.tool in _PYTHON:
        sources = Sources(tree.path)
        for path, content in projects.metadata(sources, call.folder).items():
            (site / path).parent.mkdir(exist_ok=True)
            (site / path).write_bytes(content)
        paths = (PLUGINS, projects.SITE, *projects.import_paths(sources, call.folder))
        variables["PYTHONPATH"] = ":".join(paths)
    for folder in (own, site):
        share(folder)
    binds = [
        Bind(work, TREE, writable=True),
        Bind(out, OUT, writable=True),
        Bind(own, INSIDE),
        Bind(site, projects.SITE),
    ]
    binds += [bind for layer in tree.layers for bind in layer.binds]
    for number, place in enumerate(each for layer in tree.layers for each in layer.written):
        scratch = work.parent / f"written-{number}"
        scratch.mkdir()
        binds.append(Bind(scratch, f"{TREE}/{place}", writable=True))
    programs = tuple(each for layer in tree.layers for each in layer.environment.programs)
    return Place(tuple(binds), f"{TREE}/{call.folder}".rstrip("/"), {**variables, **call.variables}, programs)


def _copy(source: Path, target: Path, stop: Event) -> None:
    """Files, folders and links as such, without git's own: in the sandbox it leads nowhere."""
    for folder, names, files in os.walk(source):
        if stop.is_set():
            return
        here = target / Path(folder).relative_to(source)
        names[:] = [name for name in names if name != ".git"]
        links = [name for name in names if (Path(folder) / name).is_symlink()]
        for name in names:
            if name not in links:
                (here / name).mkdir()
        for name in (*files, *links):
            path = Path(folder) / name
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                (here / name).symlink_to(path.readlink())
            elif stat.S_ISREG(mode) and name != ".git":
                shutil.copy(path, here / name, follow_symlinks=False)


def _report(call: Call, result: Result, seconds: float, hearing: Hearing, work: Path, out: Path) -> Report:
    fault = _fault(call, result, seconds)
    if fault:
        return Report(call.tool, tuple(hearing.tests), fault=fault)
    try:
        files = _reports(call, work, out)
    except (Refused, OSError) as error:
        return Report(call.tool, fault=f"Its report cannot be read: {error}")
    printed, complained = (_MARKED.sub(b"", each) for each in (result.stdout, result.stderr))
    if call.tool in _PRINTED and files:
        printed, files = next(iter(files.values())), {}
    root = f"{TREE}/{call.folder}".rstrip("/")
    return _placed(call, parse(call.tool, Output(result.exit_code, printed, complained, files, root)))


def _coverage(call: Call, out: Path) -> bytes:
    if not call.coverage:
        return b""
    try:
        file = Folder(out, MAX_REPORT).read(call.coverage.removeprefix(f"{OUT}/"))
    except (Refused, OSError):
        return b""
    return file.data if file else b""


def _fault(call: Call, result: Result, seconds: float) -> str:
    program = next((word for word in call.command.arguments if "=" not in word and word != "env"), "")
    if result.ending == "time":
        return f"It was stopped after {seconds:g} s, which is as long as it may take."
    if result.ending != "exited":
        return _ENDINGS[result.ending]
    if result.exit_code == _NOT_INSTALLED:
        return f"{program} is not installed, neither in the sandbox nor by what was prepared for this repository."
    if result.lost and not call.reports:
        return f"It printed {result.lost} bytes more than can be read, so its results are not whole."
    return ""


def _placed(call: Call, report: Report) -> Report:
    """Findings by their path in the repository, not in the folder that the tool ran in."""
    if not call.folder:
        return report
    inside = (replace(each, path=joined(call.folder, each.path)) if each.path else each for each in report.findings)
    return replace(report, findings=tuple(inside))


def _reports(call: Call, work: Path, out: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    outside = tuple(pattern for pattern in call.reports if pattern.startswith(f"{OUT}/"))
    inside = tuple(pattern for pattern in call.reports if not pattern.startswith(f"{OUT}/"))
    patterns = ((out, "", tuple(each.removeprefix(f"{OUT}/") for each in outside)), (work, call.folder, inside))
    for root, folder, chosen in patterns:
        tree = Folder(root, MAX_REPORT)
        for path in _matching(tree, folder, chosen)[:MAX_REPORTS]:
            file = tree.read(path)
            if file:
                found[path] = file.data
    return found


def _matching(tree: Folder, folder: str, patterns: tuple[str, ...]) -> list[str]:
    chosen = [f"/{joined(folder, pattern)}" for pattern in patterns if not pattern.startswith(f"{OUT}/")]
    if not chosen:
        return []
    spec = pathspec.GitIgnoreSpec.from_lines(chosen)
    return [path for path in tree.files() if spec.match_file(path)]
