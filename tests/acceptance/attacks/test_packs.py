"""Attacks on what a reviewer was shown and on what is looked at afterwards: read, made up, judged by the wrong one."""

from __future__ import annotations

from attacks_world import HIGH, MEDIUM, Cast, joined


def test_no_program_reads_what_people_are_shown(cast: Cast) -> None:
    hold = cast.agent.open(MEDIUM)
    other = joined(cast.server, "bot", kind="agent")
    for who in (cast.agent, cast.service, other):
        assert who.get(f"/api/holds/{hold['id']}/pack").status_code in (403, 404), who.name


def test_nobody_decides_by_a_pack_that_somebody_else_was_shown_or_that_was_made_up(cast: Cast) -> None:
    hold = cast.agent.open(HIGH)
    theirs = cast.cto.get(f"/api/holds/{hold['id']}/pack").raise_for_status().json()["hash"]
    for pack in (theirs, "0" * 64):
        said = {"verdict": "approve", "digest": hold["digest"], "pack": pack}
        refused = cast.team_lead.post(f"/api/holds/{hold['id']}/reviews", said)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")
    assert cast.agent.get(f"/api/holds/{hold['id']}").json()["status"] == "pending"


def test_no_program_judges_what_ran_unasked(cast: Cast) -> None:
    hold = cast.agent.open(MEDIUM)
    for who in (cast.agent, cast.service):
        assert who.get("/api/samples").status_code == 403, who.name
        judged = who.post(f"/api/holds/{hold['id']}/sample", {"finding": False})
        assert (judged.status_code, judged.json()["code"]) == (403, "not_a_person"), who.name
    for who in (cast.agent, cast.service, cast.team_lead, cast.developer):
        assert who.get("/api/samples/rules/sampled-read-ledger").status_code == 403, who.name
