"""A decision pack reads well in a terminal: what is known in full, what is not in one line."""

from __future__ import annotations

from typing import Any

import pytest

from handrail.cli import packs


def part(name: str, content: Any = None, state: str = "ready", source: str = "policy") -> dict[str, Any]:
    return {"name": name, "source": source, "content": content, "state": state, "by": None}


def lines(*parts: dict[str, Any]) -> list[str]:
    return list(packs.lines({"parts": [*parts], "hash": "f" * 64, "words": 3}))


def test_what_is_not_known_takes_one_line() -> None:
    assert lines(
        part("precedents", state="nothing"),
        part("effect", "Deploy shop", source="action"),
        part("tests", state="nothing"),
    ) == [
        "What happens (from the action)",
        "  Deploy shop",
        "Nothing is known about: precedents, tests",
        "Pack ffffffffffff, 3 words",
    ]


def test_a_part_that_failed_says_so_in_its_place() -> None:
    assert lines(part("smaller", state="late"))[:2] == ["If it did less (from the policy)", "  not available in time"]


def test_evidence_is_listed_by_name() -> None:
    assert "  order, complaint" in lines(part("evidence", {"of": ["order", "complaint"]}, source="opener"))


def test_evidence_without_names_is_the_one_shown_with_the_hold() -> None:
    assert "  shown above" in lines(part("evidence", source="opener"))


def test_what_depends_on_the_target_is_a_sentence() -> None:
    content = {"target": "db", "used_by": ["api", "jobs"], "further": ["web"]}
    assert "  used by api, jobs; through them web" in lines(part("touches", content))


@pytest.mark.parametrize("claim", ["used_by", {"used_by": 3}, ["used_by"]])
def test_an_agent_may_claim_anything_about_what_it_touches(claim: Any) -> None:
    assert len(lines(part("touches", claim, source="opener"))) == 3
