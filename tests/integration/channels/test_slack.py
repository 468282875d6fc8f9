"""Deciding in Slack: by people whose account is linked, on what the message showed, once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

import httpx
import pytest
from apps import Desk, desk
from holds_world import shift_clock
from slack_fake import APP, SlackFake, buttons, signed, texts

from handrail.channels import delivering, updating
from handrail.channels.slack.socket import keep_listening

ANN, BEN, EVE = "U1ANN", "U2BEN", "U3EVE"
DEPLOY: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy <!channel> billing",
    "description": "It is *urgent*",
    "action": {"name": "deploy", "args": {"version": "1.2", "password": "hunter2"}, "target": "staging"},
    "task": {"environment": "staging", "estimated_cost": 5},
}
DELETE: dict[str, Any] = {
    "kind": "approval",
    "title": "Drop",
    "action": {"name": "delete", "args": {}, "target": "production"},
}
HANDLED = httpx.codes.OK


@dataclass(frozen=True)
class Office:
    """`ann` and `ben` are team leads and linked, `eve` is a developer and linked; `bot` asks."""

    desk: Desk
    slack: SlackFake
    bot: httpx.AsyncClient
    people: dict[str, httpx.AsyncClient]

    async def open(self, **more: Any) -> dict[str, Any]:
        return (await self.bot.post("/api/holds", json={**DEPLOY, **more})).raise_for_status().json()

    async def round(self) -> None:
        services = self.desk.app.state.services
        async with delivering.opened(services.context, services.settings) as channels:
            await delivering.deliver(services.context, channels)
            await updating.update(services.context, "slack", channels["slack"])

    async def asked(self, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """A hold, and ann's message about it."""
        hold = await self.open(**more)
        await self.round()
        return hold, self.message(ANN, hold)

    def message(self, account: str, hold: dict[str, Any]) -> dict[str, Any]:
        direct = "D" + account[1:]
        return next(
            one
            for (channel, _), one in self.slack.messages.items()
            if channel == direct and hold["id"] in json.dumps(one) and "thread_ts" not in one
        )

    async def send(self, payload: dict[str, Any], **how: Any) -> httpx.Response:
        return await self.desk.client().post("/api/channels/slack", **signed(payload, **how))

    async def decide(self, user: str, message: dict[str, Any], name: str, **values: Any) -> Any:
        """Clicks, fills in the dialog and submits; what the dialog says, if anything."""
        await self.send(self.slack.click(message, name, user))
        answer = await self.send(self.slack.submit(user, self.slack.dialogs.pop(), **values))
        assert answer.status_code == HANDLED
        return answer.json() if answer.content else None

    async def state(self, hold: dict[str, Any]) -> dict[str, Any]:
        return (await self.bot.get(f"/api/holds/{hold['id']}")).json()

    async def link(self, name: str, account: str) -> str:
        code = (await self.people[name].post("/api/me/links", json={"channel": "slack"})).raise_for_status().json()
        return (await self.send({"type": "command", "user_id": account, "text": f"link {code['code']}"})).json()["text"]


@asynccontextmanager
async def office(database: str, **options: Any) -> AsyncGenerator[Office]:
    slack = SlackFake()
    async with slack.serving(), desk(database, **{**slack.settings, **options}) as at:
        roles = {"ann": ["team_lead"], "ben": ["team_lead"], "eve": ["developer"]}
        people = {name: await at.member(name, roles=held) for name, held in roles.items()}
        made = Office(at, slack, await at.member("bot", "agent"), people)
        for name, account in (("ann", ANN), ("ben", BEN), ("eve", EVE)):
            assert f"decides as {name}" in await made.link(name, account)
        yield made


