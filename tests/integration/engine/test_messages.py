"""What models and tools say is told: text as it comes, whole messages, calls, and what it cost."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

from engine_world import answer, go, look, said, start

from handrail.core.run_events import MessageCompleted, RunCompleted, RunResumed, RunToolCalled
from handrail.core.runs import Budget, Run, RunStatus, Usage
from handrail.engine.driver import Seat
from handrail.engine.scribe import Scribe
from handrail.store import claims
from handrail.store.chunks import Chunk
from handrail.store.claims import Claim
from handrail.store.database import Connection, Database


def message(content: str) -> MessageCompleted:
    return MessageCompleted(message_id="m", attempt=1, role="ai", node="n", content=content)


async def chunks_of(database: Database, run: Run) -> list[tuple[str, int, int, str, str]]:
    async with database.connection() as conn:
        rows = await conn.execute(
            "SELECT * FROM message_chunks WHERE run_id = %s ORDER BY message_id, attempt, start", (run.id,)
        )
        return [(r["message_id"], r["attempt"], r["start"], r["kind"], r["text"]) for r in await rows.fetchall()]


async def test_an_agent_s_messages_and_calls_are_in_the_log_and_nothing_else_is_left(seat: Seat) -> None:
    database = seat.context.database
    run = await start(database, "talking", {"messages": [{"role": "user", "content": "Oslo?"}]})
    ended = await go(seat, run)
    assert ended.status is RunStatus.completed, ended.error
    told: list[tuple[str, Any]] = await said(database, run)
    kinds = [kind for kind, _ in told]
    assert kinds.index("message.completed") < kinds.index("run.tool_called") < kinds.index("run.tool_returned")
    first, second = (data for kind, data in told if kind == "message.completed")
    assert (first["role"], first["content"], first["reasoning"]) == ("ai", "One moment", "Let me look. ")
    assert first["tool_calls"] == [{"name": "weather", "args": {"city": "Oslo"}, "call_id": "c1"}]
    assert (second["content"], second["node"], second["attempt"]) == ("It rains in Oslo.", "model", 1)
    called = dict(told)["run.tool_called"]
    assert (called["name"], called["call_id"], called["args"]) == ("weather", "c1", {"city": "Oslo"})
    assert dict(told)["run.tool_returned"] == {"name": "weather", "call_id": "c1", "content": "rain in Oslo"}
    assert await chunks_of(database, run) == []
    assert ended.usage.tokens_in > 0 and ended.usage.cost > 0


async def claimed(database: Database) -> Run:
    async with database.transaction() as conn:
        (run,) = await claims.claim(conn, "w", ["walk"])
    return run


async def test_text_is_kept_as_it_comes_and_goes_with_the_whole_message(seat: Seat) -> None:
    database = seat.context.database
    await start(database, "walk")
    run = await claimed(database)
    scribe = Scribe(seat.context, run)
    for kind, text in (("reasoning", "Hm"), ("answer", "Hel"), ("answer", "lo")):
        scribe.stream("m", kind, text)
    await scribe.flush()
    scribe.stream("m", "answer", " there")
    await scribe.flush()
    assert await chunks_of(database, run) == [
        ("m", 1, 0, "reasoning", "Hm"),
        ("m", 1, 2, "answer", "Hello"),
        ("m", 1, 7, "answer", " there"),
    ]
    scribe.complete("task", message("Hello there"))
    await scribe.flush()
    assert "message.completed" not in dict(await said(database, run)), "its task has not ended"
    await write_with(scribe, database, run, "task")
    assert await chunks_of(database, run) == []
    assert dict(await said(database, run))["message.completed"]["content"] == "Hello there"


async def test_text_of_an_attempt_that_died_is_given_up_by_the_next(seat: Seat) -> None:
    database = seat.context.database
    run = await start(database, "walk")
    first = await claimed(database)
    scribe = Scribe(seat.context, first)
    scribe.stream("m", "answer", "Once upon")
    await scribe.flush()
    async with database.transaction() as conn:
        await claims.let_go(conn, Claim.of(first))
    ended = await go(seat, run)
    assert ended.status is RunStatus.completed
    told: list[tuple[str, Any]] = await said(database, run)
    assert {"message_id": "m", "attempt": 1} in [data for kind, data in told if kind == "message.discarded"]
    assert await chunks_of(database, run) == []


async def test_a_message_of_a_node_that_asks_counts_once_when_the_node_has_ended(seat: Seat) -> None:
    database = seat.context.database
    run = await start(database, "musing")
    assert (await go(seat, run)).status is RunStatus.paused
    shown = await chunks_of(database, run)
    assert "".join(text for *_, text in shown) == "I wonder", "who is asked can read it meanwhile"
    assert "message.completed" not in dict(await said(database, run))
    await answer(seat.context, run, "What for?", "for fun")
    assert (await go(seat, run)).result == {"steps": ["I wonder", "for fun"]}
    told: list[tuple[str, Any]] = await said(database, run)
    completed = [data for kind, data in told if kind == "message.completed"]
    assert [(data["content"], data["attempt"]) for data in completed] == [("I wonder", 2)]
    discarded = [data for kind, data in told if kind == "message.discarded"]
    assert discarded == [{"message_id": shown[0][0], "attempt": 1}]
    assert await chunks_of(database, run) == []


async def test_nothing_is_lost_where_writing_fails(seat: Seat) -> None:
    database = seat.context.database
    await start(database, "walk")
    run = await claimed(database)
    scribe = Scribe(seat.context, run)
    scribe.say(RunToolCalled(name="a", call_id=None, args=None))
    scribe.complete("task", message("x"))
    scribe.use(Usage(tokens_in=3))
    try:
        async with scribe.writing_all():
            raise ConnectionError
    except ConnectionError:
        pass
    await write_with(scribe, database, run, None)
    assert [kind for kind, _ in await said(database, run)] == ["run.tool_called", "message.completed"]
    assert (await look(database, run)).usage.tokens_in == 3


async def test_what_is_being_written_is_in_the_log_before_what_comes_later(seat: Seat) -> None:
    database = seat.context.database
    await start(database, "walk")
    run = await claimed(database)
    scribe = Scribe(seat.context, run)
    scribe.say(RunResumed(holds=()))
    async with database.transaction() as conn:
        await conn.execute("SELECT FROM runs WHERE id = %s FOR UPDATE", (run.id,))
        flushing = asyncio.create_task(scribe.flush())
        await waits_for_a_lock(conn)
        scribe.say(RunCompleted(result=None))
        began = asyncio.Event()
        ending = asyncio.create_task(write_with(scribe, database, run, None, began))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not began.is_set()
    await ending
    assert flushing.done()
    assert [kind for kind, _ in await said(database, run)] == ["run.resumed", "run.completed"]


async def write_with(
    scribe: Scribe, database: Database, run: Run, task: str | None, began: asyncio.Event | None = None
) -> None:
    async with scribe.writing_with(task) if task else scribe.writing_all() as write:
        if began:
            began.set()
        async with claims.fenced(database, Claim.of(run)) as conn:
            await write(conn)


async def waits_for_a_lock(conn: Connection) -> None:
    """Until somebody waits for what this connection has locked."""
    waiting = "SELECT FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    async with asyncio.timeout(30):
        while await (await conn.execute(waiting)).fetchone() is None:
            pass


async def test_a_run_stops_when_its_money_is_spent(seat: Seat) -> None:
    run = await start(seat.context.database, "spending", budget=Budget(steps=50, seconds=60, cost=Decimal(20)))
    ended = await go(seat, run)
    error: Any = ended.error
    assert (error["code"], error["node"]) == ("budget_exceeded", "spend")
    assert 20 < ended.usage.cost < 60 and 1 < ended.usage.steps < 10


def test_pieces_are_joined() -> None:
    from handrail.engine.scribe import joined

    pieces = [Chunk("m", 0, "answer", "a"), Chunk("m", 1, "answer", "b"), Chunk("n", 0, "answer", "c")]
    assert joined(pieces) == [Chunk("m", 0, "answer", "ab"), Chunk("n", 0, "answer", "c")]
