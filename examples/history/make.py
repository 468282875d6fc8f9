"""Plays a month of Fernwood's history into a new data folder, through the API, with the database's clock set back.

python examples/history/make.py DATA [--seed 7] [--days 30]
handrail up --data DATA
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import logging
import secrets
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx
import structlog

sys.path.insert(0, str(Path(__file__).parent))

from company import AGENTS, PEOPLE, SAMPLED, TARGETS, Ask, Json, Month, Say

from handrail import settings
from handrail.api.app import create_app
from handrail.api.services import Services
from handrail.cli import serving
from handrail.cli.upkeep import migrated
from handrail.holds.sweeping import sweep
from handrail.people.bootstrap import bootstrap_administrator
from handrail.store import embedded
from handrail.store.database import opened

URL = "http://127.0.0.1:8400"
MINUTE = timedelta(minutes=1)
SATURDAY = 5
Act = Callable[[], Awaitable[None]]


class Stage:
    """The company at work: what happens is queued by its time, and happens when the clock is there."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._app = create_app(services)
        self._clients: dict[str, httpx.AsyncClient] = {}
        self._queue: list[tuple[datetime, int, Act]] = []
        self._numbers = count()
        self.refused: list[str] = []

    async def furnish(self) -> None:
        """People with passwords that nobody knows, so that their tokens are their own; agents with tokens."""
        token = f"hr_{secrets.token_urlsafe(32)}"
        await bootstrap_administrator(self._services.database, admin_token=token)
        self._clients["admin"] = self._client(token)
        for name, roles in PEOPLE.items():
            await self._add({"name": name, "roles": roles})
            await self.post(name, "/api/me/password", {"password": secrets.token_urlsafe(16)})
        for name in AGENTS:
            await self._add({"name": name, "kind": "agent"})

    async def _add(self, who: Json) -> None:
        await self.post("admin", "/api/people", who)
        made = await self.post("admin", "/api/tokens", {"principal": who["name"], "label": "history"})
        self._clients[who["name"]] = self._client(made["token"])

    def _client(self, token: str) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.AsyncClient(transport=httpx.ASGITransport(self._app), base_url=URL, headers=headers, timeout=60)

    async def post(self, who: str, path: str, body: Json) -> Json:
        answer = await self._clients[who].post(path, json=body)
        if answer.status_code >= httpx.codes.BAD_REQUEST:
            raise RuntimeError(f"{who} {path}: {answer.text}")
        return answer.json() if answer.content else {}

    async def get(self, path: str, who: str = "admin") -> Json:
        return (await self._clients[who].get(path)).raise_for_status().json()

    async def lines(self, path: str) -> list[bytes]:
        answer = (await self._clients["admin"].get(path)).raise_for_status()
        return answer.content.splitlines()

    def at(self, moment: datetime, act: Act) -> None:
        heapq.heappush(self._queue, (moment, next(self._numbers), act))

    async def play(self, until: datetime) -> None:
        """Everything that is queued, in its order; deadlines fall when they are due."""
        while self._queue and self._queue[0][0] < until:
            moment, _, act = heapq.heappop(self._queue)
            await self._deadlines(moment)
            await set_clock(self._services, moment)
            await act()
        await self._deadlines(until)

    async def _deadlines(self, until: datetime) -> None:
        async with self._services.database.connection() as conn:
            found = await conn.execute(
                "SELECT alarm_at AS due FROM holds WHERE status = 'pending' AND alarm_at < %s ORDER BY alarm_at",
                (until,),
            )
            due = [row["due"] for row in await found.fetchall()]
        for moment in due:
            await set_clock(self._services, moment + timedelta(seconds=1))
            await sweep(self._services.context)
        if due:
            # an escalation gives a hold its next deadline
            await self._deadlines(until)

    def ask(self, ask: Ask) -> None:
        self.at(ask.at, lambda: self._open(ask))

    async def _open(self, ask: Ask) -> None:
        try:
            hold = await self.post(ask.agent, "/api/holds", ask.body)
        except RuntimeError as error:
            # the brake
            self.refused.append(str(error))
            return
        if hold["status"] == "approved":
            self.at(ask.at + timedelta(seconds=2), lambda: self._use(ask, hold["id"]))
            return
        for say in ask.says:
            self.at(ask.at + timedelta(seconds=say.after), lambda say=say: self._say(hold["id"], say))
        last = max((say.after for say in ask.says), default=0)
        if ask.comment:
            who, text = ask.comment
            await self.post(who, f"/api/holds/{hold['id']}/comments", {"text": text})
        if ask.grant:
            self.at(ask.at + timedelta(seconds=last + 60), lambda: self._allow(ask, hold["id"]))
        if ask.withdrawn:
            self.at(ask.at + timedelta(seconds=last + 120), lambda: self._withdraw(ask, hold["id"]))
        if ask.then == "cancel":
            reason = {"reason": "The list of prices was out of date."}
            self.at(ask.at + 9 * MINUTE, lambda: self._post(ask.agent, f"/api/holds/{hold['id']}/cancel", reason))
        elif ask.then != "leave":
            self.at(ask.at + timedelta(seconds=last + 5), lambda: self._use(ask, hold["id"]))

    async def _post(self, who: str, path: str, body: Json) -> None:
        await self.post(who, path, body)

    async def _say(self, hold_id: str, say: Say) -> None:
        hold = await self.get(f"/api/holds/{hold_id}")
        if hold["status"] != "pending":
            return
        body: Json = {"verdict": say.verdict, "digest": hold["digest"], "reason": say.reason}
        if say.amended is not None:
            body["amended_action"] = {**hold["action"], "args": say.amended}
        try:
            await self.post(say.who, f"/api/holds/{hold_id}/reviews", body)
        except RuntimeError as error:
            # the brake: nobody approves while it is on
            self.refused.append(str(error))

    async def _withdraw(self, ask: Ask, hold_id: str) -> None:
        assert ask.withdrawn is not None
        who, reason = ask.withdrawn
        await self.post(who, f"/api/holds/{hold_id}/withdraw", {"reason": reason})

    async def _allow(self, ask: Ask, hold_id: str) -> None:
        assert ask.grant is not None
        hold = await self.get(f"/api/holds/{hold_id}")
        body = {name: ask.grant[name] for name in ("uses", "reason", "args")}
        body |= {"digest": hold["digest"], "until": (ask.at + timedelta(days=21)).isoformat()}
        await self.post(ask.grant["who"], f"/api/holds/{hold_id}/grant", body)

    async def _use(self, ask: Ask, hold_id: str) -> None:
        hold = await self.get(f"/api/holds/{hold_id}")
        if hold["status"] != "approved" or hold["action"] is None:
            return
        await self.post(ask.agent, f"/api/holds/{hold_id}/redeem", {"digest": hold["digest"], "key": "once"})
        outcome = {"outcome": "failed", "detail": "exit code 1"} if ask.then == "fail" else {"outcome": "succeeded"}
        await self.post(ask.agent, f"/api/holds/{hold_id}/result", outcome)

    async def look_at_samples(self, who: str, found: Callable[[Json], str | None]) -> None:
        for sample in (await self.get("/api/samples", who))["samples"]:
            why = found(sample)
            await self.post(who, f"/api/holds/{sample['hold_id']}/sample", {"finding": why is not None, "reason": why})

    async def sealed(self) -> int:
        """The number of the last entry, once every event has its number."""
        while True:
            async with self._services.database.connection() as conn:
                found = await conn.execute(
                    "SELECT (SELECT count(*) FROM event_inbox) AS waiting, coalesce(max(seq), 0) AS last FROM events"
                )
                row: Any = await found.fetchone()
            if not row["waiting"]:
                return row["last"]
            await asyncio.sleep(0.1)