async def test_the_message_shows_what_happens_why_and_who_must_approve(database: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        read = texts(message["blocks"])
        assert "If approved, bot runs deploy on staging with:" in read
        assert "Needs: " in read
        assert "Why it asks:" in read
        assert "bot says (not verified):" in read
        assert "Claimed about it (not verified):" in read
        assert "hunter2" not in json.dumps(message)
        assert set(buttons(message)) == {"approve", "reject"}
        assert json.loads(buttons(message)["approve"]["value"])["digest"] == hold["digest"]
        # nothing of the agent's is markup
        assert "<!channel>" not in message["text"]
        assert not [
            one for one in _objects(message["blocks"]) if one.get("type") == "mrkdwn" and "urgent" in one["text"]
        ]


async def test_an_approval_and_a_rejection_with_its_reason_are_the_persons(database: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        assert await at.decide(ANN, message, "approve") is None
        state = await at.state(hold)
        assert (state["status"], state["decision"]["by"]["name"]) == ("approved", "ann")
        assert state["reviews"][0]["credential"]["kind"] == "link"
        other, message = await at.asked(title="Another")
        assert await at.decide(ANN, message, "reject", reason="not on a Friday") is None
        state = await at.state(other)
        assert (state["status"], state["decision"]["reason"]) == ("rejected", "not on a Friday")
        await at.round()
        for account in (ANN, BEN):
            closed = at.message(account, other)
            assert buttons(closed) == {}
            assert "Rejected by ann" in texts(closed["blocks"])


async def test_words_in_place_of_yes_or_no_are_given_where_the_agent_takes_them(database: str) -> None:
    async with office(database) as at:
        _, message = await at.asked()
        assert set(buttons(message)) == {"approve", "reject"}
        hold, message = await at.asked(title="Another", takes_response=True)
        assert set(buttons(message)) == {"approve", "reject", "respond"}
        assert await at.decide(ANN, message, "respond", f0="wait for Monday") is None
        state = await at.state(hold)
        assert (state["status"], state["decision"]["answer"]) == ("answered", "wait for Monday")
        await at.round()
        assert "Answered by ann" in texts(at.message(BEN, hold)["blocks"])


async def test_who_comes_late_is_told_politely_who_was_faster(database: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        await at.send(at.slack.click(message, "approve", ANN))
        open_dialog = at.slack.dialogs.pop()
        await at.decide(BEN, at.message(BEN, hold), "reject", reason="no")
        late = (await at.send(at.slack.submit(ANN, open_dialog))).json()
        assert late == {
            "response_action": "errors",
            "errors": {"reason": "Too late: the hold was already rejected by ben. Nothing was changed."},
        }
        await at.send(at.slack.click(message, "approve", ANN))
        assert at.slack.dialogs == []
        assert at.slack.whispers == [(ANN, "Too late: the hold was already rejected by ben. Nothing was changed.")]


async def test_a_question_is_answered_in_a_form_made_from_its_schema(database: str) -> None:
    schema = {
        "type": "object",
        "required": ["plan", "seats"],
        "properties": {
            "plan": {"enum": ["basic", "team"]},
            "seats": {"type": "integer", "minimum": 1},
            "trial": {"type": "boolean"},
            "tags": {"type": "array", "items": {"enum": ["eu", "us"]}},
            "note": {"type": "string", "title": "A note"},
            "from": {"type": "string", "format": "date"},
        },
    }
    async with office(database) as at:
        hold, message = await at.asked(kind="input", title="Which plan?", action=None, task=None, schema=schema)
        assert set(buttons(message)) == {"answer"}
        filled: dict[str, Any] = {
            "f0": {"selected_option": {"value": "1"}},
            "f1": "0",
            "f2": {"selected_option": {"value": "yes"}},
            "f3": {"selected_options": [{"value": "0"}]},
            "f4": None,
            "f5": {"selected_date": "2026-12-01"},
        }
        wrong = await at.decide(ANN, message, "answer", **filled)
        assert "seats" in wrong["errors"]["f0"]
        assert await at.decide(ANN, message, "answer", **{**filled, "f1": "3"}) is None
        answer = (await at.state(hold))["decision"]["answer"]
        assert answer == {"plan": "team", "seats": 3, "trial": True, "tags": ["eu"], "from": "2026-12-01"}


@pytest.mark.parametrize(
    "asked",
    [
        DELETE,
        {"kind": "input", "title": "Key?", "action": None, "schema": {"type": "string", "format": "password"}},
        {
            "kind": "input",
            "title": "Tree?",
            "action": None,
            "schema": {"type": "object", "properties": {"a": {"type": "object"}}},
        },
        {"kind": "confirmation", "title": "Each?", "action": None, "items": [{"item_id": "1"}]},
    ],
    ids=["critical", "secret", "form that Slack has not", "batch"],
)
async def test_what_slack_must_not_decide_leads_to_the_page(database: str, asked: dict[str, Any]) -> None:
    async with office(database) as at:
        for name in ("ann", "ben"):
            everybody = (await at.desk.admin.get("/api/people")).json()["people"]
            who = next(one["id"] for one in everybody if one["name"] == name)
            await at.desk.admin.patch(f"/api/people/{who}", json={"roles": ["tech_lead", "cto"]})
        hold, message = await at.asked(task=None, **asked)
        assert buttons(message) == {}
        assert "decided on the page" in texts(message["blocks"])
        # a click that somebody makes up
        value = json.dumps({"hold": hold["id"], "revision": 1, "digest": hold["digest"]})
        made_up = {"action_id": "approve", "value": value}
        forged = {**at.slack.click({**message, "blocks": [{"type": "actions", "elements": [made_up]}]}, "approve", ANN)}
        await at.send(forged)
        assert at.slack.dialogs == []
        place = json.dumps({"hold": hold["id"], "digest": hold["digest"], "verdict": "approve", "channel": "D1"})
        view = {"callback_id": "verdict", "private_metadata": place}
        said = (await at.send(at.slack.submit(ANN, view, reason="because"))).json()
        assert "on the page" in said["errors"]["reason"]
        assert (await at.state(hold))["status"] == "pending"


async def test_a_thread_is_the_holds_conversation(database: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        said = {"type": "message", "channel": message["channel"], "thread_ts": message["ts"], "user": ANN, "ts": "9.1"}
        event = {"type": "event_callback", "event": {**said, "text": "Which &lt;migration&gt;?"}}
        await at.send(event)
        # Slack sends it again with another signature
        await at.send({**event, "retry": 1})
        comments = (await at.bot.get(f"/api/holds/{hold['id']}/comments")).json()["comments"]
        assert [(one["by"]["name"], one["text"]) for one in comments] == [("ann", "Which <migration>?")]
        await at.bot.post(f"/api/holds/{hold['id']}/comments", json={"text": "0005 <!here>"})
        await shift_clock(at.desk.database, 61)
        await at.round()
        assert at.slack.thread(message) == ["bot: 0005 <!here>"]
        # what ann wrote is in her thread already
        assert at.slack.thread(at.message(BEN, hold)) == ["bot: 0005 <!here>"]
        await at.send({"type": "event_callback", "event": {**said, "user": "U9WHO", "ts": "9.2", "text": "me too"}})
        assert at.slack.whispers[-1][0] == "U9WHO"
        assert "does not know who you are" in at.slack.whispers[-1][1]


async def test_who_is_not_linked_or_may_not_decide_decides_nothing(database: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        for user, words in (("U9WHO", "does not know who you are"), (EVE, "no hold")):
            await at.send(at.slack.click(message, "approve", user))
            view = {"callback_id": "verdict", "private_metadata": buttons(message)["approve"]["value"]}
            place = {**json.loads(view["private_metadata"]), "verdict": "approve"}
            said = await at.send(at.slack.submit(user, {**view, "private_metadata": json.dumps(place)}, reason="x"))
            assert words in said.json()["errors"]["reason"]
            assert words in at.slack.whispers[-1][1]
        assert at.slack.dialogs == []
        assert (await at.state(hold))["status"] == "pending"


async def test_a_person_deactivated_while_their_dialog_is_open_decides_nothing(database: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        await at.send(at.slack.click(message, "approve", ANN))
        everybody = (await at.desk.admin.get("/api/people")).json()["people"]
        ann = next(one["id"] for one in everybody if one["name"] == "ann")
        (await at.desk.admin.patch(f"/api/people/{ann}", json={"active": False})).raise_for_status()
        said = (await at.send(at.slack.submit(ANN, at.slack.dialogs.pop()))).json()
        assert "does not know who you are" in said["errors"]["reason"]
        assert (await at.state(hold))["status"] == "pending"


async def test_a_dialog_about_what_was_amended_since_decides_nothing(database: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        await at.send(at.slack.click(message, "approve", ANN))
        amended: dict[str, Any] = {
            "verdict": "amend",
            "digest": hold["digest"],
            "amended_action": {"name": "deploy", "args": {}, "target": "staging"},
        }
        (await at.people["ben"].post(f"/api/holds/{hold['id']}/reviews", json=amended)).raise_for_status()
        said = (await at.send(at.slack.submit(ANN, at.slack.dialogs.pop()))).json()
        assert "amended after you opened it" in said["errors"]["reason"]
        await at.send(at.slack.click(message, "approve", ANN))
        assert at.slack.dialogs == []
        assert (await at.state(hold))["status"] == "pending"


@pytest.mark.parametrize("fault", ["forged", "old", "from the future", "unsigned"])
async def test_a_request_that_slack_did_not_sign_just_now_is_refused(database: str, fault: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        click = at.slack.click(message, "approve", ANN)
        how: dict[str, Any] = {
            "forged": {"secret": "f" * 32},
            "old": {"age": 301},
            "from the future": {"age": -302},
        }.get(fault, {})
        request = signed(click, **how)
        if fault == "unsigned":
            del request["headers"]["X-Slack-Signature"]
        answer = await at.desk.client().post("/api/channels/slack", **request)
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
        assert at.slack.dialogs == []
        assert (await at.state(hold))["status"] == "pending"


async def test_a_request_that_is_replayed_does_nothing_the_second_time(database: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        await at.send(at.slack.click(message, "approve", ANN))
        approval = signed(at.slack.submit(ANN, at.slack.dialogs.pop()))
        client = at.desk.client()
        assert (await client.post("/api/channels/slack", **approval)).status_code == HANDLED
        (await at.people["ann"].post(f"/api/holds/{hold['id']}/withdraw", json={})).raise_for_status()
        assert (await client.post("/api/channels/slack", **approval)).status_code == HANDLED
        assert (await at.state(hold))["status"] == "pending", "she took it back"


async def test_a_code_links_one_account_once_and_not_for_long(database: str) -> None:
    async with office(database) as at:
        dan = await at.desk.member("dan", roles=["team_lead"])
        code = (await dan.post("/api/me/links", json={"channel": "slack"})).json()["code"]
        linking = {"type": "command", "user_id": "U4DAN", "text": f"link {code}"}
        await shift_clock(at.desk.database, 601)
        assert "no longer works" in (await at.send(linking)).json()["text"]
        at.people["dan"] = dan
        # ann's account stays ann's
        assert "already linked" in await at.link("dan", ANN)
        assert "decides as dan" in await at.link("dan", "U4DAN")
        assert "already linked" in await at.link("dan", "U5DAN")
        [linked] = (await dan.get("/api/me/links")).json()["links"]
        assert (linked["channel"], linked["account"]) == ("slack", "U4DAN")
        assert (await at.people["ann"].delete(f"/api/me/links/{linked['id']}")).status_code == 404
        assert (await dan.delete(f"/api/me/links/{linked['id']}")).status_code == 204
        said = (await at.send({"type": "command", "user_id": "U4DAN", "text": "help"})).json()["text"]
        assert "dan" not in said
        types = [one["type"] for one in await at.desk.events()]
        assert (types.count("account.linked"), types.count("account.unlinked")) == (4, 1)


async def test_whom_the_company_no_longer_vouches_for_decides_nothing_in_slack(database: str) -> None:
    async with office(database) as at:
        hold, message = await at.asked()
        await at.send(at.slack.click(message, "approve", ANN))
        open_dialog = at.slack.dialogs.pop()
        ann = (await at.people["ann"].get("/api/me")).json()["id"]
        async with at.desk.database.connection() as conn:
            await conn.execute(
                "INSERT INTO sso_identities (issuer, subject, principal_id, provider, ask_at, vouched_until) "
                "VALUES ('https://id.example', 'ann', %s, 'company', handrail_now(), handrail_now())",
                (ann,),
            )
        late = (await at.send(at.slack.submit(ANN, open_dialog))).json()
        assert "no longer set up" in late["errors"]["reason"]
        await at.send(at.slack.click(message, "approve", ANN))
        assert at.slack.dialogs == []
        [(told, words)] = at.slack.whispers
        assert told == ANN and "no longer set up" in words
        assert (await at.state(hold))["reviews"] == []
        assert await at.decide(BEN, at.message(BEN, hold), "approve") is None
        assert (await at.state(hold))["status"] == "approved"


async def test_a_dialog_that_slack_no_longer_opens_is_asked_for_again(database: str) -> None:
    async with office(database) as at:
        _, message = await at.asked()
        at.slack.dead_triggers.add("t0")
        await at.send(at.slack.click(message, "approve", ANN, "t0"))
        assert at.slack.whispers == [(ANN, "That took too long. Please click again.")]


async def test_a_shared_channel_has_one_message_for_all(database: str) -> None:
    async with office(database, slack_channel="C0APPROVE") as at:
        hold = await at.open()
        await at.round()
        [message] = [one for (channel, _), one in at.slack.messages.items() if channel == "C0APPROVE"]
        assert await at.decide(BEN, message, "approve") is None
        await at.round()
        [seen] = at.slack.seen(hold["id"])
        assert not seen.asks
        assert "Approved by ben" in seen.text


async def test_socket_mode_takes_each_envelope_once_and_comes_back(database: str) -> None:
    async with office(database, slack_app_token=APP) as at, at.slack.socket_mode():
        hold, message = await at.asked()
        services = at.desk.app.state.services
        listening = asyncio.create_task(keep_listening(services.context, services.settings))
        async with asyncio.timeout(60):
            first = await at.slack.sockets.get()
            click = {"envelope_id": "e1", "type": "interactive", "payload": at.slack.click(message, "approve", ANN)}
            await first.send(json.dumps(click))
            assert json.loads(await first.recv()) == {"envelope_id": "e1"}
            await at.slack.until(lambda: any(one.target.endswith("views.open") for one in at.slack.received))
            # Slack wants the connection renewed
            await first.send(json.dumps({"type": "disconnect", "reason": "refresh_requested"}))
            second = await at.slack.sockets.get()
            submit = at.slack.submit(ANN, at.slack.dialogs.pop())
            for attempt in (0, 1):
                envelope = {"envelope_id": "e2", "type": "interactive", "payload": submit, "retry_attempt": attempt}
                await second.send(json.dumps(envelope))
                assert json.loads(await second.recv()) == {"envelope_id": "e2"}
            assert (await at.state(hold))["decision"]["by"]["name"] == "ann"
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening


def _objects(blocks: Any) -> list[dict[str, Any]]:
    if isinstance(blocks, list):
        return [one for block in cast("list[Any]", blocks) for one in _objects(block)]
    if isinstance(blocks, dict):
        whole = cast("dict[str, Any]", blocks)
        return [whole, *(one for value in whole.values() for one in _objects(value))]
    return []
