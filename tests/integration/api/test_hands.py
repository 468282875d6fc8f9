"""Two people or one? A warning where one browser or one linked account stands behind two approvers of a hold."""

from __future__ import annotations

from typing import Any

import httpx
from apps import Desk, desk
from authenticator import ORIGIN, add_passkey, approval
from slack_fake import SlackFake, signed

PRODUCTION: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy",
    "action": {"name": "deploy", "args": {}, "target": "production"},
}


async def link_of(at: Desk, name: str) -> str:
    everybody = (await at.admin.get("/api/people")).json()["people"]
    who = next(one["id"] for one in everybody if one["name"] == name)
    made = (await at.admin.post(f"/api/people/{who}/login-link")).raise_for_status().json()
    return made["url"].partition("code=")[2].partition("&")[0]


async def enter(browser: httpx.AsyncClient, code: str) -> dict[str, str]:
    """Signs in there; what its next requests need."""
    entered = await browser.post("/api/sign-in", json={"code": code, "replace": True})
    return {"X-CSRF-Token": entered.raise_for_status().json()["csrf_token"]}


async def approve(who: httpx.AsyncClient, hold: dict[str, Any], **how: Any) -> dict[str, Any]:
    body = {"verdict": "approve", "digest": hold["digest"]}
    return (await who.post(f"/api/holds/{hold['id']}/reviews", json=body, **how)).raise_for_status().json()


async def test_two_approvers_in_one_browser_are_told_of_on_the_hold_and_in_the_log(database: str) -> None:
    async with desk(database) as at:
        for name, role in (("ann", "team_lead"), ("ben", "tech_lead"), ("eve", "tech_lead")):
            await at.principal(name, roles=[role])
        bot = await at.member("bot", "agent")
        hold = (await bot.post("/api/holds", json=PRODUCTION)).raise_for_status().json()
        other = (await bot.post("/api/holds", json={**PRODUCTION, "title": "Another"})).raise_for_status().json()
        browser, another = at.client(), at.client()
        headers = await enter(browser, await link_of(at, "ann"))
        assert (await approve(browser, hold, headers=headers))["warnings"] == []
        await approve(browser, other, headers=headers)
        headers = await enter(browser, await link_of(at, "ben"))
        [warned] = (await approve(browser, hold, headers=headers))["warnings"]
        assert warned["sign"] == "browser"
        assert sorted(who["name"] for who in warned["people"]) == ["ann", "ben"]
        assert "approved from the same browser. They may be one person." in warned["text"]
        assert (await bot.get(f"/api/holds/{hold['id']}")).json()["warnings"] == [warned]
        said = [one for one in await at.events() if one["type"] == "hold.warned"]
        assert [(one["data"]["sign"], len(one["data"]["people"])) for one in said] == [("browser", 2)]
        # it is a warning: the decision counts
        assert (await bot.get(f"/api/holds/{hold['id']}")).json()["status"] == "approved"
        # somebody in a browser of their own
        assert (await approve(another, other, headers=await enter(another, await link_of(at, "eve"))))["warnings"] == []


async def test_one_slack_account_that_was_two_peoples(database: str) -> None:
    slack = SlackFake()
    async with slack.serving(), desk(database, **slack.settings) as at:
        ann, ben = await at.member("ann", roles=["team_lead"]), await at.member("ben", roles=["tech_lead"])
        bot = await at.member("bot", "agent")
        hold = (await bot.post("/api/holds", json=PRODUCTION)).raise_for_status().json()

        async def send(payload: dict[str, Any]) -> Any:
            return await at.client().post("/api/channels/slack", **signed(payload))

        async def approve_as(who: httpx.AsyncClient) -> None:
            code = (await who.post("/api/me/links", json={"channel": "slack"})).raise_for_status().json()["code"]
            await send({"type": "command", "user_id": "U1SAME", "text": f"link {code}"})
            place = f'{{"hold": "{hold["id"]}", "digest": "{hold["digest"]}", "verdict": "approve", "channel": "D1"}}'
            view = {"callback_id": "verdict", "private_metadata": place}
            await send(slack.submit("U1SAME", view))

        await approve_as(ann)
        [linked] = (await ann.get("/api/me/links")).json()["links"]
        assert (await ann.delete(f"/api/me/links/{linked['id']}")).status_code == 204
        await approve_as(ben)
        shown = (await bot.get(f"/api/holds/{hold['id']}")).json()
        assert shown["status"] == "approved"
        [warned] = shown["warnings"]
        assert (warned["sign"], warned["channel"]) == ("account", "slack")
        assert "by the same Slack account" in warned["text"]


async def test_passkeys_that_two_people_registered_in_one_browser(database: str) -> None:
    async with desk(database) as at:
        for name, role in (("ann", "team_lead"), ("ben", "tech_lead")):
            await at.principal(name, roles=[role])
        bot = await at.member("bot", "agent")
        hold = (await bot.post("/api/holds", json=PRODUCTION)).raise_for_status().json()

        async def signed_in(name: str, browser: httpx.AsyncClient) -> httpx.AsyncClient:
            browser.base_url = ORIGIN
            browser.headers.update(await enter(browser, await link_of(at, name)))
            return browser

        shared = at.client()
        keys = {name: await add_passkey(await signed_in(name, shared)) for name in ("ann", "ben")}
        for name, key in keys.items():
            # each at a computer of their own
            alone = await signed_in(name, at.client())
            said = await alone.post(f"/api/holds/{hold['id']}/reviews", json=await approval(alone, hold, key))
            assert said.status_code == 200, said.text
        warnings = (await bot.get(f"/api/holds/{hold['id']}")).json()["warnings"]
        assert [one["sign"] for one in warnings] == ["authenticator"]