async def set_clock(services: Services, moment: datetime) -> None:
    async with services.database.transaction() as conn:
        await conn.execute("UPDATE clock SET shift = %s - clock_timestamp()", (moment,))


async def milestones(stage: Stage, month: Month) -> None:
    """What people do that is no answer to a hold: an agent is observed first, the policy changes, a brake, samples."""
    begin, days = month.begin, month.days

    def later(part: float, act: Act) -> None:
        stage.at(begin + timedelta(days=days * part), act)

    async def observe() -> None:
        await stage.post("Ada", "/api/observations", {"agent": "ops-bot", "reason": "New: we watch it for a week."})

    async def enforce() -> None:
        await stage.post("Ada", "/api/observations/end", {"agent": "ops-bot", "reason": "A week without surprises."})

    async def policy(old: str, new: str, reason: str, name: str = "risk-assessment-rules.yaml") -> None:
        files = (await stage.get("/api/policy"))["files"]
        assert old in files[name]
        files[name] = files[name].replace(old, new, 1)
        await stage.post("Ada", "/api/policy", {"files": files, "reason": reason})

    async def brake() -> None:
        body = {"agent": "support-bot", "pending": "freeze", "reason": "It refunds orders that were never paid."}
        await stage.post("Mara", "/api/brake", body)

    async def lift() -> None:
        await stage.post("Ada", "/api/brake/lift", {"agent": "support-bot", "reason": "Its prompt is mended."})

    later(0, observe)
    later(0.23, enforce)
    reason = "Asking less stays checked: we look at some of what ran unasked."
    later(0.1, lambda: policy("\nactions:\n", f"{TARGETS}actions:{SAMPLED}", reason, "actions.yaml"))
    for part in (0.3, 0.5, 0.7, 0.9):
        later(part, lambda: stage.look_at_samples("Mara", month.found))
    later(0.4, lambda: policy("timeout: 24h", "timeout: 12h", "What is medium should not wait overnight."))
    later(0.75, lambda: policy("escalate_after: 4h", "escalate_after: 2h", "Earlier, now that it expires earlier."))
    morning = next(
        day
        for n in range(round(days * 0.6), days + 7)
        if (day := (begin + timedelta(days=n)).replace(hour=10)).weekday() < SATURDAY
    )
    stage.at(morning, brake)
    stage.at(morning + 240 * MINUTE, lift)


