"""Formats changed lines, and only those, with the formatter that the repository has chosen: in the sandbox."""

from __future__ import annotations

import ast
import asyncio
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import partial
from itertools import pairwise

import tree_sitter

from handrail.changes.editing.errors import Refused
from handrail.changes.editing.grammars import parse
from handrail.changes.editing.trees import Folder
from handrail.changes.environments.model import command
from handrail.changes.environments.sources import Sources, folder_of, is_under, joined, table
from handrail.changes.folders import stoppable
from handrail.changes.running.executing import Bench, Tree, folders, laid_out
from handrail.changes.running.model import Call
from handrail.sandbox import Line

PYTHON = (".py", ".pyi")
WEB = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".css", ".scss", ".vue")
PRETTIER = (".prettierrc*", "prettier.config.*")
SUFFIXES = {"ruff format": PYTHON, "black": PYTHON, "prettier": WEB}
# that many lines belong to one statement at most, where a formatter goes beyond what was changed
NEAR = 3
_LOOSE = frozenset({"(", ")", ",", ";", "'", '"', "`"})
# of `(a) => a` and `a => a`, too
_WRAPPERS = frozenset({"parenthesized_expression", "formal_parameters", "required_parameter"})
_FLOWING = frozenset({"jsx_text", "comment"})
_SIGNS = re.compile(r"[^\s,;()'\"]")
SECONDS = 60.0

Ranges = Sequence[tuple[int, int]]
"""First and last line, counted from 1, in order."""


def find(sources: Sources) -> list[Call]:
    """The formatters that the repository configures, by folder; one for each language, ruff before Black."""
    found = [call for folder in _folders(sources) for call in _in(sources, folder)]
    return sorted(found, key=lambda call: -len(call.folder))


def _folders(sources: Sources) -> list[str]:
    named = sources.named("pyproject.toml", "ruff.toml", ".ruff.toml", "package.json", *PRETTIER)
    return ["", *(folder for folder in dict.fromkeys(map(folder_of, named)) if folder)]


def _in(sources: Sources, folder: str) -> Iterator[Call]:
    manifest = joined(folder, "pyproject.toml")
    tools = table(sources.toml(manifest), "tool")
    hooks = sources.text(".pre-commit-config.yaml") if not folder else ""
    own = [joined(folder, name) for name in ("ruff.toml", ".ruff.toml")]
    ruff = [path for path in own if "format" in sources.toml(path)]
    ruff += [manifest] if "format" in table(tools, "ruff") else []
    ruff += [".pre-commit-config.yaml"] if re.search(r"id:\s*ruff-format\b", hooks) else []
    black = [manifest] if tools.get("black") is not None else []
    black += [".pre-commit-config.yaml"] if re.search(r"id:\s*black\b", hooks) else []
    if ruff:
        yield Call("ruff format", "format", folder, command("ruff", "format", "--no-cache"), ruff[0])
    elif black:
        yield Call("black", "format", folder, command("black", "--quiet"), black[0])
    package = joined(folder, "package.json")
    prettier = [path for path in sources.named(*PRETTIER) if folder_of(path) == folder]
    prettier += [package] if "prettier" in sources.json(package) else []
    if prettier:
        yield Call("prettier", "format", folder, command("prettier", "--write", "--log-level=warn"), prettier[0])


async def formatted(calls: Sequence[Call], tree: Tree, changed: Mapping[str, Ranges], bench: Bench) -> dict[str, bytes]:
    """New contents of those of the changed files that their formatter writes otherwise, at the changed lines alone. A
    file stays as it is where no formatter is for it or installed, or where what it means would change."""
    jobs = [
        (call, path, ranges)
        for path, ranges in changed.items()
        if (call := next((each for each in calls if is_for(each, path)), None)) and ranges
    ]
    if not jobs:
        return {}
    before = await asyncio.to_thread(_texts, tree, [path for _, path, _ in jobs])
    known = [job for job in jobs if job[1] in before]
    lines = [line for call, path, ranges in known for line in _commands(call, path, ranges, before[path])]
    root = Call("format", "format", "", command("sh", "-c", "; ".join(lines)), "")
    limits = replace(bench.limits, seconds=SECONDS, cpu_seconds=int(SECONDS * bench.limits.cpus))
    with folders(bench.scratch) as parts:
        place = await stoppable(lambda stop: laid_out(root, tree, parts, stop))
        await bench.sandbox.run_in(place, root.command.arguments, limits, _nobody)
        after = await asyncio.to_thread(_texts, Tree(parts[0], ""), [*before])
    near = {path: _near(before[path], text, changed[path]) for path, text in after.items()}
    return {path: text.encode() for path, text in near.items() if is_safe(path, before[path], text)}


