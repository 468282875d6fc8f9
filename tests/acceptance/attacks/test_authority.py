"""Attacks on authority: whoever may not decide tries to, by every way in."""

from __future__ import annotations

import pytest
from attacks_world import HIGH, MEDIUM, Cast, Member

WRONG = ("agent", "rival", "service", "developer", "auditor", "administrator", "nobody", "gone", "security_team")


def of(cast: Cast, name: str) -> Member:
    return getattr(cast, name)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_caller_decides_nothing_by_review(cast: Cast, name: str) -> None:
    hold = cast.agent.open(HIGH)
    for verdict in ("approve", "reject"):
        said = of(cast, name).review(hold, verdict)
        assert said.status_code in (401, 403, 404), said.text
    assert (cast.hold(hold)["status"], cast.hold(hold)["reviews"]) == ("pending", [])


def test_who_opened_a_hold_does_not_decide_it(cast: Cast) -> None:
    hold = cast.team_lead.open(MEDIUM)
    said = cast.team_lead.review(hold)
    assert (said.status_code, said.json()["code"]) == (403, "own_request")
    assert cast.hold(hold)["status"] == "pending"