async def make(data: Path, seed: int, days: int) -> str:
    """What was made, in a sentence."""
    found = settings.load(data=data)
    now = datetime.now(UTC)
    begin = (now - timedelta(days=days)).replace(hour=6, minute=0, second=0, microsecond=0)
    async with migrated(found) as dsn:
        async with opened(dsn) as database, database.transaction() as conn:
            # before anything is written, so that nothing is older than its beginning
            await conn.execute("UPDATE clock SET shift = %s - clock_timestamp()", (begin,))
        async with serving.services(found) as services:
            stage = Stage(services)
            await stage.furnish()
            month = Month(begin, days, Random(seed))
            await milestones(stage, month)
            for ask in [*month.asks(), *month.waiting(now)]:
                if ask.at < now - MINUTE:
                    stage.ask(ask)
            await stage.play(now - MINUTE)
            async with services.database.transaction() as conn:
                await conn.execute("UPDATE clock SET shift = interval '0'")
            last = await stage.sealed()
            figures = await stage.get(f"/api/insights?since={(now - timedelta(days=days + 1)):%Y-%m-%dT%H:%M:%SZ}")
    outcomes = figures["outcomes"]
    return (
        f"{outcomes['total']} holds in {days} days, {outcomes['rejected']} rejected, {outcomes['pending']} pending; "
        f"{len(stage.refused)} requests were stopped by the brake; {last} entries in the audit log."
    )


def main() -> None:
    reader = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    reader.add_argument("data", type=Path, help="a new folder")
    reader.add_argument("--seed", type=int, default=7)
    reader.add_argument("--days", type=int, default=30)
    given = reader.parse_args()
    if embedded.exists(given.data):
        raise SystemExit(f"{given.data} is in use. Name a new folder: history is only written where there is none.")
    # one line for each of thousands of requests says nothing here
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    print(asyncio.run(make(given.data, given.seed, given.days)))
    print(f"Look at it: handrail up --data {given.data}")


if __name__ == "__main__":
    main()
