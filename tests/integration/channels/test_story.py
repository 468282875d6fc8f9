"""One decision, every channel: the same story on each of them, against another side that behaves badly."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from channel_fakes import RETRY_AFTER, Fault
from channel_world import OTHERS, office
from holds_world import shift_clock

from handrail.holds import sweeping

every_channel = pytest.mark.parametrize("name", sorted(OTHERS))
# a mail server neither asks for a time nor says later what it took
answering_channels = pytest.mark.parametrize("name", sorted(OTHERS.keys() - {"email"}))


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
        amended = {"name": "deploy", "args": {"version": "1.3"}, "target": "staging-eu"}
        await at.review(at.ben, hold, "amend", amended_action=amended)
        await at.settle()
        [seen] = at.seen(hold)
        assert seen.asks
        assert "staging-eu" in seen.text
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


@pytest.mark.parametrize("name", ["slack", "push", "linear"])
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


@answering_channels
async def test_ten_minutes_of_being_asked_to_wait_lose_nothing_and_use_no_other_channel(
    database: str, name: str
) -> None:
    async with office(database, name) as at:
        shown = await at.open(title="Before")
        await at.settle()
        other = at.others[name]
        other.faults.extend(itertools.repeat("limited", 1000))
        waiting = await at.open(title="Meanwhile")
        await at.review(at.ben, shown, "approve")
        for _ in range(20):
            await at.round()
            await shift_clock(at.desk.database, 30)
        [delivery] = (await at.ann.get(f"/api/holds/{waiting['id']}/deliveries")).json()["deliveries"]
        assert (delivery["channel"], delivery["status"]) == (name, "queued")
        other.faults.clear()
        await at.settle()
        assert [one.asks for one in at.seen(waiting)] == [True]
        assert [one.asks for one in at.seen(shown)] == [False]


@every_channel
async def test_a_channel_that_is_away_for_an_hour_is_brought_up_to_date_and_the_next_one_is_used(
    database: str, name: str
) -> None:
    async with office(database, name) as at:
        shown = await at.open(title="Before")
        await at.settle()
        other = at.others[name]
        other.faults.extend(itertools.repeat("broken", 1000))
        await at.review(at.ben, shown, "approve")
        asked = await at.open(title="Meanwhile")
        for _ in range(30):
            await at.round()
            await shift_clock(at.desk.database, 120)
        # whoever looks into the inbox has been told
        [delivery] = (await at.ann.get(f"/api/holds/{asked['id']}/deliveries")).json()["deliveries"]
        assert (delivery["channel"], delivery["status"]) == ("web", "delivered")
        [message] = (await at.ann.get(f"/api/holds/{shown['id']}/deliveries")).json()["messages"]
        assert message["status"] == "updating"
        other.faults.clear()
        await at.settle()
        [seen] = at.seen(shown)
        assert not seen.asks
        assert "by ben" in seen.text
        assert at.seen(asked) == []
