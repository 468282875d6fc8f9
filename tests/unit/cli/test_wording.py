"""How a hold reads."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from handrail.cli import wording

Json = dict[str, Any]
Holds = Callable[..., Json]

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(), "0 s"),
        (timedelta(seconds=59), "59 s"),
        (timedelta(seconds=60), "1 min"),
        (timedelta(seconds=99), "1 min 39 s"),
        (timedelta(minutes=59, seconds=59), "59 min"),
        (timedelta(hours=7, minutes=59, seconds=59), "7 h 59 min"),
        (timedelta(hours=8, seconds=59), "8 h"),
        (timedelta(hours=23, minutes=59), "23 h"),
        (timedelta(days=400), "400 d"),
    ],
)
def test_a_length_of_time_is_told_in_one_unit_or_two(length: timedelta, words: str):
    assert wording.span(length) == words


@pytest.mark.parametrize(
    ("expires_at", "on_expiry", "words"),
    [
        (None, "expire", "none"),
        ("2026-11-15T12:12:00Z", "expire", "expires in 12 min"),
        ("2026-11-15T12:12:00Z", "reject", "expires in 12 min, then rejected"),
        ("2026-11-15T11:59:00Z", "expire", "expiring now"),
    ],
)
def test_a_deadline_says_what_the_clock_will_do(hold: Holds, expires_at: str | None, on_expiry: str, words: str):
    assert wording.deadline(hold(expires_at=expires_at, on_expiry=on_expiry), NOON) == words


def _requirements(approvals: int, roles: list[str], required: list[list[str]]) -> Json:
    return {"approvals": approvals, "roles": roles, "required": required, "rejections": 1, "justification": False}


@pytest.mark.parametrize(
    ("requirements", "words"),
    [
        (_requirements(1, ["team_lead"], []), "team_lead"),
        (_requirements(1, ["tech_lead", "cto", "team_lead"], []), "cto, team_lead or tech_lead"),
        (_requirements(2, ["tech_lead", "cto"], [["tech_lead"], ["cto"]]), "tech_lead and cto (0 of 2)"),
        (_requirements(1, ["tech_lead", "cto"], [["tech_lead"], ["cto"]]), "tech_lead and cto (0 of 2)"),
        (
            _requirements(2, ["team_lead", "tech_lead", "cto"], [["tech_lead", "cto"]]),
            "2 of cto, team_lead, tech_lead, including cto or tech_lead (0 of 2)",
        ),
    ],
)
def test_who_must_say_yes(hold: Holds, requirements: Json, words: str):
    assert wording.needs(hold(requirements=requirements)) == words


def test_two_approvals_of_one_person_count_once(hold: Holds):
    review = {"by": {"id": "7", "name": "Mara", "kind": "person"}, "verdict": "approve"}

    assert "(1 of 2)" in wording.needs(hold(reviews=[review, review]))


def test_the_effect_is_made_of_the_action_and_not_of_the_claim(hold: Holds):
    said = wording.effect(hold(title="A harmless clean-up", description="Perfectly safe"))

    assert said == 'If approved, deploy-agent will run deploy on api-prod with version = "2.14".'


def test_a_long_argument_is_cut_visibly(hold: Holds):
    said = wording.effect(hold(action={"name": "post", "args": {"text": "x" * 500}, "target": None}))

    assert said.endswith("x….")
    assert len(said) < 120


@pytest.mark.parametrize("nasty", ["\x1b[2Jgone", "\x9b31m", "a\u202eb", "zero\u200bwidth", "bell\x07", "nul\x00"])
def test_text_of_others_cannot_speak_to_the_terminal(nasty: str):
    shown = wording.plain(nasty)

    assert len(shown) == len(nasty)
    assert shown.isprintable()


def test_text_in_any_script_stays_as_it_is():
    assert wording.plain("Löschen → 削除\n\tзавтра 🚀") == "Löschen → 削除\n\tзавтра 🚀"


def test_who_was_faster_is_named():
    data = {
        "outcome": "approved",
        "basis": "people",
        "decided_at": "2026-11-15T12:00:00Z",
        "decided_by": {"id": "7", "name": "Mara", "kind": "person"},
    }

    said = wording.problem({"code": "already_decided", "detail": "…", "data": data})

    assert said.startswith("Already approved by Mara ")


@pytest.mark.parametrize(
    ("basis", "by", "words"),
    [
        ("people", "Mara", "approved by Mara 4 s ago: fine"),
        (
            "people",
            wording.spoke({"by": {"name": "Ann"}, "on_behalf_of": {"name": "Bob"}}),
            "approved by Ann for Bob 4 s ago: fine",
        ),
        ("policy", None, "approved by policy 4 s ago: fine"),
        ("expiry", None, "approved 4 s ago: fine"),
    ],
)
def test_a_decision_says_who_and_when(basis: str, by: str | None, words: str):
    now = NOON + timedelta(seconds=4)

    assert wording.decided("approved", basis, by, NOON.isoformat(), "fine", now=now) == words
