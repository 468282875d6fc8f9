"""The matrix of agents: each test that it names exists, and docs/agents.md is what it says."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from scripts import agents
from scripts.agents import CASES, MATRIX, Impossible, Row, missing, page, parameters

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("row", MATRIX, ids=lambda row: row.agent)
def test_every_case_has_a_test_that_exists_or_a_reason(row: Row) -> None:
    assert len(row.cells) == len(CASES)
    for cell in (*row.cells, *row.more):
        if isinstance(cell, Impossible):
            assert len(cell.reason.split()) > 5
            continue
        file, name = row.test(cell)
        assert name in parameters(file), f"{file} has no {name}"


def test_the_page_is_not_made_if_a_test_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing() == []
    monkeypatch.setattr(agents, "MATRIX", (replace(MATRIX[0], more=("test_of_nothing",)),))
    assert missing() == ["adapters/test_coding_agents.py::test_of_nothing"]


def test_every_page_of_a_framework_is_in_the_matrix_and_in_its_overview() -> None:
    pages = {f"frameworks/{file.name}" for file in (ROOT / "docs" / "frameworks").glob("*.md")} - {
        "frameworks/README.md"
    }
    overview = (ROOT / "docs" / "frameworks" / "README.md").read_text("utf-8")
    assert {row.page for row in MATRIX if row.page.startswith("frameworks/")} <= pages
    assert {page for page in pages if f"({page.removeprefix('frameworks/')})" not in overview} == set()


def test_the_page_is_fresh() -> None:
    written = (ROOT / "docs" / "agents.md").read_text("utf-8")
    assert written == page(), "run `make schema`"


@pytest.mark.parametrize("way", ["handrail hook install", "handrail mcp wrap", "@gate("])
def test_the_readme_shows_three_ways_in_each_in_under_ten_lines(way: str) -> None:
    blocks = re.findall(r"^```\w*\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    [block] = [block for block in blocks if way in block]
    assert len(block.splitlines()) < 10
