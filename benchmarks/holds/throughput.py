"""Open and decide, against bare transactions that write the same rows."""

from __future__ import annotations

from typing import Any, LiteralString

from handrail.core.holds import Hold, Verdict
from handrail.holds import deciding
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import open_hold

from .timing import timed
from .wire import Wire
from .world import BODY, World, opening, world

TIMES = 2000
OVER_HTTP = 1000

COLUMNS: LiteralString = (
    "kind, status, level, title, action, opener_id, audience_id, opened_at, urgency, due_at, search, state"
)
EVENT: LiteralString = "at, type, actor_id, hold_id, kind, audience_id, opener_id, data"


async def measure() -> dict[str, float]:
    async with world() as at:
        holds: list[Hold] = []

        async def open_one(n: int) -> None:
            holds.append(await open_hold(at.context, at.agent, opening(n)))

        async def decide_one(n: int) -> None:
            await deciding.review(at.context, at.person, holds[n].id, Say(Verdict.approve, holds[n].digest))

        opens = await timed(TIMES, open_one)
        bare_opens = await timed(TIMES, lambda n: _bare_open(at.context, holds[n]))
        decides = await timed(TIMES, decide_one)
        bare_decides = await timed(TIMES, lambda n: _bare_decide(at.context, holds[n]))
        http = await _over_http(at)
    return {
        **bare_opens.figures("bare_open"),
        **opens.figures("open"),
        "open_ratio_to_bare": opens.per_second / bare_opens.per_second,
        **bare_decides.figures("bare_decide"),
        **decides.figures("decide"),
        "decide_ratio_to_bare": decides.per_second / bare_decides.per_second,
        **http,
        "open_over_http_ratio_to_bare": http["open_over_http_per_second"] / bare_opens.per_second,
        "decide_over_http_ratio_to_bare": http["decide_over_http_per_second"] / bare_decides.per_second,
    }


async def _over_http(at: World) -> dict[str, float]:
    opened: list[dict[str, Any]] = []
    url = at.server.url
    async with Wire(url, at.agent_token) as agent, Wire(url, at.person_token) as person:

        async def open_one(n: int) -> None:
            opened.append(await agent.post("/api/holds", {**BODY, "title": f"Send report {n}"}))

        async def decide_one(n: int) -> None:
            body = {"verdict": "approve", "digest": opened[n]["digest"]}
            await person.post(f"/api/holds/{opened[n]['id']}/reviews", body)

        opens = await timed(OVER_HTTP, open_one)
        decides = await timed(OVER_HTTP, decide_one)
    return {**opens.figures("open_over_http"), **decides.figures("decide_over_http")}


async def _bare_open(context: Context, like: Hold) -> None:
    """One row of holds and one of events, copied from a hold that is there: the floor of what opening writes."""
    async with context.database.transaction() as conn, conn.pipeline():
        await conn.execute(
            f"INSERT INTO holds (id, {COLUMNS}) SELECT gen_random_uuid(), {COLUMNS} FROM holds WHERE id = %s",
            (like.id,),
        )
        await conn.execute(
            f"INSERT INTO event_inbox ({EVENT}) SELECT opened_at, 'hold.opened', opener_id, id, kind, audience_id, "
            "opener_id, '{}' FROM holds WHERE id = %s",
            (like.id,),
        )


async def _bare_decide(context: Context, like: Hold) -> None:
    """One hold locked and written back, two events: the floor of what deciding writes."""
    async with context.database.transaction() as conn:
        await conn.execute("SELECT state::text FROM holds WHERE id = %s FOR UPDATE", (like.id,))
        async with conn.pipeline():
            await conn.execute(
                "UPDATE holds SET status = 'approved', decided_at = handrail_now(), state = state WHERE id = %s",
                (like.id,),
            )
            for _ in range(2):
                await conn.execute(
                    f"INSERT INTO event_inbox ({EVENT}) SELECT opened_at, 'hold.decided', opener_id, id, kind, "
                    "audience_id, opener_id, '{}' FROM holds WHERE id = %s",
                    (like.id,),
                )
