"""Attacks on what looks back: over a person's shoulder, and by an agent that earns itself a rule."""

from __future__ import annotations

from attacks_world import MEDIUM, Cast, joined

OFTEN = 12


def test_only_auditors_look_over_a_persons_shoulder(cast: Cast) -> None:
    about = f"/api/fatigue?person={cast.tech_lead.id}"
    for who in (cast.team_lead, cast.developer, cast.agent, cast.service):
        assert who.get(about).status_code == 403, who.name
    for who in (cast.agent, cast.service, cast.team_lead, cast.developer):
        for path in ("/api/suggestions", "/api/suggestions/0123456789ab", "/api/report", "/api/report.html"):
            assert who.get(path).status_code == 403, (who.name, path)
    assert cast.auditor.get(about).status_code == 200


def test_an_agent_earns_no_rule_for_more_than_it_did(cast: Cast) -> None:
    bot = joined(cast.server, "bot", kind="agent")
    names = ("*", "restart*", 'x" || true || "')
    for name in names:
        for _ in range(OFTEN):
            hold = bot.open(MEDIUM, action={"name": name, "args": {"environment": "staging"}}, task=None)
            cast.cto.review(hold).raise_for_status()
    found = cast.auditor.get("/api/suggestions").raise_for_status().json()["suggestions"]
    assert {one["action"] for one in found if one["kind"] == "rule"}.isdisjoint(names)
