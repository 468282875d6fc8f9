"""Notices by webhook: signed, retried, once each in effect, and never lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from apps import Desk, desk
from holds_world import shift_clock
from loopback import Answer, HangUp, Loopback, Received, Reply, Silence
from standardwebhooks import Webhook, WebhookVerificationError

from handrail.channels import delivering, pauses
from handrail.holds import sweeping
from handrail.policy import default_policy
from handrail.policy.loading import APPROVALS

SECRET = "whsec_" + "c2VjcmV0IG9mIHRoZSB0ZXN0cyBzZWNyZXQ="
HOLD: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy\r\nBcc: all@example.org <script>alert(1)</script>",
    "action": {"name": "deploy", "args": {"version": "1.2", "db": {"password": "hunter2"}}, "target": "staging"},
    "task": {"operation": "deploy", "environment": "staging"},
    "evidence": {"log": "internal"},
}
ONE_DAY = 86_400


@dataclass(frozen=True)
class Office:
    """A desk whose notices go to `receiver`; `lead` may approve what `bot` asks."""

    desk: Desk
    receiver: Loopback
    bot: httpx.AsyncClient
    lead: httpx.AsyncClient

    async def open(self, **more: Any) -> str:
        return (await self.bot.post("/api/holds", json={**HOLD, **more})).raise_for_status().json()["id"]

    async def deliver(self) -> int:
        """One round of the loop."""
        services = self.desk.app.state.services
        async with delivering.opened(services.context, services.settings) as senders:
            return await delivering.deliver(services.context, senders)

    async def fail_for_good(self) -> None:
        for _ in range(delivering.ATTEMPTS):
            assert await self.deliver() == 1
            await shift_clock(self.desk.database, pauses.LONGEST_PAUSE_SECONDS)

    async def of(self, hold: str) -> list[dict[str, Any]]:
        return (await self.lead.get(f"/api/holds/{hold}/deliveries")).raise_for_status().json()["deliveries"]

    async def said(self) -> list[tuple[str, Any]]:
        return [(e["type"], e["data"]) for e in await self.desk.events() if e["type"].startswith("delivery.")]


@asynccontextmanager
async def office(database: str, *replies: Reply, **options: Any) -> AsyncGenerator[Office]:
    receiver = Loopback(*replies)
    async with desk(database, webhook_url=f"{receiver.url}/hook", webhook_secret=SECRET, **options) as at:
        bot, lead = await at.member("bot", "agent"), await at.member("lead", roles=["team_lead"])
        yield Office(at, receiver, bot, lead)


def verified(request: Received) -> Any:
    return Webhook(SECRET).verify(request.body, request.headers)


async def apply_channels(at: Office, channels: str) -> None:
    files = dict(default_policy().source)
    files[APPROVALS] = files[APPROVALS].replace("[slack, email, webhook]", channels)
    (await at.desk.admin.post("/api/policy", json={"files": files})).raise_for_status()


async def test_a_new_hold_is_posted_signed_and_recorded(database: str) -> None:
    async with office(database, Answer(204)) as at, at.receiver.serving():
        hold = await at.open()
        assert [one["status"] for one in await at.of(hold)] == ["queued"]
        assert await at.deliver() == 1
        [request] = at.receiver.received
        told = verified(request)
        [one] = await at.of(hold)
        assert (request.method, request.target) == ("POST", "/hook")
        assert request.headers["webhook-id"] == one["id"]
        assert (told["type"], told["data"]["hold"]["id"]) == ("hold.opened", hold)
        assert told["data"]["hold"]["title"] == HOLD["title"]
        assert [who["name"] for who in told["data"]["people"]] == ["admin", "lead"]
        assert (one["status"], one["channel"], one["attempts"]) == ("delivered", "webhook", 1)
        assert one["delivered_at"] is not None
        [(type_, data)] = await at.said()
        assert (type_, data["delivery_id"], data["channel"]) == ("delivery.delivered", one["id"], "webhook")
        assert await at.deliver() == 0


async def test_a_changed_message_does_not_verify(database: str) -> None:
    async with office(database, Answer(200)) as at, at.receiver.serving():
        await at.open()
        await at.deliver()
        [request] = at.receiver.received
        with pytest.raises(WebhookVerificationError):
            Webhook(SECRET).verify(request.body.replace(b"staging", b"nothing"), request.headers)


async def test_what_the_policy_calls_sensitive_and_evidence_stay_at_home(database: str) -> None:
    async with office(database, Answer(200)) as at, at.receiver.serving():
        await at.open()
        await at.deliver()
        [request] = at.receiver.received
        args = verified(request)["data"]["hold"]["action"]["args"]
        assert args == {"version": "1.2", "db": {"password": "[redacted]"}}
        assert b"hunter2" not in request.body
        assert b"internal" not in request.body


async def test_a_receiver_that_is_away_gets_it_when_it_is_back(database: str) -> None:
    async with office(database, Answer(200)) as at:
        hold = await at.open()
        assert await at.deliver() == 1
        [one] = await at.of(hold)
        assert (one["status"], one["attempts"]) == ("queued", 1)
        assert "could not be reached" in one["last_error"]
        assert await at.deliver() == 0, "it waits before it tries again"
        await shift_clock(at.desk.database, pauses.FIRST_PAUSE_SECONDS)
        async with at.receiver.serving():
            assert await at.deliver() == 1
        [one] = await at.of(hold)
        assert (one["status"], one["attempts"], one["last_error"]) == ("delivered", 2, None)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Answer(503), "answered 503"),
        (Answer(302, headers={"Location": "/elsewhere"}), "answered 302"),
        (HangUp(), "could not be reached"),
    ],
)
async def test_only_a_success_counts_and_redirects_are_not_followed(database: str, reply: Reply, reason: str) -> None:
    async with office(database, reply) as at, at.receiver.serving():
        hold = await at.open()
        await at.deliver()
        [one] = await at.of(hold)
        assert one["status"] == "queued"
        assert reason in one["last_error"]
        assert str(at.receiver.port) not in one["last_error"]
        assert len(at.receiver.received) == 1


async def test_a_receiver_that_is_gone_falls_back_at_once(database: str) -> None:
    async with office(database, Answer(404), Answer(410)) as at, at.receiver.serving():
        await apply_channels(at, "[webhook, web]")
        for status in (404, 410):
            hold = await at.open(title=f"Deploy {status}")
            await at.deliver()
            [one] = await at.of(hold)
            assert (one["channel"], one["last_error"]) == ("web", f"the receiver answered {status}")
            await at.deliver()
            [one] = await at.of(hold)
            assert one["status"] == "delivered"
        assert len(at.receiver.received) == 2


async def test_an_attempt_that_was_never_heard_of_again_is_repeated_with_the_same_id(database: str) -> None:
    async with office(database, Silence(), Answer(200)) as at, at.receiver.serving():
        await at.open()
        lost = asyncio.create_task(at.deliver())
        await at.receiver.until(lambda: len(at.receiver.received) == 1)
        assert await at.deliver() == 0, "nobody else sends what is under way"
        lost.cancel()
        await asyncio.gather(lost, return_exceptions=True)
        await shift_clock(at.desk.database, delivering.LEASE_SECONDS)
        assert await at.deliver() == 1
        first, second = at.receiver.received
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        assert first.body == second.body
        assert [type_ for type_, _ in await at.said()] == ["delivery.delivered"]


async def test_many_at_once_send_each_notice_once(database: str) -> None:
    async with office(database, *[Answer(200)] * 60) as at, at.receiver.serving():
        for number in range(25):
            await at.open(title=f"Deploy {number}")
        await asyncio.gather(*(at.deliver() for _ in range(4)))
        ids = [request.headers["webhook-id"] for request in at.receiver.received]
        assert len(ids) == len(set(ids)) == 25


async def test_the_next_channel_is_used_where_one_fails_for_good(database: str) -> None:
    async with office(database) as at:
        await apply_channels(at, "[slack, webhook, web]")
        hold = await at.open()
        await at.fail_for_good()
        assert await at.deliver() == 1
        [one] = await at.of(hold)
        assert (one["status"], one["channel"], one["channels"]) == ("delivered", "web", ["webhook", "web"])
        (failed, data), (delivered, _) = await at.said()
        assert (failed, data["channel"], data["next_channel"]) == ("delivery.failed", "webhook", "web")
        assert delivered == "delivery.delivered"


async def test_the_dead_are_listed_and_tried_again_when_told(database: str) -> None:
    async with office(database, Answer(200)) as at:
        hold = await at.open()
        await at.fail_for_good()
        await shift_clock(at.desk.database, ONE_DAY)
        assert await at.deliver() == 0
        [dead] = (await at.desk.admin.get("/api/deliveries?status=dead")).json()["deliveries"]
        assert (dead["hold_id"], dead["status"], dead["next_at"]) == (hold, "dead", None)
        again = await at.desk.admin.post(f"/api/deliveries/{dead['id']}/retry")
        assert (again.status_code, again.json()["status"]) == (200, "queued")
        twice = await at.desk.admin.post(f"/api/deliveries/{dead['id']}/retry")
        assert (twice.status_code, twice.json()["code"]) == (409, "conflict")
        async with at.receiver.serving():
            await at.deliver()
        assert [one["status"] for one in await at.of(hold)] == ["delivered"]
        assert at.receiver.received[0].headers["webhook-id"] == dead["id"]


async def test_a_comment_tells_the_other_side(database: str) -> None:
    async with office(database, *[Answer(200)] * 3) as at, at.receiver.serving():
        dev = await at.desk.member("dev", roles=["developer"])
        hold = (await dev.post("/api/holds", json=HOLD)).json()["id"]
        await at.deliver()
        await at.lead.post(f"/api/holds/{hold}/comments", json={"text": "Which migration?"})
        await at.deliver()
        await dev.post(f"/api/holds/{hold}/comments", json={"text": "0005"})
        await at.deliver()
        told = [verified(request) for request in at.receiver.received[1:]]
        assert [one["type"] for one in told] == ["hold.commented"] * 2
        comments = [one["data"]["comment"] for one in told]
        assert [(one["by"], one["text"]) for one in comments] == [("lead", "Which migration?"), ("dev", "0005")]
        assert [[who["name"] for who in one["data"]["people"]] for one in told] == [["dev"], ["admin", "lead"]]


async def test_comments_that_come_fast_are_told_together(database: str) -> None:
    async with office(database, *[Answer(200)] * 4, comments_per_minute=100) as at, at.receiver.serving():
        dev = await at.desk.member("dev", roles=["developer"])
        hold = (await dev.post("/api/holds", json=HOLD)).json()["id"]
        await at.deliver()
        for n in range(50):
            answer = await dev.post(f"/api/holds/{hold}/comments", json={"text": f"please {n}"})
            assert answer.status_code == 201
            await at.deliver()
        await shift_clock(at.desk.database, 61)
        await at.deliver()
        first, rest = [verified(request)["data"] for request in at.receiver.received[1:]]
        assert first["comment"]["text"] == "please 0"
        assert (rest["comment"]["text"], rest["comment_count"]) == ("please 49", 49)
        assert [one["text"] for one in rest["comments"]] == [f"please {n}" for n in range(30, 50)]
        await dev.post(f"/api/holds/{hold}/comments", json={"text": "thank you"})
        await at.deliver()
        assert verified(at.receiver.received[3])["data"]["comment"]["text"] == "thank you"


async def test_openings_that_come_fast_are_told_together(database: str) -> None:
    async with office(database, *[Answer(200)] * 62) as at, at.receiver.serving():
        first = [await at.open() for _ in range(60)]
        gathering = await at.open()
        (await at.bot.post(f"/api/holds/{gathering}/cancel", json={})).raise_for_status()
        for _ in range(5):
            await at.open()
        while await at.deliver():
            pass
        assert {verified(request)["data"]["hold"]["id"] for request in at.receiver.received} == set(first)
        await shift_clock(at.desk.database, 61)
        await at.deliver()
        told = verified(at.receiver.received[60])["data"]
        # although the one that it names has been decided meanwhile
        assert (told["hold"]["id"], told["other_holds"]) == (gathering, 5)


async def test_a_flood_of_one_level_gathers_none_of_another(database: str) -> None:
    async with office(database, *[Answer(200)] * 62) as at, at.receiver.serving():
        for _ in range(61):
            await at.open()
        critical = await at.open(task={"operation": "delete", "environment": "production"})
        while await at.deliver():
            pass
        assert critical in {verified(request)["data"]["hold"]["id"] for request in at.receiver.received}


async def test_talk_goes_on_after_the_decision_and_the_other_side_is_told(database: str) -> None:
    async with office(database, *[Answer(200)] * 2) as at, at.receiver.serving():
        dev = await at.desk.member("dev", roles=["developer"])
        hold = (await dev.post("/api/holds", json=HOLD)).json()["id"]
        await at.deliver()
        (await dev.post(f"/api/holds/{hold}/cancel", json={})).raise_for_status()
        await at.lead.post(f"/api/holds/{hold}/comments", json={"text": "Why cancelled?"})
        await at.deliver()
        told = verified(at.receiver.received[1])
        assert (told["type"], [who["name"] for who in told["data"]["people"]]) == ("hold.commented", ["dev"])


async def test_a_reply_names_a_comment_of_this_hold(database: str) -> None:
    async with office(database) as at:
        hold = await at.open()
        refused = await at.lead.post(f"/api/holds/{hold}/comments", json={"text": "Yes", "reply_to": 99})
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field")


async def test_escalation_tells_those_it_adds(database: str) -> None:
    async with office(database, *[Answer(200)] * 2) as at, at.receiver.serving():
        await at.desk.principal("chief", roles=["cto"])
        await at.open()
        await at.deliver()
        await shift_clock(at.desk.database, 4 * 3600)
        assert await sweeping.sweep(at.desk.app.state.services.context) == 1
        await at.deliver()
        opened, escalated = (verified(request) for request in at.receiver.received)
        assert (opened["type"], escalated["type"]) == ("hold.opened", "hold.escalated")
        assert "chief" not in [who["name"] for who in opened["data"]["people"]]
        assert "chief" in [who["name"] for who in escalated["data"]["people"]]


async def test_nobody_is_told_what_policy_decides(database: str) -> None:
    async with office(database) as at:
        hold = await at.open(task={"operation": "read", "environment": "development"}, action={"name": "read"})
        assert (await at.bot.get(f"/api/holds/{hold}")).json()["status"] == "approved"
        assert await at.deliver() == 0


async def test_without_a_channel_that_is_set_up_nothing_is_queued(database: str) -> None:
    async with desk(database) as at:
        bot = await at.member("bot", "agent")
        hold = (await bot.post("/api/holds", json=HOLD)).json()["id"]
        assert (await bot.get(f"/api/holds/{hold}/deliveries")).json()["deliveries"] == []
