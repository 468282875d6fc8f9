"""The audit log over HTTP, and erasures that keep the proof."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import apps
import httpx
import pytest
from feed_world import DEADLINE_SECONDS, audit_folder, key_file

from handrail.core.verification import Report, verify
from handrail.store import audit_pages

HOLD: dict[str, Any] = {
    "kind": "confirmation",
    "title": "Send it",
    "action": {"name": "send", "args": {}, "target": "ops"},
}
SECRET = "because Maria said so"


async def exported(desk: apps.Desk) -> list[bytes]:
    """Everything that has happened until now."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            answer = (await desk.admin.get("/api/audit/export")).raise_for_status()
            lines = answer.content.splitlines()
            if json.loads(lines[-1])["waiting"] == 0:
                return lines


def check(lines: list[bytes]) -> Report:
    return verify(lines, key_file(audit_folder()).publics())


async def worker(desk: apps.Desk) -> tuple[str, dict[str, Any]]:
    """Somebody who decided, commented and signed a hold, and has gone since; and the hold."""
    person = await desk.principal("Maria Muster", roles=["team_lead"])
    maria = desk.client(await desk.token("Maria Muster", label="Maria's laptop"))
    hold = (await desk.admin.post("/api/holds", json=HOLD)).raise_for_status().json()
    said = {"verdict": "approve", "digest": hold["digest"], "reason": SECRET}
    (await maria.post(f"/api/holds/{hold['id']}/comments", json={"text": SECRET})).raise_for_status()
    (await maria.post(f"/api/holds/{hold['id']}/reviews", json=said)).raise_for_status()
    return str(person.id), hold


async def gone(desk: apps.Desk, person: str) -> httpx.Response:
    (await desk.admin.patch(f"/api/people/{person}", json={"active": False})).raise_for_status()
    return await desk.admin.post(f"/api/people/{person}/erase")


async def test_the_head_names_the_key_and_the_newest_seal(desk: apps.Desk) -> None:
    lines = await exported(desk)
    head = (await desk.admin.get("/api/audit/head")).raise_for_status().json()
    assert head["seal"] == json.loads(lines[-2])
    assert (head["seq"], head["hash"]) == (head["seal"]["seq"], head["seal"]["hash"])
    assert head["public_keys"] == [key.raw.hex() for key in key_file(audit_folder()).publics()]


async def test_an_export_after_an_entry_that_is_not_there_is_a_problem(desk: apps.Desk) -> None:
    answer = await desk.admin.get("/api/audit/export", params={"after": 10**6})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_an_erased_person_is_nowhere_in_the_log_and_the_proof_holds(desk: apps.Desk) -> None:
    person, hold = await worker(desk)
    assert SECRET in b"\n".join(await exported(desk)).decode()
    done = (await gone(desk, person)).raise_for_status().json()
    lines = await exported(desk)
    report = check(lines)
    assert report.faults == ()
    assert report.erased == done["entries"] > 0
    shown = (await desk.admin.get(f"/api/holds/{hold['id']}")).text
    comments = (await desk.admin.get(f"/api/holds/{hold['id']}/comments")).text
    for text in (b"\n".join(lines).decode(), shown, comments):
        assert SECRET not in text
        assert "Maria" not in text
    assert '"verdict": "approve"' in json.loads(next(li for li in lines if b"hold.reviewed" in li))["data"]


async def test_what_an_erasure_left_cannot_be_changed_either(desk: apps.Desk) -> None:
    person, _ = await worker(desk)
    # what has no number yet has no proof either
    await exported(desk)
    await gone(desk, person)
    await exported(desk)
    async with desk.database.connection() as conn:
        found = await conn.execute(
            """
            UPDATE events SET data = replace(data::text, 'approve', 'reject')::json
            WHERE type = 'hold.reviewed' AND salt IS NULL RETURNING seq
            """
        )
        [row] = await found.fetchall()
    report = check(await exported(desk))
    assert [(fault.wrong, fault.seq) for fault in report.faults] == [("erased", row["seq"])]


async def test_data_emptied_behind_the_back_of_the_log_is_found(desk: apps.Desk) -> None:
    _, _ = await worker(desk)
    await exported(desk)
    async with desk.database.connection() as conn:
        found = await conn.execute(
            "UPDATE events SET data = '{}', salt = NULL WHERE type = 'hold.reviewed' RETURNING seq"
        )
        [row] = await found.fetchall()
    report = check(await exported(desk))
    assert [(fault.wrong, fault.seq) for fault in report.faults] == [("erased", row["seq"])]


