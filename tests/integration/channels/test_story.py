"""One decision, every channel: the same story on each of them, against another side that behaves badly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from apps import Desk, desk
from channel_fakes import RETRY_AFTER, Fault, MailFake, Other, Seen, WebhookFake
from holds_world import shift_clock
from slack_fake import SlackFake, signed

from handrail.channels import delivering, pauses, updating
from handrail.holds import sweeping
from handrail.policy import default_policy
from handrail.policy.loading import APPROVALS

HOLD: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy billing",
    "action": {"name": "deploy", "args": {"version": "1.2", "password": "hunter2"}, "target": "staging"},
}
OTHERS: dict[str, Callable[[], Other]] = {"webhook": WebhookFake, "email": MailFake, "slack": SlackFake}
every_channel = pytest.mark.parametrize("name", sorted(OTHERS))
# a mail server neither asks for a time nor says later what it took
answering_channels = pytest.mark.parametrize("name", sorted(OTHERS.keys() - {"email"}))


@dataclass(frozen=True)
class Office:
    """A desk whose notices go by these channels. `ann` and `ben` may approve what `bot` asks; ann has an address."""

    desk: Desk
    others: dict[str, Other]
    bot: httpx.AsyncClient
    ann: httpx.AsyncClient
    ben: httpx.AsyncClient

    async def open(self, **more: Any) -> dict[str, Any]:
        return (await self.bot.post("/api/holds", json={**HOLD, **more})).raise_for_status().json()

    async def review(self, who: httpx.AsyncClient, hold: dict[str, Any], verdict: str, **more: Any) -> None:
        body = {"verdict": verdict, "digest": hold["digest"], **more}
        (await who.post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()

    async def round(self) -> int:
        """One round of each loop; how much there was to do."""
        services = self.desk.app.state.services
        async with delivering.opened(services.context, services.settings) as channels:
            done = await delivering.deliver(services.context, channels)
            for name, channel in channels.items():
                done += await updating.update(services.context, name, channel)
        return done

    async def settle(self) -> None:
        """Until nothing is left to send, however long that takes by the clock."""
        for _ in range(30):
            if not await self.round() and not await self.waiting():
                return
            await shift_clock(self.desk.database, pauses.LONGEST_PAUSE_SECONDS / 30)
        raise AssertionError("it does not come to an end")

    async def waiting(self) -> int:
        async with self.desk.database.connection() as conn:
            found = await conn.execute(
                "SELECT (SELECT count(*) FROM deliveries WHERE status = 'queued') + (SELECT count(*) FROM messages "
                "WHERE due_at IS NOT NULL AND NOT lost) AS n"
            )
            row = await found.fetchone()
        assert row is not None
        return row["n"]

    def seen(self, hold: dict[str, Any]) -> list[Seen]:
        return [one for other in self.others.values() for one in other.seen(hold["id"])]


@asynccontextmanager
async def office(database: str, *names: str) -> AsyncGenerator[Office]:
    others = {name: OTHERS[name]() for name in names}
    settings = {key: value for other in others.values() for key, value in other.settings.items()}
    async with AsyncExitStack() as stack:
        for other in others.values():
            await stack.enter_async_context(other.serving())
        at = await stack.enter_async_context(desk(database, **settings))
        files = dict(default_policy().source)
        each = "".join(f"\n  by_{name}: {{to: [team_lead], channels: [{name}, web]}}" for name in names)
        files[APPROVALS] = files[APPROVALS].replace("\nroutes:", f"\nroutes:{each}")
        rules = next(name for name, text in files.items() if "\nlevels:" in text)
        routes = ", ".join(f"by_{name}" for name in names)
        files[rules] = files[rules].replace("notify: [approvers]", f"notify: [{routes}]")
        (await at.admin.post("/api/policy", json={"files": files})).raise_for_status()
        ann, ben = await at.member("ann", roles=["team_lead"]), await at.member("ben", roles=["team_lead"])
        people = {one["name"]: one["id"] for one in (await at.admin.get("/api/people")).json()["people"]}
        (await at.admin.patch(f"/api/people/{people['ann']}", json={"email": "ann@example.org"})).raise_for_status()
        (await at.admin.patch(f"/api/people/{people['admin']}", json={"roles": ["administrator"]})).raise_for_status()
        if "slack" in names:
            code = (await ann.post("/api/me/links", json={"channel": "slack"})).raise_for_status().json()["code"]
            linking = {"type": "command", "user_id": "U1ANN", "text": f"link {code}"}
            (await at.client().post("/api/channels/slack", **signed(linking))).raise_for_status()
        yield Office(at, others, await at.member("bot", "agent"), ann, ben)


@every_channel
async def test_whatever_ends_a_hold_closes_it_there_and_says_how(database: str, name: str) -> None:
    async with office(database, name) as at:
        approved, rejected, cancelled, expired = [
            await at.open(title=f"Deploy {n}", **({"expires_in": 600} if n == 3 else {})) for n in range(4)
        ]
        await at.settle()
        for hold in (approved, rejected, cancelled, expired):
            [seen] = at.seen(hold)
            assert seen.asks, seen
        await at.review(at.ben, approved, "approve")
        await at.review(at.ben, rejected, "reject", reason="not while hunter2 is in use")
        (await at.bot.post(f"/api/holds/{cancelled['id']}/cancel", json={})).raise_for_status()
        await shift_clock(at.desk.database, 601)
        await sweeping.sweep(at.desk.context)
        await at.settle()
        ends = {
            approved["id"]: ("approved by ben", "Approved by ben"),
            rejected["id"]: ("rejected by ben", "Rejected by ben"),
            cancelled["id"]: ("cancelled by bot", "Cancelled by bot"),
            expired["id"]: ("expired by expiry", "Expired: nobody decided in time"),
        }
        for hold in (approved, rejected, cancelled, expired):
            [seen] = at.seen(hold)
            assert not seen.asks
            assert any(words in seen.text for words in ends[hold["id"]]), seen.text
            assert "hunter2" not in seen.text


@every_channel
async def test_what_is_amended_or_reopened_asks_again_and_is_closed_again(database: str, name: str) -> None:
    async with office(database, name) as at:
        hold = await at.open()
        await at.settle()
        amended = {"name": "deploy", "args": {"version": "1.3"}, "target": "staging"}
        await at.review(at.ben, hold, "amend", amended_action=amended)
        await at.settle()
        [seen] = at.seen(hold)
        assert seen.asks
        assert "1.3" in seen.text
        now = (await at.ann.get(f"/api/holds/{hold['id']}")).json()
        await at.review(at.ben, now, "approve")
        await at.settle()
        assert [one.asks for one in at.seen(hold)] == [False]
        (await at.ben.post(f"/api/holds/{hold['id']}/withdraw", json={})).raise_for_status()
        await at.settle()
        assert [one.asks for one in at.seen(hold)] == [True]


@every_channel
@pytest.mark.parametrize("fault", ["limited", "broken", "lost"])
async def test_a_fault_delays_and_neither_loses_nor_doubles(database: str, name: str, fault: Fault) -> None:
    async with office(database, name) as at:
        other = at.others[name]
        other.faults.extend([fault, fault])
        hold = await at.open()
        await at.settle()
        assert [one.asks for one in at.seen(hold)] == [True]
        other.faults.extend([fault, fault])
        await at.review(at.ben, hold, "approve")
        await at.round()
        [shown] = (await at.ann.get(f"/api/holds/{hold['id']}/deliveries")).json()["messages"]
        assert (shown["channel"], shown["status"]) == (name, "updating")
        await at.settle()
        [shown] = (await at.ann.get(f"/api/holds/{hold['id']}/deliveries")).json()["messages"]
        assert (shown["status"], shown["last_error"]) == ("current", None)
        assert [one.asks for one in at.seen(hold)] == [False]
        # nothing is left that would be sent once more
        assert await at.round() == 0


@every_channel
async def test_a_decision_while_the_message_is_under_way_reaches_it(database: str, name: str) -> None:
    async with office(database, name) as at:
        hold = await at.open()
        at.others[name].meanwhile = lambda: at.review(at.ben, hold, "approve")
        await at.settle()
        [seen] = at.seen(hold)
        assert not seen.asks
        assert "by ben" in seen.text


@answering_channels
async def test_one_whose_answer_was_lost_is_closed_though_it_is_never_sent_again(database: str, name: str) -> None:
    async with office(database, name) as at:
        at.others[name].faults.append("lost")
        hold = await at.open()
        await at.round()
        await at.review(at.ben, hold, "approve")
        await at.settle()
        assert [one.asks for one in at.seen(hold)] == [False]


@pytest.mark.parametrize("name", ["slack"])
async def test_a_message_that_somebody_deleted_harms_nothing(database: str, name: str) -> None:
    async with office(database, name) as at:
        hold = await at.open()
        await at.settle()
        at.others[name].delete()
        await at.review(at.ben, hold, "approve")
        await at.settle()
        assert at.seen(hold) == []
        [shown] = (await at.ann.get(f"/api/holds/{hold['id']}/deliveries")).json()["messages"]
        assert (shown["channel"], shown["status"]) == (name, "outdated")
        [lost] = [one for one in await at.desk.events() if one["type"] == "delivery.outdated"]
        assert lost["data"]["channel"] == name


@every_channel
async def test_two_servers_send_and_update_once(database: str, name: str) -> None:
    async with office(database, name) as at:
        opened = [await at.open(title=f"Deploy {n}") for n in range(6)]
        await asyncio.gather(at.round(), at.round())
        for hold in opened:
            await at.review(at.ben, hold, "approve")
        await asyncio.gather(at.round(), at.round())
        await at.settle()
        assert [[one.asks for one in at.seen(hold)] for hold in opened] == [[False]] * 6


@answering_channels
async def test_a_channel_that_asks_to_wait_is_left_alone_that_long(database: str, name: str) -> None:
    async with office(database, name) as at:
        at.others[name].faults.append("limited")
        hold = await at.open()
        await at.round()
        await shift_clock(at.desk.database, RETRY_AFTER - 1)
        assert await at.round() == 0
        await shift_clock(at.desk.database, 1)
        await at.round()
        assert [one.asks for one in at.seen(hold)] == [True]
