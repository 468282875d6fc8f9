"""Fatigue and suggestions over HTTP: who sees what, and a suggestion that a person applies."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from apps import Desk, desk
from holds_world import shift_clock
from integration.api.test_insights import numbered

from handrail.store import oversight

RESTART: dict[str, Any] = {
    "kind": "approval",
    "title": "Restart web in staging",
    "action": {"name": "restart_service", "args": {"service": "web", "environment": "staging"}},
}
OFTEN = 20
GRANT, RULE = 0, 1
DAYS = 4 * 86_400


async def opened(bot: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    return (await bot.post("/api/holds", json={**RESTART, **more})).raise_for_status().json()


@asynccontextmanager
async def office(database: str) -> AsyncGenerator[tuple[Desk, dict[str, httpx.AsyncClient]]]:
    """Ann approves everything at once; Bob could, too. Days later somebody looks."""
    async with desk(database) as at:
        who = {
            "bot": await at.member("bot", "agent"),
            "ann": await at.member("ann", roles=["team_lead"]),
            "bob": await at.member("bob", roles=["team_lead"]),
            "olga": await at.member("olga", roles=["auditor"]),
        }
        for _ in range(OFTEN):
            hold = await opened(who["bot"])
            body = {"verdict": "approve", "digest": hold["digest"]}
            (await who["ann"].post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()
        await numbered(at.database)
        yield at, who


async def signs(client: httpx.AsyncClient, **query: Any) -> dict[str, dict[str, Any]]:
    found = (await client.get("/api/fatigue", params=query)).raise_for_status().json()
    return {one["sign"]: one for one in found["findings"]}


async def test_a_person_sees_their_own_first_auditors_see_all_and_programs_nothing(database: str) -> None:
    async with office(database) as (at, who):
        own = await signs(who["ann"])
        assert set(own) == {"quick", "streak", "always_yes", "no_reason", "share"}
        assert own["quick"]["words"].startswith("You decided 20 of 20 holds")
        assert [fix["kind"] for fix in own["quick"]["fixes"]] == ["grant", "rule"]
        assert await signs(who["bob"]) == {}
        assert set(await signs(who["olga"])) == {"never_refused"}, "Ann has three days to see it first"
        await shift_clock(at.database, DAYS)
        seen = await signs(who["olga"])
        assert set(seen) == {*own, "never_refused"}
        assert seen["quick"]["words"].startswith("ann decided")
        ann = seen["quick"]["person"]["id"]
        assert set(await signs(at.admin, person=ann)) == set(own)
        refused = await who["bob"].get("/api/fatigue", params={"person": ann})
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        for path in ("/api/fatigue", "/api/suggestions", "/api/suggestions/0123456789ab"):
            assert (await who["bot"].get(path)).status_code == 403
        for path in ("/api/suggestions", "/api/suggestions/0123456789ab"):
            assert (await who["ann"].get(path)).status_code == 403


async def test_time_counts_from_the_pack_that_was_on_their_screen(database: str) -> None:
    async with desk(database) as at:
        bot, ann = await at.member("bot", "agent"), await at.member("ann", roles=["team_lead"])
        holds = [await opened(bot) for _ in range(5)]
        await shift_clock(at.database, 3600)

        async def approve(hold: dict[str, Any], *, looks: bool) -> None:
            body = {"verdict": "approve", "digest": hold["digest"]}
            if looks:
                pack = (await ann.get(f"/api/holds/{hold['id']}/pack")).raise_for_status().json()
                body["pack"] = pack["hash"]
            (await ann.post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()
            await shift_clock(at.database, 3600)

        for hold in holds:
            await approve(hold, looks=False)
        await numbered(at.database)
        assert "quick" not in await signs(ann), "nobody knows when she began to read"
        for hold in [await opened(bot) for _ in range(5)]:
            await approve(hold, looks=True)
        await numbered(at.database)
        found = (await signs(ann))["quick"]
        assert (found["count"], found["of"]) == (5, 10)


async def test_a_suggested_rule_says_what_it_changes_and_a_person_applies_it(database: str) -> None:
    async with office(database) as (at, who):
        listed = (await who["olga"].get("/api/suggestions")).raise_for_status().json()["suggestions"]
        assert [(one["kind"], one["asked"], one["covered"], one["stopped"]) for one in listed] == [
            ("grant", 20, 20, 0),
            ("rule", 20, 20, 0),
        ]
        path = f"/api/suggestions/{listed[RULE]['id']}"
        one = (await who["olga"].get(path)).raise_for_status().json()
        assert (one["replay"]["changes"]["slips"], one["replay"]["changes"]["unasked"]) == (0, 20)
        assert one["replay"]["asked"] == 20 and one["replay"]["would_ask"] == 0
        assert any("let-restart-service-staging" in change for change in one["changes"])
        assert (await opened(who["bot"]))["status"] == "pending", "looking applies nothing"
        body = {"files": one["files"], "reason": "never refused"}
        assert (await who["olga"].post("/api/policy", json=body)).status_code == 403
        (await at.admin.post("/api/policy", json=body)).raise_for_status()
        assert (await opened(who["bot"]))["status"] == "approved"
        grant = (await who["olga"].get(f"/api/suggestions/{listed[GRANT]['id']}")).raise_for_status().json()
        assert grant["terms"]["args"]["environment"] == {"exact": "staging"} and grant["replay"] is None


async def test_bad_input_is_said_to_be(database: str) -> None:
    async with desk(database) as at:
        missing = await at.admin.get("/api/suggestions/0123456789ab")
        assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
        for query in (
            {"since": "2020-01-01T00:00:00Z"},
            {"since": "2026-02-01T00:00:00Z", "until": "2026-01-01T00:00:00Z"},
        ):
            refused = await at.admin.get("/api/fatigue", params=query)
            assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")
        for path in ("/api/fatigue", "/api/suggestions", "/api/report", "/api/insights"):
            for until in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
                assert (await at.admin.get(path, params={"until": until})).status_code == 422, (path, until)


async def test_the_report_is_for_auditors_and_says_what_happened(database: str) -> None:
    async with office(database) as (at, who):
        reason = "<b>not</b> today"
        hold = await opened(who["bot"], title="Restart <script>alert(1)</script>")
        body = {"verdict": "reject", "digest": hold["digest"], "reason": reason}
        (await who["bob"].post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()
        brake = {"agent": "bot", "pending": "freeze", "reason": "it restarts too much"}
        (await who["ann"].post("/api/brake", json=brake)).raise_for_status()
        await numbered(at.database)
        for name in ("ann", "bob", "bot"):
            for path in ("/api/report", "/api/report.html"):
                assert (await who[name].get(path)).status_code == 403, name
        found = (await who["olga"].get("/api/report")).raise_for_status().json()
        assert (found["outcomes"]["approved"], found["outcomes"]["rejected"]) == (OFTEN, 1)
        people = {one["person"]["name"]: (one["reviews"], one["approved"], one["rejected"]) for one in found["people"]}
        assert people == {"ann": (OFTEN, OFTEN, 0), "bob": (1, 0, 1)}
        (refused,) = found["exceptions"]["entries"]
        assert (refused["by"]["name"], refused["what"], refused["hold_id"]) == (
            "bob",
            f"rejected: {reason}",
            hold["id"],
        )
        entry = (await who["olga"].get("/api/audit/entries", params={"before": refused["seq"] + 1, "limit": 1})).json()
        assert entry["entries"][0]["type"] == "hold.decided", "its number leads to the entry"
        steered = [
            (one["what"], one["by"]["name"]) for one in found["steering"]["entries"] if one["type"] == "brake.set"
        ]
        assert steered == [("emergency brake set: it restarts too much", "ann")]
        assert [one["version"] for one in found["policies"]] == [1]
        assert found["log"]["last"] == found["log"]["head"]["seq"] and found["log"]["first"] == 1


async def test_the_document_runs_nothing_and_shows_what_agents_wrote_as_text(database: str) -> None:
    async with desk(database) as at:
        bot, lead = await at.member("bot", "agent"), await at.member("ann", roles=["team_lead"])
        hold = await opened(bot, title="Restart <script>alert(1)</script>")
        body = {"verdict": "reject", "digest": hold["digest"], "reason": "<img src=x onerror=alert(1)>"}
        (await lead.post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()
        await numbered(at.database)
        page = (await at.admin.get("/api/report.html")).raise_for_status()
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["content-disposition"].startswith('attachment; filename="oversight-')
        policy = page.headers["content-security-policy"]
        style = page.text.partition("<style>")[2].partition("</style>")[0]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"
        assert "<script" not in page.text and "<img" not in page.text
        assert "Restart &lt;script&gt;" in page.text and "rejected: &lt;img" in page.text
        assert f'/holds/{hold["id"]}"' in page.text
        assert "handrail audit verify" in page.text, "and it does not claim to prove the log"


async def test_an_agent_that_asks_and_cancels_again_and_again_hides_no_refusal(database: str) -> None:
    async with desk(database) as at:
        bot, lead = await at.member("bot", "agent"), await at.member("ann", roles=["team_lead"])
        hold = await opened(bot)
        body = {"verdict": "reject", "digest": hold["digest"], "reason": "not today"}
        (await lead.post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()
        for _ in range(oversight.MOST):
            asked = await opened(bot)
            (await bot.post(f"/api/holds/{asked['id']}/cancel", json={})).raise_for_status()
        await numbered(at.database)
        found = (await at.admin.get("/api/report")).raise_for_status().json()["exceptions"]
        assert (found["total"], len(found["entries"])) == (oversight.MOST + 1, oversight.MOST)
        assert found["entries"][-1]["what"] == "rejected: not today"


async def test_what_an_administrator_makes_to_get_in_as_somebody_else_is_in_the_report(database: str) -> None:
    async with desk(database) as at:
        ann = await at.member("ann", roles=["cto"])
        me = (await ann.get("/api/me")).raise_for_status().json()
        (await at.admin.post(f"/api/people/{me['id']}/login-link")).raise_for_status()
        (await at.admin.patch(f"/api/people/{me['id']}", json={"roles": ["cto", "developer"]})).raise_for_status()
        (await ann.post("/api/tokens", json={"principal": "ann", "label": "mine"})).raise_for_status()
        await numbered(at.database)
        found = (await at.admin.get("/api/report")).raise_for_status().json()["steering"]["entries"]
        told = [one["what"] for one in found if "(ann)" in one["what"]]
        assert told == [
            "person, service or agent changed (ann)",
            "sign-in link made for somebody else (ann)",
            "token made for somebody else (ann)",
            "person, service or agent added (ann)",
        ]


async def test_a_title_turns_no_text_of_the_report_around(database: str) -> None:
    async with desk(database) as at:
        bot, lead = await at.member("bot", "agent"), await at.member("ann", roles=["team_lead"])
        hold = await opened(bot, title="Restart \u202egnigats\u2066 \u200bweb")
        body = {"verdict": "reject", "digest": hold["digest"], "reason": "no"}
        (await lead.post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()
        await numbered(at.database)
        page = (await at.admin.get("/api/report.html")).raise_for_status().text
        assert "Restart \ufffdgnigats\ufffd \ufffdweb" in page


async def test_who_has_lost_a_role_no_longer_sees_what_they_decided_with_it(database: str) -> None:
    async with office(database) as (at, who):
        assert (await signs(who["ann"]))["quick"]["examples"]
        ann = (await who["ann"].get("/api/me")).raise_for_status().json()
        (await at.admin.patch(f"/api/people/{ann['id']}", json={"roles": []})).raise_for_status()
        assert (await signs(who["ann"]))["quick"]["examples"] == []


async def test_what_people_answered_in_words_is_not_counted_as_approved(database: str) -> None:
    async with desk(database) as at:
        bot, lead = await at.member("bot", "agent"), await at.member("ann", roles=["team_lead"])
        hold = await opened(bot, takes_response=True)
        body = {"verdict": "respond", "digest": hold["digest"], "answer": "Restart the other one"}
        (await lead.post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()
        await numbered(at.database)
        found = (await at.admin.get("/api/report")).raise_for_status().json()
        assert (found["outcomes"]["approved"], found["outcomes"]["answered"]) == (0, 1)
        page = (await at.admin.get("/api/report.html")).raise_for_status().text
        heads = re.findall(r"<th[^>]*>([^<]*)</th>", page.partition("<th>Action</th>")[2].partition("</thead>")[0])
        cells = re.findall(
            r"<td[^>]*>([^<]*)</td>", page.partition("<td>restart_service</td>")[2].partition("</tr>")[0]
        )
        counted = dict(zip(heads, cells, strict=True))
        assert (counted["Approved"], counted["Answered"]) == ("0", "1")


async def test_a_period_without_anything_gives_a_report_that_says_so(database: str) -> None:
    async with desk(database) as at:
        period = {"since": "2020-01-01T00:00:00Z", "until": "2020-02-01T00:00:00Z"}
        found = (await at.admin.get("/api/report", params=period)).raise_for_status().json()
        assert (found["outcomes"]["total"], found["log"]["entries"], found["policies"]) == (0, 0, [])
        page = (await at.admin.get("/api/report.html", params=period)).raise_for_status()
        assert "There are no entries of this period." in page.text
