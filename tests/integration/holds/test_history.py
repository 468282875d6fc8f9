"""The example of a company's history: it plays through the API, and the log that it leaves is whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from apps import services
from feed_world import audit_folder

from examples.history.company import Month
from examples.history.make import Stage, milestones
from handrail.core.verification import verify
from handrail.store.audit_files import read_public_keys

DAYS = 2
# a Monday
BEGIN = datetime(2026, 3, 2, 6, tzinfo=UTC)


def test_a_seed_gives_the_same_month() -> None:
    first, again, other = (Month(BEGIN, 30, Random(seed)).asks() for seed in (7, 7, 8))
    assert first == again
    assert first != other
    assert {ask.agent for ask in first} == {"deploy-bot", "support-bot", "ops-bot", "data-bot"}


async def test_days_of_it_play_and_the_log_is_whole(database: str, tmp_path: Path) -> None:
    end = BEGIN + timedelta(days=DAYS)
    async with services(database) as made:
        async with made.database.transaction() as conn:
            await conn.execute("UPDATE clock SET shift = %s - clock_timestamp()", (BEGIN,))
        stage = Stage(made)
        await stage.furnish()
        month = Month(BEGIN, DAYS, Random(7))
        await milestones(stage, month)
        for ask in [*month.asks(), *month.waiting(end)]:
            stage.ask(ask)
        await stage.play(end)
        last = await stage.sealed()
        found = await stage.get("/api/insights?since=2026-03-01T00:00:00Z&until=2026-03-05T00:00:00Z")
        samples = await stage.get("/api/samples")
        exported = await stage.lines("/api/audit/export")
    outcomes = found["outcomes"]
    assert outcomes["approved"] > 5 and outcomes["cancelled"] == 1 and outcomes["unasked"] > 5
    assert outcomes["pending"] == 6
    assert {one["name"] for one in found["rules"]} >= {"deploy-staging", "deploy-production", "delete-production"}
    assert [one["entry"] for one in samples["rates"]] == ["customers-looked-at", "logs-looked-at"]
    report = verify(exported, read_public_keys(audit_folder() / "key.pub"))
    assert report.whole and report.entries == last
