"""The sizes in docs/scaling.md follow from the costs that stand there."""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "scaling.md").read_text("utf-8")
ROWS = [
    [float(cell.replace(",", "").removesuffix(" GiB")) for cell in line.split(" | ")[:6]]
    for line in re.findall(r"^\| ([\d,]+ \| [\d,]+ \| .*) \|$", PAGE, re.M)
]
CALL_EVERY_SECONDS, BUSIEST, USED, HELD = 1_000, 3, 0.6, 1 / 25


def _costs(row: str) -> list[float]:
    [found] = re.findall(rf"^\| {row}[^|]*\|(.*)\|$", PAGE, re.M)
    return [float(cell.removesuffix(" KiB ")) for cell in found.split("|")]


def test_the_page_has_sizes_up_to_a_million_agents() -> None:
    assert [row[0] for row in ROWS] == [1_000, 10_000, 50_000, 100_000, 300_000, 1_000_000]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]:.0f}")
def test_sizes_follow_from_costs(row: list[float]) -> None:
    agents, calls, api_cores, database_cores, processes, gib_per_day = row
    api, _, database, _ = _costs("low call, 16 at a time")
    low, held = _costs("low call, one at a time")[3], _costs("held call, one at a time")[3]
    # one that is held costs twice as much
    busy = calls * (1 + HELD) / 1000 / USED
    per_day = agents * 86_400 / CALL_EVERY_SECONDS * (low * (1 - HELD) + held * HELD) / 2**20

    assert calls == agents / CALL_EVERY_SECONDS * BUSIEST
    assert (api_cores, database_cores) == (ceil(busy * api), ceil(busy * database))
    assert processes == api_cores
    assert gib_per_day == pytest.approx(per_day, rel=0.05)
