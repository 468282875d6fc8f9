"""Who is told by which channel, and when: cases, teams, choices, quiet hours, reminders; tests and previews of each."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from channel_fakes import MailFake, WebhookFake
from channel_world import OTHERS, Office, office
from holds_world import shift_clock
from linear_fake import LinearFake
from push_fake import PushFake
from slack_fake import SlackFake, texts

from handrail.channels import reminding
from handrail.policy.loading import APPROVALS, RULES

HOUR = 3600.0


@pytest.fixture
async def room(database: str) -> AsyncGenerator[Office]:
    async with office(database, "email") as made:
        yield made


async def reroute(at: Office, routes: str, notify: str, *, more: str = "") -> None:
    """Other routes, by which medium holds are told."""
    files = (await at.desk.admin.get("/api/policy")).raise_for_status().json()["files"]
    files[APPROVALS] = files[APPROVALS].replace("\nroutes:", f"\nroutes:\n  {routes}")
    first = next(line for line in files[RULES].splitlines() if "notify: [by_" in line)
    files[RULES] = files[RULES].replace(first, f"    notify: [{notify}]{more}", 1)
    (await at.desk.admin.post("/api/policy", json={"files": files})).raise_for_status()


async def deliveries(at: Office, hold: dict[str, Any]) -> list[dict[str, Any]]:
    return (await at.desk.admin.get(f"/api/holds/{hold['id']}/deliveries")).raise_for_status().json()["deliveries"]


async def told(at: Office, hold: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
    """Event, channel and whom."""
    found = await deliveries(at, hold)
    return [(one["event"], one["channel"], sorted(who["name"] for who in one["people"])) for one in found]


async def choose(who: httpx.AsyncClient, **choice: Any) -> httpx.Response:
    return await who.put("/api/me/notifications", json=choice)


async def test_routes_are_for_levels_cases_and_teams(database: str) -> None:
    async with office(database, "webhook") as at:
        routes = (
            'billing: {to: [team_lead], channels: [webhook], cases: ["BILL-*"]}\n'
            "  leads: {to: [team_lead], channels: [webhook], teams: [team_lead]}\n"
            "  security: {to: [security_team], channels: [webhook], teams: [security_team]}"
        )
        await reroute(at, routes, "billing, leads, security")
        # anybody of three roles can approve the first ones, and the last one needs a team lead
        anybody: dict[str, Any] = {"name": "rotate_key", "args": {}, "target": "staging"}
        mine = await at.open(case_id="bill-7", action=anybody)
        other = await at.open(case_id="OPS-7", action=anybody)
        none = await at.open(action=anybody)
        deploy = await at.open()
        assert [one["route"] for one in await deliveries(at, mine)] == ["billing"]
        assert await deliveries(at, other) == []
        assert await deliveries(at, none) == []
        assert [one["route"] for one in await deliveries(at, deploy)] == ["leads"]


async def test_people_choose_their_channels_and_the_next_one_is_used_when_it_fails(database: str) -> None:
    """S4.8."""
    async with office(database, "email", "push") as at:
        await reroute(at, "people: {to: [team_lead], channels: [email, web]}", "people")
        (await choose(at.ann, channels=["push"])).raise_for_status()
        hold = await at.open()
        assert await told(at, hold) == [("hold.opened", "push", ["ann"]), ("hold.opened", "email", ["ben"])]
        await at.settle()
        assert [one.asks for one in at.others["push"].seen(hold["id"])] == [True]
        assert at.others["email"].seen(hold["id"]) == []
        # her device is gone: the next channel is used at once
        at.others["push"].delete()
        other = await at.open(title="Another")
        await at.round()
        await at.round()
        assert [one.asks for one in at.others["email"].seen(other["id"])] == [True]
        # nothing but the inbox
        (await choose(at.ann, channels=[])).raise_for_status()
        third = await at.open(title="A third")
        assert ("hold.opened", "web", ["ann"]) in await told(at, third)
        assert (await at.ann.get("/api/me/notifications")).json() == {"channels": [], "quiet": None}


async def test_quiet_hours_put_notices_off_and_a_decision_meanwhile_needs_none(database: str) -> None:
    async with office(database, "email") as at:
        now = (await at.open(title="Now"))["opened_at"]
        hour = int(now[11:13])
        quiet = {"begins": f"{hour:02}:00", "ends": f"{(hour + 2) % 24:02}:00", "timezone": "UTC"}
        (await choose(at.ann, quiet=quiet)).raise_for_status()
        later, decided = await at.open(title="Later"), await at.open(title="Decided")
        await at.round()
        assert at.seen(later) == []
        await at.review(at.ben, decided, "approve")
        await shift_clock(at.desk.database, 2 * HOUR)
        await at.settle()
        assert [one.asks for one in at.seen(later)] == [True]
        assert at.seen(decided) == []


async def test_what_cannot_be_chosen_is_refused(room: Office) -> None:
    hours = {"begins": "22:00", "ends": "07:00", "timezone": "UTC"}
    wrong: list[dict[str, Any]] = [
        {"channels": ["webhook"]},
        {"channels": ["email", "email"]},
        {"channels": "email"},
        {"quiet": {**hours, "ends": "22:00"}},
        {"quiet": {**hours, "timezone": "Mars/Olympus"}},
        {"quiet": {**hours, "timezone": "../../etc/passwd"}},
        {"quiet": {**hours, "timezone": "/etc/localtime"}},
        {"quiet": {**hours, "begins": "25:00"}},
        {"quiet": {"begins": "22:00"}},
        {"people": "ben"},
    ]
    for choice in wrong:
        assert (await choose(room.ann, **choice)).status_code == 422, choice
    assert (await room.ann.get("/api/me/notifications")).json() == {"channels": None, "quiet": None}


async def test_one_reminder_before_the_deadline_to_those_who_have_not_approved(database: str) -> None:
    async with office(database, "email") as at:
        context = at.desk.context
        action: dict[str, Any] = {"name": "deploy", "args": {}, "target": "production"}
        await at.desk.member("lea", roles=["tech_lead"])
        hold = await at.open(action=action)
        await at.review(at.ann, hold, "approve")
        await at.settle()
        assert await reminding.remind(context) == 0
        # high ends after 8 h, and is reminded of an hour before
        await shift_clock(at.desk.database, 7 * HOUR + 1)
        assert await reminding.remind(context) == 1
        assert await reminding.remind(context) == 0, "once"
        reminded = [one for one in await deliveries(at, hold) if one["event"] == "hold.reminded"]
        assert [who["name"] for one in reminded for who in one["people"]] == ["ben"]
        assert [one["type"] for one in await at.desk.events()].count("hold.reminded") == 1


async def test_nobody_is_reminded_of_what_is_decided_or_short(database: str) -> None:
    async with office(database, "email") as at:
        decided, short, quarter = await at.open(), await at.open(expires_in=299), await at.open(expires_in=400)
        await at.review(at.ben, decided, "approve")
        await shift_clock(at.desk.database, 290)
        assert await reminding.remind(at.desk.context) == 0
        # a hold that lives for less than its level's reminder is reminded of in its last quarter
        await shift_clock(at.desk.database, 11)
        assert await reminding.remind(at.desk.context) == 1
        assert [event for event, _, _ in await told(at, quarter)] == ["hold.opened", "hold.reminded"]
        assert [event for event, _, _ in await told(at, short)] == ["hold.opened"]


async def test_each_channel_sends_a_test_and_says_why_not(database: str) -> None:
    async with office(database, *OTHERS) as at:
        found = (await at.ann.get("/api/channels")).json()["channels"]
        assert all(one["set_up"] for one in found)
        reaching = {one["name"] for one in found if one["reaches"]}
        assert reaching == {"slack", "email", "push", "linear", "webhook"}
        # those of one's own by oneself, shared ones by an administrator
        for name in ("slack", "email", "push"):
            assert (await at.ann.post(f"/api/channels/{name}/test")).status_code == 204, name
        for name in ("linear", "webhook"):
            refused = await at.ann.post(f"/api/channels/{name}/test")
            assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
            assert (await at.desk.admin.post(f"/api/channels/{name}/test")).status_code == 204, name
        slack, mail, devices = at.others["slack"], at.others["email"], at.others["push"]
        linear, hook = at.others["linear"], at.others["webhook"]
        assert isinstance(slack, SlackFake) and isinstance(mail, MailFake) and isinstance(devices, PushFake)
        assert isinstance(linear, LinearFake) and isinstance(hook, WebhookFake)
        [message] = slack.messages.values()
        assert "Test from Handrail" in texts(message["blocks"])
        assert [sent["Subject"] for _, sent in mail.sink.mail] == ["Test from Handrail"]
        assert [one["title"] for one in next(iter(devices.devices.values())).shown.values()] == ["Test from Handrail"]
        assert [(one["title"], linear.state(one)) for one in linear.issues.values()] == [
            ("Test from Handrail", "completed")
        ]
        assert [one["type"] for one in hook.told.values()] == ["handrail.test"]
        # ben has neither address, nor account, nor device
        for name in ("slack", "email", "push"):
            refused = await at.ben.post(f"/api/channels/{name}/test")
            assert (refused.status_code, refused.json()["code"]) == (409, "not_delivered")
        hook.faults.append("broken")
        failed = await at.desk.admin.post("/api/channels/webhook/test")
        assert "answered 500" in failed.json()["detail"]
        unknown = await at.ann.post("/api/channels/pigeon/test")
        assert unknown.status_code == 404


async def test_what_a_hold_looks_like_on_each_channel(room: Office) -> None:
    hold = await room.open(description="<script>alert(1)</script>")

    async def looks(channel: str, who: httpx.AsyncClient | None = None) -> httpx.Response:
        return await (who or room.ann).get(f"/api/holds/{hold['id']}/messages/{channel}")

    slack = (await looks("slack")).json()["message"]
    assert "If approved, bot runs deploy on staging with:" in texts(slack["blocks"])
    linear = (await looks("linear")).json()["message"]
    assert linear["title"].startswith("Decision needed: Deploy billing")
    assert linear["state"] == "unstarted"
    mail = (await looks("email")).json()["message"]
    assert "Your decision is needed: Deploy billing" in mail["subject"]
    # it signs nobody in
    assert "code=" not in json.dumps(mail)
    push = (await looks("push")).json()["message"]
    assert push["path"] == f"/holds/{hold['id']}"
    hook = (await looks("webhook")).json()["message"]
    assert hook["type"] == "hold.opened"
    for message in (slack, linear, mail, push, hook):
        assert "hunter2" not in json.dumps(message)
    await room.review(room.ben, hold, "reject", reason="no")
    assert "Rejected by ben" in texts((await looks("slack")).json()["message"]["blocks"])
    assert (await looks("linear")).json()["message"]["state"] == "canceled"
    assert "Rejected by ben" in (await looks("email")).json()["message"]["subject"]
    assert (await looks("webhook")).json()["message"]["type"] == "hold.decided"
    assert (await looks("push")).json()["message"]["silent"] is True
    stranger = await room.desk.member("eve", roles=["developer"])
    assert (await looks("slack", stranger)).status_code == 404
    assert (await looks("pigeon")).status_code == 422
