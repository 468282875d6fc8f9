"""What the product says has none of the words that read as translated; docs/writing.md says which and why."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ODD = re.compile(
    r"\b(shall|anew|told of|tells? of|goes? on with|to go on|who asked cannot|among them|look whether"
    r"|is no (address|question|repository)|has not:|waits for no)\b",
    re.IGNORECASE,
)
PYTHON = [*(ROOT / "src/handrail").rglob("*.py"), *(ROOT / "sdk/python/src").rglob("*.py")]
# JSX has its texts between tags and in attributes: comments are what is left out
PAGES = [file for file in (ROOT / "web/src").rglob("*.ts*") if ".test." not in file.name and ".gen." not in file.name]


def said(file: Path) -> Iterator[str]:
    """The strings of a module; a docstring is for those who read the code."""
    tree = ast.parse(file.read_text())
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


def shown(file: Path) -> Iterator[str]:
    text = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", file.read_text(), flags=re.DOTALL)
    yield from text.splitlines()


def test_messages_and_commands_read_as_english() -> None:
    odd = {f"{file.relative_to(ROOT)}: {text}" for file in PYTHON for text in said(file) if ODD.search(text)}
    assert odd == set()


def test_pages_read_as_english() -> None:
    odd = {f"{file.relative_to(ROOT)}: {text.strip()}" for file in PAGES for text in shown(file) if ODD.search(text)}
    assert odd == set()


@pytest.mark.parametrize("text", ["What shall it do?", "no worker has told of any", "2 of a, b; among them a"])
def test_the_odd_words_are_found(text: str) -> None:
    assert ODD.search(text)
