"""The past under a changed policy over HTTP and on the command line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import apps
import httpx
import pytest
from policy_world import SOURCE

from handrail.cli import replays
from handrail.policy.loading import RULES

Json = dict[str, Any]

SINCE = (datetime.now(UTC) - timedelta(days=30)).isoformat()
RESTART: Json = {
    "kind": "approval",
    "title": "Restart shop on staging",
    "action": {"name": "restart", "args": {"service": "shop"}, "target": "staging"},
}
# restarting on staging needs nobody any more; everything of medium needs two people
BEFORE, RULE, AFTER = SOURCE[RULES].partition("  - id: change-staging\n")
LOOSER = {**SOURCE, RULES: BEFORE + RULE + AFTER.replace("level: medium", "level: low", 1)}
STRICTER = {**SOURCE, RULES: SOURCE[RULES].replace("  medium:\n", "  medium:\n    minimum_approvers: 2\n", 1)}


async def replayed(who: httpx.AsyncClient, files: dict[str, str], **more: Any) -> httpx.Response:
    return await who.post("/api/policy/replay", json={"files": files, "since": SINCE, **more})


async def history(desk: apps.Desk) -> None:
    """Two that a person approved and one that they rejected, one that waits, and one of an observed agent."""
    ann, bot = await desk.own_member("Ann", ["team_lead"]), await desk.member("bot", "agent")
    for number, verdict in enumerate(("approve", "reject", "approve", None)):
        # one after the other: what was rejected and is asked again is held for that alone
        action = {**RESTART["action"], "args": {"service": f"shop-{number}"}}
        hold = (await bot.post("/api/holds", json={**RESTART, "action": action})).raise_for_status().json()
        if verdict:
            say = {"verdict": verdict, "digest": hold["digest"], "reason": f"{verdict}, as agreed"}
            (await ann.post(f"/api/holds/{hold['id']}/reviews", json=say)).raise_for_status()
    (await desk.admin.post("/api/observations", json={"agent": "bot", "reason": "a week"})).raise_for_status()
    (await bot.post("/api/holds", json=RESTART)).raise_for_status()


async def test_what_a_looser_policy_would_have_let_slip_is_shown_first(
    desk: apps.Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    """B4."""
    assert LOOSER != SOURCE
    await history(desk)
    found = (await replayed(desk.admin, LOOSER)).raise_for_status().json()
    assert (found["holds"], found["asked"], found["would_ask"], found["looser"]) == (5, 4, 0, 5)
    (slip,) = found["slips"]
    assert (slip["outcome"], slip["decided_by"]["name"], slip["reason"]) == ("rejected", "Ann", "reject, as agreed")
    assert [(one["change"], one["count"], one["was"], one["would"]) for one in found["groups"]] == [
        ("slips", 1, "medium", "low"),
        ("unasked", 4, "medium", "low"),
    ]
    assert found["minutes_saved"] == pytest.approx(4 * 20 / 60, abs=0.1)
    capsys.readouterr()
    replays.say(found)
    told = capsys.readouterr().out
    assert told.startswith(f"! {slip['short_id']} was rejected by Ann: reject, as agreed. Nobody would be asked")


async def test_the_same_policy_changes_nothing_and_a_stricter_one_asks_more(desk: apps.Desk) -> None:
    await history(desk)
    same = (await replayed(desk.admin, dict(SOURCE))).json()
    assert (same["looser"], same["groups"], same["asked"], same["would_ask"], same["observed"]) == (0, [], 4, 5, 1)
    auditor = await desk.member("Aud", roles=["auditor"])
    stricter = (await replayed(auditor, STRICTER)).json()
    assert (stricter["looser"], stricter["changes"]["stricter"], stricter["not_enough"]) == (0, 5, 2)
    assert (stricter["reviews"], stricter["would_review"]) == (4, 10)
    past = (await replayed(auditor, STRICTER, until=SINCE)).json()
    assert past["holds"] == 0


async def test_the_past_is_replayed_when_its_policy_its_people_and_some_of_its_content_are_gone(
    desk: apps.Desk,
) -> None:
    await history(desk)
    (await desk.admin.post("/api/policy", json={"files": STRICTER, "reason": "later"})).raise_for_status()
    people = (await desk.admin.get("/api/people")).json()["people"]
    (ann,) = [each["id"] for each in people if each["name"] == "Ann"]
    (await desk.admin.patch(f"/api/people/{ann}", json={"active": False})).raise_for_status()
    (await desk.admin.post(f"/api/people/{ann}/erase")).raise_for_status()
    async with desk.database.transaction() as conn:
        await conn.execute("DELETE FROM policies WHERE version < (SELECT max(version) FROM policies)")
        # one whose content is no longer kept
        await conn.execute("UPDATE holds SET state = '{}' WHERE id = (SELECT min(id::text)::uuid FROM holds)")
    found = (await replayed(desk.admin, LOOSER)).raise_for_status().json()
    assert (found["holds"], found["unreadable"], found["would_ask"]) == (4, 1, 0)
    (slip,) = found["slips"]
    assert (slip["outcome"], slip["reason"]) == ("rejected", None)
    assert "Ann" not in slip["decided_by"]["name"]


async def test_files_that_are_no_policy_are_refused_by_their_place(desk: apps.Desk) -> None:
    refused = await replayed(desk.admin, {**SOURCE, RULES: "levels: {medium: 7}\n"})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_policy")
    refused = await desk.admin.post("/api/policy/replay", json={"files": SOURCE, "since": "yesterday"})
    assert refused.status_code == 422


async def test_nobody_but_those_who_read_everything_replays_the_past(desk: apps.Desk) -> None:
    await history(desk)
    for name, kind, roles in (("Lead", "person", ["team_lead"]), ("robot", "agent", []), ("job", "service", [])):
        refused = await replayed(await desk.member(name, kind, roles), dict(SOURCE))
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden"), name
