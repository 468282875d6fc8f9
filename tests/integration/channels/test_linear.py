"""Linear: an issue for each hold, comments both ways by people whose account is linked, and nothing decided there."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from channel_world import Office, office
from holds_world import shift_clock
from linear_fake import ANN, BEN, LinearFake, signed

from handrail.channels import delivering

EVE = "00000000-0000-4000-8000-00000000000e"
HANDLED = httpx.codes.OK


@dataclass(frozen=True)
class Room:
    """An office with Linear; ann has linked her account there."""

    at: Office
    linear: LinearFake

    async def send(self, payload: dict[str, Any], **how: Any) -> httpx.Response:
        return await self.at.desk.client().post("/api/channels/linear", **signed(payload, **how))

    async def code(self, who: httpx.AsyncClient, email: str) -> str:
        asked = {"channel": "linear", "account": email}
        return (await who.post("/api/me/links", json=asked)).raise_for_status().json()["code"]

    async def link(self, who: httpx.AsyncClient, email: str, account: str) -> str:
        """What is answered under the comment with the code."""
        await self.send(self.linear.write(self.elsewhere(), account, f"handrail link {await self.code(who, email)}"))
        return list(self.linear.comments.values())[-1]["body"].replace("\\", "")

    async def asked(self, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """A hold, and its issue."""
        hold = await self.at.open(**more)
        await self.at.settle()
        [issue] = self.linear.about(hold["id"])
        return hold, issue

    async def comments(self, hold: dict[str, Any]) -> list[tuple[str, str]]:
        found = (await self.at.bot.get(f"/api/holds/{hold['id']}/comments")).json()["comments"]
        return [(one["by"]["name"], one["text"]) for one in found]

    async def state(self, hold: dict[str, Any]) -> str:
        return (await self.at.bot.get(f"/api/holds/{hold['id']}")).json()["status"]

    def elsewhere(self) -> str:
        """An issue that is nothing of ours."""
        self.linear.issues.setdefault("other", {"id": "other", "description": "", "stateId": "s2"})
        return "other"


@asynccontextmanager
async def room(database: str) -> AsyncGenerator[Room]:
    async with office(database, "linear") as at:
        linear = at.others["linear"]
        assert isinstance(linear, LinearFake)
        made = Room(at, linear)
        assert "are ann's" in await made.link(at.ann, "Ann@example.org", ANN)
        yield made


async def test_the_issue_shows_what_happens_why_and_who_must_approve_and_notifies_those_who_linked(
    database: str,
) -> None:
    async with room(database) as here:
        task = {"environment": "staging", "estimated_cost": 5}
        told = "![x](https://evil.example/p.png) ```\nIgnore this, @everyone ````"
        _, issue = await here.asked(title="Deploy [billing](https://evil.example)", description=told, task=task)
        read = issue["description"].replace("\\", "")
        assert "If approved, bot runs deploy on staging with:" in read
        assert "Why it asks:" in read
        assert "bot says (not verified):" in read
        assert "Claimed about it (not verified):" in read
        assert "Needs: team lead" in read
        assert "hunter2" not in str(issue)
        # an agent's words stay within a fence that is longer than any of theirs
        assert f"`````\n{told}\n`````" in issue["description"]
        assert issue["subscriberIds"] == [ANN]
        assert here.linear.state(issue) == "unstarted"


async def test_states_follow_the_hold(database: str) -> None:
    async with room(database) as here:
        approved, one = await here.asked(title="First")
        rejected, two = await here.asked(title="Second")
        await here.at.review(here.at.ben, approved, "approve")
        await here.at.review(here.at.ben, rejected, "reject", reason="not *now*")
        await here.at.settle()
        assert (here.linear.state(one), here.linear.state(two)) == ("completed", "canceled")
        # the first of its type
        assert two["stateId"] == "s5"
        assert "```\nnot *now*\n```" in two["description"]
        (await here.at.ben.post(f"/api/holds/{approved['id']}/withdraw", json={})).raise_for_status()
        await here.at.settle()
        assert here.linear.state(one) == "unstarted"
        assert any("Reopened" in text for text in here.linear.said(one))


async def test_comments_go_both_ways_once(database: str) -> None:
    async with room(database) as here:
        hold, issue = await here.asked()
        said = here.linear.write(issue["id"], ANN, "Which migration?")
        await here.send(said, delivery="d1")
        # the same delivery again, and another one of the same comment
        await here.send(said, delivery="d1")
        await here.send(said, delivery="d2")
        assert await here.comments(hold) == [("ann", "Which migration?")]
        await here.at.bot.post(f"/api/holds/{hold['id']}/comments", json={"text": "0005 [x](https://evil.example)"})
        await shift_clock(here.at.desk.database, 61)
        await here.at.settle()
        ours = [one for one in here.linear.comments.values() if one["body"].startswith("**bot**")]
        assert [one["body"] for one in ours] == ["**bot** in Handrail:\n\n```\n0005 [x](https://evil.example)\n```"]
        # Linear tells us of our own comment, too, whoever owns the key
        data = {"id": ours[0]["id"], "issueId": issue["id"], "userId": ANN, "body": ours[0]["body"]}
        await here.send({"type": "Comment", "action": "create", "data": data})
        assert [name for name, _ in await here.comments(hold)] == ["ann", "bot"]


async def test_a_comment_whose_answer_was_lost_is_there_once(database: str) -> None:
    async with room(database) as here:
        hold, issue = await here.asked()
        here.linear.faults.append("lost")
        await here.at.bot.post(f"/api/holds/{hold['id']}/comments", json={"text": "hello"})
        await here.at.ben.post(f"/api/holds/{hold['id']}/comments", json={"text": "and?"})
        await shift_clock(here.at.desk.database, 61)
        await here.at.settle()
        assert sum("hello" in text for text in here.linear.said(issue)) == 1


async def test_who_is_not_linked_or_may_not_see_it_says_nothing_on_the_hold(database: str) -> None:
    async with room(database) as here:
        hold, issue = await here.asked()
        for _ in range(2):
            await here.send(here.linear.write(issue["id"], EVE, "approve"))
        answers = [text for text in here.linear.said(issue) if "does not know who you are" in text]
        assert len(answers) == 1, "they are told once"
        eve = await here.at.desk.member("eve", roles=["developer"])
        here.linear.members["eve@example.org"] = EVE
        assert "are eve's" in await here.link(eve, "eve@example.org", EVE)
        await here.send(here.linear.write(issue["id"], EVE, "me too"))
        assert "may not see it" in here.linear.said(issue)[-1].replace("\\", "")
        everybody = (await here.at.desk.admin.get("/api/people")).json()["people"]
        ann = next(one["id"] for one in everybody if one["name"] == "ann")
        (await here.at.desk.admin.patch(f"/api/people/{ann}", json={"active": False})).raise_for_status()
        await here.send(here.linear.write(issue["id"], ANN, "I have left"))
        assert await here.comments(hold) == []


@pytest.mark.parametrize("move", ["completed", "canceled"])
async def test_moving_the_issue_decides_nothing_and_it_is_put_back_once(database: str, move: str) -> None:
    async with room(database) as here:
        hold, issue = await here.asked()
        await here.send(here.linear.move(issue["id"], move))
        await here.at.settle()
        assert await here.state(hold) == "pending"
        assert here.linear.state(issue) == "unstarted"
        assert "Moving this issue decides nothing" in here.linear.said(issue)[-1]
        await here.send(here.linear.move(issue["id"], "started"))
        assert await here.at.round() == 0, "where it stands among what is open is theirs"
        await here.send(here.linear.move(issue["id"], move))
        await here.at.settle()
        assert here.linear.state(issue) == move, "nobody quarrels with an automation"
        await here.at.review(here.at.ben, hold, "approve")
        await here.at.settle()
        assert here.linear.state(issue) == "completed"


async def test_a_deleted_issue_is_known_at_once_and_made_again_when_people_are_asked_again(database: str) -> None:
    async with room(database) as here:
        hold, issue = await here.asked()
        await here.send(here.linear.remove(issue["id"]))
        [shown] = (await here.at.ann.get(f"/api/holds/{hold['id']}/deliveries")).json()["messages"]
        assert (shown["status"], shown["last_error"]) == ("outdated", "somebody deleted the issue")
        amended: dict[str, Any] = {"name": "deploy", "args": {}, "target": "staging-eu"}
        await here.at.review(here.at.ben, hold, "amend", amended_action=amended)
        await here.at.settle()
        [again] = here.linear.about(hold["id"])
        assert again["id"] != issue["id"]
        assert here.linear.state(again) == "unstarted"


async def test_two_routes_make_one_issue(database: str) -> None:
    async with room(database) as here:
        policy = (await here.at.desk.admin.get("/api/policy")).json()["files"]
        files = {
            name: text.replace("notify: [by_linear]", "notify: [by_linear, also]").replace(
                "\nroutes:", "\nroutes:\n  also: {to: [cto], channels: [linear]}"
            )
            for name, text in policy.items()
        }
        (await here.at.desk.admin.post("/api/policy", json={"files": files})).raise_for_status()
        await here.asked()


async def test_states_that_changed_and_members_who_left_do_not_keep_an_issue_from_being_made(database: str) -> None:
    async with room(database) as here:
        services = here.at.desk.app.state.services
        async with delivering.opened(services.context, services.settings) as channels:
            first = await here.at.open(title="First")
            await delivering.deliver(services.context, channels)
            here.linear.states = [("n1", "unstarted", 0), ("n2", "completed", 1)]
            here.linear.issues[here.linear.about(first["id"])[0]["id"]]["stateId"] = "n1"
            del here.linear.members["ann@example.org"]
            second = await here.at.open(title="Second")
            await delivering.deliver(services.context, channels)
        [issue] = here.linear.about(second["id"])
        assert here.linear.state(issue) == "unstarted"


@pytest.mark.parametrize("fault", ["key", "team"])
async def test_a_key_that_was_revoked_and_a_team_that_is_gone_fall_back_at_once(database: str, fault: str) -> None:
    async with room(database) as here:
        if fault == "key":
            here.linear.key = "lin_api_another"
        else:
            here.linear.teams = lambda *_, **__: {"nodes": []}  # type: ignore[method-assign]
        hold = await here.at.open()
        await here.at.round()
        await here.at.round()
        [shown] = (await here.at.ann.get(f"/api/holds/{hold['id']}/deliveries")).json()["deliveries"]
        assert (shown["channel"], shown["status"]) == ("web", "delivered")
        [failed] = [one for one in await here.at.desk.events() if one["type"] == "delivery.failed"]
        assert failed["data"]["next_channel"] == "web"
        assert "lin_api" not in str(failed)


async def test_a_request_that_linear_did_not_sign_just_now_is_refused(database: str) -> None:
    async with room(database) as here:
        hold, issue = await here.asked()
        said = here.linear.write(issue["id"], ANN, "hello")
        unsigned, nameless = signed(said), signed(said)
        del unsigned["headers"]["Linear-Signature"]
        del nameless["headers"]["Linear-Delivery"]
        requests = {
            "forged": signed(said, secret="f" * 32),
            "old": signed(said, age=301),
            "from the future": signed(said, age=-360),
            "with another moment": signed(said, Linear_Timestamp="1700000000000"),
            "unsigned": unsigned,
            "without its delivery": nameless,
        }
        for fault, request in requests.items():
            answer = await here.at.desk.client().post("/api/channels/linear", **request)
            assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature"), fault
        assert await here.comments(hold) == []


async def test_a_code_that_others_read_links_nobody_but_the_account_it_is_for(database: str) -> None:
    async with room(database) as here:
        ben = here.at.ben
        code = await here.code(ben, "ben@example.org")
        # eve reads the comment and is faster
        await here.send(here.linear.write(here.elsewhere(), EVE, f"handrail link {code}"))
        assert "no longer works" in list(here.linear.comments.values())[-1]["body"].replace("\\", "")
        assert (await ben.get("/api/me/links")).json()["links"] == []
        await here.send(here.linear.write(here.elsewhere(), BEN, f"handrail link {code}"))
        [linked] = (await ben.get("/api/me/links")).json()["links"]
        assert (linked["channel"], linked["account"]) == ("linear", BEN)
        unknown = await ben.post("/api/me/links", json={"channel": "linear", "account": "who@example.org"})
        assert (unknown.status_code, unknown.json()["code"]) == (422, "invalid_field")
        missing = await ben.post("/api/me/links", json={"channel": "linear"})
        assert missing.json()["code"] == "invalid_field"


async def test_what_is_signed_and_makes_no_sense_is_taken_and_does_nothing(database: str) -> None:
    payloads: list[dict[str, Any]] = [
        {},
        {"type": "Comment", "action": "create"},
        {"type": "Comment", "action": "create", "data": [1]},
        {"type": "Comment", "action": "create", "data": {"id": 1, "issueId": {}, "userId": None, "body": []}},
        {"type": "Issue", "action": "update", "data": {"id": "x", "state": 7}, "updatedFrom": {"stateId": "s1"}},
        {"type": "Issue", "action": "update", "data": {}, "updatedFrom": []},
        {"type": "Issue", "action": "remove", "data": {}},
        {"type": ["Issue"], "action": {}},
    ]
    async with room(database) as here:
        before = len(await here.at.desk.events())
        for payload in payloads:
            assert (await here.send(payload)).status_code == HANDLED
        assert len(await here.at.desk.events()) == before


async def test_events_that_come_late_or_in_another_order_change_nothing(database: str) -> None:
    async with room(database) as here:
        hold, issue = await here.asked()
        # somebody puts it among the open ones, and we hear of it after the hold was decided
        late = here.linear.move(issue["id"], "backlog")
        first, second = (here.linear.write(issue["id"], ANN, text) for text in ("first", "second"))
        await here.at.review(here.at.ben, hold, "approve")
        await here.at.settle()
        assert here.linear.state(issue) == "completed"
        await here.send(second)
        await here.send(late)
        await here.send(first)
        await here.at.settle()
        assert here.linear.state(issue) == "completed"
        assert sorted(text for _, text in await here.comments(hold)) == ["first", "second"]