async def test_a_second_erasure_finds_nothing_left(desk: apps.Desk) -> None:
    person, _ = await worker(desk)
    await gone(desk, person)
    again = (await desk.admin.post(f"/api/people/{person}/erase")).raise_for_status().json()
    assert again["entries"] == 0
    assert check(await exported(desk)).whole


async def test_the_log_is_read_newest_first_and_narrowed(desk: apps.Desk) -> None:
    first, second = [(await desk.admin.post("/api/holds", json=HOLD)).raise_for_status().json() for _ in range(2)]
    await exported(desk)
    page = (await desk.admin.get("/api/audit/entries", params={"limit": 2})).json()
    assert [entry["hold_id"] for entry in page["entries"]] == [second["id"], first["id"]]
    assert page["entries"][0]["hold_title"] == "Send it"
    assert page["entries"][0]["actor"]["name"] == "admin"
    older = (await desk.admin.get("/api/audit/entries", params={"before": page["next"], "limit": 200})).json()
    assert older["next"] is None
    assert [entry["seq"] for entry in older["entries"]] == list(range(page["next"] - 1, 0, -1))
    of_hold = (await desk.admin.get("/api/audit/entries", params={"hold": first["id"]})).json()["entries"]
    assert [entry["type"] for entry in of_hold] == ["hold.opened"]
    people = (await desk.admin.get("/api/audit/entries", params={"type": "person."})).json()["entries"]
    assert people and all(entry["type"].startswith("person.") for entry in people)


async def sought(desk: apps.Desk, **narrowed: Any) -> list[str]:
    answer = await desk.admin.get("/api/audit/entries", params={"limit": 200, **narrowed})
    return [entry["type"] for entry in answer.raise_for_status().json()["entries"]]


async def test_the_log_is_searched_by_person_agent_action_text_and_time(desk: apps.Desk) -> None:
    _, hold = await worker(desk)
    bot = await desk.member("bot", "agent")
    (await bot.post("/api/holds", json={**HOLD, "title": "Send 100% of it"})).raise_for_status()
    await exported(desk)
    assert await sought(desk, text="maria SAID") == ["hold.decided", "hold.reviewed", "hold.commented"]
    assert set(await sought(desk, actor="Maria Muster")) == {"hold.decided", "hold.reviewed", "hold.commented"}
    assert await sought(desk, agent="bot") == ["hold.opened"]
    assert await sought(desk, agent="bot", actor="Maria Muster") == []
    # neither is a pattern
    assert await sought(desk, text="100%") == ["hold.opened"]
    assert await sought(desk, text="100_") == []
    assert len(await sought(desk, action="send", type="hold.opened")) == 2
    assert await sought(desk, action="send", until="2001-01-01T00:00:00Z") == []
    assert "hold.opened" in await sought(desk, action="send", since="2001-01-01T00:00:00Z", hold=hold["id"])
    for wrong, status in (({"actor": "Nobody"}, 404), ({"since": "2001-01-01T00:00:00"}, 422), ({"text": ""}, 422)):
        assert (await desk.admin.get("/api/audit/entries", params=wrong)).status_code == status


async def test_a_text_is_looked_for_some_entries_at_a_time(desk: apps.Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await worker(desk)
    for _ in range(6):
        (await desk.admin.post("/api/holds", json=HOLD)).raise_for_status()
    await exported(desk)
    monkeypatch.setattr(audit_pages, "MOST_SEARCHED", 3)
    found: list[str] = []
    cursor: dict[str, Any] = {}
    pages = 0
    while True:
        page = (await desk.admin.get("/api/audit/entries", params={"text": SECRET, **cursor})).json()
        found += [entry["type"] for entry in page["entries"]]
        pages += 1
        if page["next"] is None:
            break
        cursor = {"before": page["next"]}
    assert found == ["hold.decided", "hold.reviewed", "hold.commented"]
    assert pages > 3


async def test_whether_somebody_exists_is_not_for_everybody(desk: apps.Desk) -> None:
    eve = await desk.member("eve", roles=["developer"])
    answers = [await eve.get("/api/audit/entries", params={"actor": name}) for name in ("admin", "nobody")]
    assert {(one.status_code, one.json()["code"]) for one in answers} == {(403, "forbidden")}