def is_for(call: Call, path: str) -> bool:
    return path.endswith(SUFFIXES[call.tool]) and is_under(path, call.folder)


async def _nobody(line: Line) -> None:
    """What a formatter prints is for nobody: the gates see what it leaves."""


def _texts(tree: Tree, paths: Sequence[str]) -> dict[str, str]:
    """Those that are text, with their own line endings."""
    folder = Folder(tree.path)
    found: dict[str, str] = {}
    for path in paths:
        try:
            file = folder.read(path)
            if file is not None:
                found[path] = file.data.decode()
        except (Refused, UnicodeDecodeError):
            continue
    return found


def _commands(call: Call, path: str, ranges: Ranges, text: str) -> Iterator[str]:
    """From the last range to the first, so that the lines above keep their numbers."""
    words, name = call.command.arguments, f"./{path}"
    starts = [0]
    for line in text.splitlines(keepends=True):
        # as JavaScript counts
        starts.append(starts[-1] + len(line.encode("utf-16-le")) // 2)
    if call.tool == "black":
        yield shlex.join((*words, *(f"--line-ranges={first}-{last}" for first, last in ranges), name))
        return
    for first, last in reversed(ranges):
        if call.tool == "ruff format":
            yield shlex.join((*words, f"--range={first}-{last + 1}", name))
        else:
            ends = (f"--range-start={starts[first - 1]}", f"--range-end={starts[min(last, len(starts) - 1)]}")
            yield shlex.join((*words, *ends, name))


def _near(before: str, after: str, ranges: Ranges) -> str:
    """What the formatter did at the changed lines. Prettier formats the whole of a statement, however long it is."""
    near = {line for first, last in ranges for line in range(first - NEAR, last + NEAR + 1)}
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    lines: list[str] = []
    for tag, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        is_near = tag == "equal" or near.issuperset(range(start + 1, max(end, start + 1) + 1))
        lines += new[first:last] if is_near else old[start:end]
    return "".join(lines)


def is_safe(path: str, before: str, after: str) -> bool:
    """Whether the two look different, and mean the same."""
    means = _python if path.endswith(PYTHON) else partial(_shape, path)
    return before != after and means(before) == means(after)


def _python(text: str) -> str | None:
    try:
        return ast.dump(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _shape(path: str, text: str) -> list[str]:
    """The code without what a formatter may add, leave out or write in another way: space, parentheses, commas and
    semicolons, quotation marks. Where no grammar knows the language, its signs."""
    root = parse(path, text.encode())
    if root is None:
        return _SIGNS.findall(text)
    found: list[str] = []
    nodes: list[tree_sitter.Node | str] = [root]
    while nodes:
        node = nodes.pop()
        if isinstance(node, str):
            found.append(node)
        elif node.type in _WRAPPERS:
            nodes += reversed(node.children)
        elif node.children:
            nodes += (")", *reversed(node.children), f"({node.type}")
        elif node.type not in _LOOSE:
            text = (node.text or b"").decode(errors="replace")
            found.append(text if node.type not in _FLOWING else " ".join(text.split()))
    return found


def ranges_of(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbouring lines as one range."""
    ordered = sorted(set(numbers))
    breaks = [number for number, after in pairwise(ordered) if after != number + 1]
    firsts = [*ordered[:1], *(after for number, after in pairwise(ordered) if after != number + 1)]
    return list(zip(firsts, [*breaks, *ordered[-1:]], strict=True))
