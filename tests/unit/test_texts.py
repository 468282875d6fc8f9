"""What the product says has none of the words that read as translated; docs/writing.md says which and why."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
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


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def said(file: Path) -> Iterator[str]:
    """The strings of a module; a docstring is for those who read the code."""
    nodes = list(ast.walk(parsed(file)))
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
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


# what a message that says something has one of: a form of to be, to have or a modal, or what is done or to be done
VERBS = re.compile(
    r"\b(is|are|was|were|be|has|have|had|can|cannot|could|must|may|should|will|would|does|do|did|need|needs|needed"
    r"|accepts?|allows?|answers?|answered|appears|calls|counts?|proves?|asks?|begin|belongs|changes?|choose|contains|defines|ended|ends|exists"
    r"|expands|failed|fits|follows?|forbids|gives?|goes|holds?|indents|lacks|leads|lists|looks|made|makes?|manage|matches|names?|opens?"
    r"|comes?|points|vouches|ran|reached|read|reads|refers|refused|repeats|returned|returns|says?|send|sends|sent|serves|set|shares|sign|signs|speaks|start|stopped"
    r"|takes?|took|try|usage|use|used|wait|waits|write|writes|wants)\b",
    re.IGNORECASE,
)


def messages(file: Path) -> Iterator[str]:
    """What a module raises for people to read. What Python has by itself, or a module alone, is caught on the way."""
    tree = parsed(file)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
            continue
        kind = ast.unparse(node.exc.func)
        if hasattr(builtins, kind) or kind.startswith("_"):
            continue
        for given in node.exc.args[:2]:
            text = written(given)
            if " " in re.sub(r"\{.*?\}", "", text).strip(" :`"):
                yield text


def written(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(written(part) or "{…}" for part in parts)
        case _:
            return ""


def test_messages_are_sentences() -> None:
    fragments = {
        f"{file.relative_to(ROOT)}: {text}" for file in PYTHON for text in messages(file) if not VERBS.search(text)
    }
    assert fragments == set()


@pytest.mark.parametrize(
    "text", ["nothing with the id 'x' in the graph", "not a usable schema", "items without a decision"]
)
def test_a_fragment_is_found(text: str) -> None:
    assert not VERBS.search(text)
