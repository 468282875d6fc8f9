"""Every document keeps to the words of docs/writing.md, and its links lead somewhere."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from benchmarks.__main__ import page

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "writing.md"
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "src" / "handrail" / "codegraph" / "README.md",
    ROOT / "examples" / "scripts" / "README.md",
    ROOT / "tests" / "acceptance" / "attacks" / "README.md",
]
PROSE = re.compile(r"^( *)```.*?^\1```|`[^`\n]*`", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.M)


def _name(document: Path) -> str:
    return str(document.relative_to(ROOT))


def _prose(document: Path) -> str:
    """The document without its code, line for line."""
    return PROSE.sub(lambda code: "\n" * code[0].count("\n"), document.read_text("utf-8"))


@cache
def _anchors(document: Path) -> frozenset[str]:
    """The fragments that lead to its headings, as GitHub makes them."""
    kept = "".join
    return frozenset(
        kept(c for c in heading.lower() if c in "-_ " or unicodedata.category(c)[0] in "LN").replace(" ", "-")
        for heading in HEADING.findall(document.read_text("utf-8"))
    )


def _words() -> list[str]:
    last = GUIDE.read_text("utf-8").rpartition("\n10. ")[2]
    return re.findall(r"`([^`]+)`", last)


def test_the_guide_lists_words_to_avoid() -> None:
    assert {"anew", "shall", "told of"} <= set(_words())


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_no_document_uses_a_word_that_the_guide_rules_out(document: Path) -> None:
    ruled_out = re.compile(rf"\b(?:{'|'.join(map(re.escape, _words()))})\b", re.I)
    found = [
        f"{_name(document)}:{number}: {hit[0]}"
        for number, line in enumerate(_prose(document).splitlines(), 1)
        for hit in ruled_out.finditer(line)
    ]

    assert found == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    lost: list[str] = []
    for link in LINK.findall(_prose(document)):
        path, _, fragment = link.partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        target = (document.parent / path).resolve() if path else document
        if not target.exists() or (fragment and fragment not in _anchors(target)):
            lost.append(link)

    assert lost == []


def test_the_page_of_benchmarks_shows_the_figures_that_were_measured() -> None:
    figures = json.loads((ROOT / "benchmarks" / "results.json").read_text("utf-8"))

    assert (ROOT / "docs" / "benchmarks.md").read_text("utf-8") == page(figures)
