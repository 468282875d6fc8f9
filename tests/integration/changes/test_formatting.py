"""Changed lines are formatted as the repository does it, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from benches import tree
from repositories import repository

from handrail.changes.environments.layers import Layer
from handrail.changes.environments.model import command
from handrail.changes.environments.sources import Sources
from handrail.changes.running.executing import Bench
from handrail.changes.running.formatting import find, formatted, is_safe, ranges_of

RUFF = "[tool.ruff.format]\n"
UGLY = "a = { 'x':1 }\n\n\ndef new( b ):\n    return b+1\n\n\nc = [ 1,2 ]\n\nd = ( 3 )\n"


async def test_only_the_changed_lines_are_formatted(tmp_path: Path, python: Layer, bench: Bench) -> None:
    files = {"pyproject.toml": RUFF, "src/a.py": UGLY, "notes.md": "*  a\n"}
    head = tree(tmp_path / "tree", files, python)
    changed = {"src/a.py": [(4, 5), (10, 10)], "notes.md": [(1, 1)], "gone.py": [(1, 1)]}
    found = await formatted(find(Sources(head.path)), head, changed, bench)
    wanted = UGLY.replace("def new( b ):\n    return b+1", "def new(b):\n    return b + 1").replace("( 3 )", "3")
    assert found == {"src/a.py": wanted.encode()}
    assert (head.path / "src/a.py").read_text() == UGLY, "in a copy"


async def test_without_a_formatter_that_is_installed_all_stays_as_it_is(tmp_path: Path, bench: Bench) -> None:
    head = tree(tmp_path / "tree", {"pyproject.toml": "[tool.black]\n", "a.py": UGLY})
    assert await formatted(find(Sources(head.path)), head, {"a.py": [(1, 1)]}, bench) == {}


@pytest.mark.parametrize(
    ("leaves", "taken"),
    [("a = (1)", True), ("a = 2", False), ("a = 1\\n\\n\\n\\n\\n\\nb = (2)", False)],
    ids=["the same", "something else", "elsewhere"],
)
async def test_what_means_something_else_or_is_elsewhere_is_not_taken(
    tmp_path: Path, bench: Bench, leaves: str, *, taken: bool
) -> None:
    """A formatter is the repository's own word too."""
    text = "a = 1\n\n\n\n\n\nb = 2\n"
    script = f"#!/bin/sh\nprintf '{leaves}\\n' | cat - /dev/null > a.py\n"
    if "b =" not in leaves:
        script = f"#!/bin/sh\nsed -i '1s/.*/{leaves}/' a.py\n"
    head = tree(tmp_path / "tree", {"pyproject.toml": "[tool.black]\n", "a.py": text, "bin/black": script})
    (head.path / "bin/black").chmod(0o755)
    [call] = find(Sources(head.path))
    own = replace(call, command=command("/workspace/bin/black"))
    assert bool(await formatted([own], head, {"a.py": [(1, 1)]}, bench)) is taken


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"pyproject.toml": "[tool.ruff]\nline-length = 100\n"}, []),
        ({"pyproject.toml": RUFF}, ["ruff format"]),
        ({"ruff.toml": "[format]\nindent-style = 'tab'\n"}, ["ruff format"]),
        ({"pyproject.toml": "[tool.black]\nline-length = 100\n"}, ["black"]),
        ({".pre-commit-config.yaml": "- id: ruff-format\n", "pyproject.toml": "[tool.black]\n"}, ["ruff format"]),
        ({"web/package.json": '{"prettier": {"semi": false}}'}, ["prettier"]),
        ({"web/.prettierrc.json": "{}", "web/package.json": "{}"}, ["prettier"]),
        ({"package.json": "{}"}, []),
    ],
)
def test_a_formatter_is_one_that_the_repository_configures(
    tmp_path: Path, files: dict[str, str], found: list[str]
) -> None:
    assert [call.tool for call in find(repository(tmp_path, files))] == found


@pytest.mark.parametrize(
    ("path", "before", "after", "same"),
    [
        ("a.ts", "f('a' , (b))", 'f("a", b);', True),
        ("a.ts", "const a = {b: 1}", "const a = {\n  b: 1,\n};", True),
        ("a.ts", "f(a => a)", "f((a) => a);", True),
        ("a.ts", "a * (b + c)", "a * b + c", False),
        ("a.ts", "f('a  b')", "f('a b')", False),
        ("a.tsx", "let a = <p>a   b</p>", "let a = (\n  <p>\n    a b\n  </p>\n);", True),
        ("a.js", "if (a) f()", "if (b) f();", False),
        ("a.css", "a{color:red}", "a {\n  color: red;\n}", True),
        ("a.css", "a{color:red}", "a {\n  color: blue;\n}", False),
    ],
)
def test_a_formatter_changes_no_more_than_how_code_looks(path: str, before: str, after: str, *, same: bool) -> None:
    assert is_safe(path, before, after) is same


def test_neighbouring_lines_are_one_range() -> None:
    assert ranges_of([7, 3, 4, 9, 8]) == [(3, 4), (7, 9)]
    assert ranges_of([]) == []
