"""A claimed run goes to its next pause or its end, whatever its graph does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import engine_graphs
import pytest
from engine_world import GRAPHS, answer, confirm, go, holds_of, look, principal, said, start
from langgraph.runtime import RunControl

from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Verdict
from handrail.core.runs import Budget, Run, RunStatus
from handrail.engine.driver import Seat, drive
from handrail.engine.registry import Workflow
from handrail.holds import braking, deciding
from handrail.holds.deciding import Say
from handrail.store import claims, runs


async def test_a_run_goes_to_its_end_and_each_step_is_told(seat: Seat) -> None:
    run = await start(seat.context.database, "walk", {"steps": ["start"]})
    ended = await go(seat, run)
    assert (ended.status, ended.result) == (RunStatus.completed, {"steps": ["start", "left", "right"]})
    assert (ended.usage.steps, ended.attempts, ended.worker) == (2, 0, None)
    assert ended.ended_at is not None and ended.usage.seconds > 0
    told = await said(seat.context.database, run)
    assert [(kind, data.get("node"), data.get("step")) for kind, data in told] == [
        ("run.step_completed", "left", 1),
        ("run.step_completed", "right", 2),
        ("run.completed", None, None),
    ]
    assert told[0][1]["update"] == {"steps": ["left"]}


async def test_each_question_of_a_node_has_its_own_hold_and_its_own_answer(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "asking")
    paused = await go(seat, run)
    assert paused.status is RunStatus.paused
    first = await holds_of(context, run)
    assert set(first) == {"staging?"}
    await answer(context, run, "staging?", "yes")
    assert (await look(context.database, run)).status is RunStatus.queued
    assert (await go(seat, run)).status is RunStatus.paused
    second = await holds_of(context, run)
    assert set(second) == {"production?"}
    await answer(context, run, "production?", "no")
    ended = await go(seat, run)
    assert ended.result == {"steps": ["ask: staging? yes", "ask: production? no", "act"]}
    kinds = [kind for kind, _ in await said(context.database, run) if kind.startswith("run.")]
    paused_and_resumed = ["run.paused", "run.resumed", "run.paused", "run.resumed"]
    assert kinds == [*paused_and_resumed, "run.step_completed", "run.step_completed", "run.completed"]


async def test_parallel_questions_are_answered_one_by_one(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "parallel")
    await go(seat, run)
    before = await holds_of(context, run)
    assert set(before) == {"a?", "b?"}
    await answer(context, run, "b?", "B")
    assert (await go(seat, run)).status is RunStatus.paused
    left = await holds_of(context, run)
    assert left == {"a?": before["a?"]}
    await answer(context, run, "a?", "A")
    result: Any = (await go(seat, run)).result
    assert sorted(result["steps"]) == ["a: a? A", "b: b? B", "c", "join"]


async def test_parallel_questions_decided_together_are_resumed_together(seat: Seat) -> None:
    run = await start(seat.context.database, "sending")
    await go(seat, run)
    for name in "012":
        await answer(seat.context, run, name, name * 2)
    ended = await go(seat, run)
    assert (ended.status, ended.result) == (RunStatus.completed, {"steps": ["0=00", "1=11", "2=22"]})


async def test_a_graph_within_a_graph_asks_and_is_answered(seat: Seat) -> None:
    run = await start(seat.context.database, "nested")
    for question in ("staging?", "production?"):
        assert (await go(seat, run)).status is RunStatus.paused
        await answer(seat.context, run, question, "ok")
    ended = await go(seat, run)
    assert ended.result == {"steps": ["ask: staging? ok", "ask: production? ok", "act", "after"]}


async def test_a_node_that_raises_fails_the_run_and_says_where(seat: Seat) -> None:
    run = await start(seat.context.database, "falling", {"fail": True})
    ended = await go(seat, run)
    assert ended.status is RunStatus.failed
    error: Any = ended.error
    assert (error["code"], error["node"]) == ("node_failed", "fall")
    assert "there is no bridge" in error["message"] and "engine_graphs.py" in error["traceback"]
    assert "secret" not in str(error), "what looks like a password is hidden"
    assert "langgraph/" not in error["traceback"]
    assert (await said(seat.context.database, run))[-1] == ("run.failed", error)


async def test_a_run_without_end_stops_at_its_budget(seat: Seat) -> None:
    run = await start(seat.context.database, "circling", budget=Budget(steps=5, seconds=60))
    ended = await go(seat, run)
    error: Any = ended.error
    assert (error["code"], ended.usage.steps) == ("budget_exceeded", 5)
    assert "5 steps" in error["message"]


async def test_what_cannot_be_kept_fails_the_run_and_not_the_worker(seat: Seat) -> None:
    run = await start(seat.context.database, "unkept")
    error: Any = (await go(seat, run)).error
    assert error["node"] == "make"
    assert await go(seat, await start(seat.context.database, "walk"))


async def test_an_answer_given_before_a_failure_is_not_taken_for_the_next_question(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "stumbling")
    await go(seat, run)
    await answer(context, run, "staging?", "yes")
    assert (await go(seat, run)).status is RunStatus.failed
    async with context.database.transaction() as conn:
        await conn.execute("UPDATE runs SET status = 'queued', ready_at = handrail_now() WHERE id = %s", (run.id,))
    assert (await go(seat, run)).status is RunStatus.paused
    assert set(await holds_of(context, run)) == {"production?"}
    await answer(context, run, "production?", "no")
    assert (await go(seat, run)).result == {"steps": ["yes", "no"]}


async def test_holds_that_a_crash_kept_from_being_opened_are_opened_at_the_next_claim(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "asking")
    await go(seat, run)
    opened = (await holds_of(context, run))["staging?"]
    async with context.database.transaction() as conn:
        await conn.execute("DELETE FROM holds WHERE id = %s", (opened.id,))
        await conn.execute("UPDATE runs SET status = 'running', ready_at = handrail_now() WHERE id = %s", (run.id,))
    assert (await go(seat, run)).status is RunStatus.paused
    again = (await holds_of(context, run))["staging?"]
    assert again.id == opened.id


async def test_a_decision_in_the_moment_of_pausing_is_not_lost(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person is faster than the worker: the hold is decided before the run is paused."""
    context = seat.context
    run = await start(context.database, "asking")
    settling = claims.settling

    def late(*args: Any) -> Any:
        return _after(answer_all(), settling(*args))

    async def answer_all() -> None:
        for title in await holds_of(context, run):
            await answer(context, run, title, "at once")

    monkeypatch.setattr(claims, "settling", late)
    ended = await go(seat, run)
    assert ended.result == {"steps": ["ask: staging? at once", "ask: production? at once", "act"]}


class _after:
    def __init__(self, first: Any, then: Any) -> None:
        self._first, self._then = first, then

    async def __aenter__(self) -> Any:
        await self._first
        return await self._then.__aenter__()

    async def __aexit__(self, *args: Any) -> Any:
        return await self._then.__aexit__(*args)


async def test_holds_of_a_run_that_ended_are_taken_back(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "parting")
    await go(seat, run)
    assert set(await holds_of(context, run)) == {"stay?", "go?"}
    await answer(context, run, "go?", "yes")
    assert (await go(seat, run)).status is RunStatus.failed
    assert set(await holds_of(context, run, "cancelled")) == {"stay?"}
    assert not await holds_of(context, run)


async def test_a_question_that_a_failure_took_back_is_asked_anew_after_a_retry(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "parting")
    await go(seat, run)
    await answer(context, run, "go?", "yes")
    for _ in range(2):
        assert (await go(seat, run)).status is RunStatus.failed
        assert not await holds_of(context, run)
        async with context.database.connection() as conn:
            await conn.execute("UPDATE runs SET status = 'queued', ready_at = handrail_now() WHERE id = %s", (run.id,))
    engine_graphs.departures.append("go")
    assert (await go(seat, run)).status is RunStatus.paused
    assert set(await holds_of(context, run)) == {"stay?"}
    await answer(context, run, "stay?", "a while")
    assert (await go(seat, run)).result == {"steps": ["went", "stay: stay? a while"]}


async def test_a_question_that_changed_is_asked_anew(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "wavering")
    await go(seat, run)
    await answer(context, run, "settle?", "yes")
    await go(seat, run)
    assert set(await holds_of(context, run, "cancelled")) == {"the amount is 1?"}
    assert set(await holds_of(context, run)) == {"the amount is 2?"}
    await answer(context, run, "the amount is 2?", "yes")
    await go(seat, run)
    assert set(await holds_of(context, run, "answered")) == {"settle?", "the amount is 2?"}


async def test_a_graph_compiled_to_stop_before_or_after_nodes_asks_there(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "halting")
    for title in ("Continue with two?", "Continue with four?"):
        assert (await go(seat, run)).status is RunStatus.paused
        assert set(await holds_of(context, run)) == {title}
        await confirm(context, run, title)
    assert (await go(seat, run)).result == {"steps": ["one", "two", "three", "four"]}


async def test_a_crash_at_a_breakpoint_does_not_pass_it(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "halting")
    await go(seat, run)
    async with context.database.transaction() as conn:
        await conn.execute("UPDATE runs SET status = 'running', ready_at = handrail_now() WHERE id = %s", (run.id,))
    assert (await go(seat, run)).status is RunStatus.paused
    await confirm(context, run, "Continue with two?", Verdict.reject)
    error: Any = (await go(seat, run)).error
    assert error["code"] == "stopped"


async def test_a_run_that_is_woken_for_nothing_waits_on(seat: Seat) -> None:
    """A decision that is delivered again, while the node's next question waits, answers nothing."""
    context = seat.context
    run = await start(context.database, "asking")
    await go(seat, run)
    await answer(context, run, "staging?", "yes")
    await go(seat, run)
    for _ in range(2):
        async with context.database.transaction() as conn:
            await runs.wake(conn, run.id)
        assert (await go(seat, run)).status is RunStatus.paused
    assert set(await holds_of(context, run)) == {"production?"}
    assert set(await holds_of(context, run, "answered")) == {"staging?"}


@pytest.mark.parametrize("status", ["completed", "cancelled"])
async def test_a_decision_for_a_run_that_has_ended_moves_nothing(seat: Seat, status: str) -> None:
    context = seat.context
    run = await start(context.database, "asking")
    await go(seat, run)
    hold = (await holds_of(context, run))["staging?"]
    async with context.database.transaction() as conn:
        # as a worker leaves it that dies before it takes the holds back
        await conn.execute("UPDATE runs SET status = %s, ready_at = NULL WHERE id = %s", (status, run.id))
    await answer(context, run, "staging?", "yes")
    mara = await principal(context.database, "mara", "team_lead")
    with pytest.raises(errors.AlreadyDecided):
        await deciding.review(context, mara, hold.id, Say(Verdict.answer, hold.digest, answer="no"))
    async with context.database.transaction() as conn:
        assert await claims.claim(conn, "w", ["asking"]) == []
    assert (await look(context.database, run)).status == status


async def test_a_full_disk_fails_no_run_and_it_goes_on_when_there_is_room(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "walk")
    async with context.database.transaction() as conn:
        # the error that the server gives, where it cannot lengthen a file
        await conn.execute(
            """
            CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
            CREATE TRIGGER full_disk BEFORE INSERT ON checkpoint_writes FOR EACH ROW EXECUTE FUNCTION full_disk()
            """
        )
    with pytest.raises(errors.Unavailable, match="disk is full"):
        await go(seat, run)
    at_work = await look(context.database, run)
    assert at_work.status is RunStatus.running
    async with context.database.transaction() as conn:
        await conn.execute("DROP TRIGGER full_disk ON checkpoint_writes")
        await claims.give_back(conn, claims.Claim.of(at_work))
    assert (await go(seat, run)).result == {"steps": ["left", "right"]}


async def test_a_graph_that_changed_is_told_and_goes_on_where_it_can(seat: Seat) -> None:
    context = seat.context
    version = seat.workflows["asking"].version
    run = await start(context.database, "asking", version=version)
    await go(seat, run)
    await answer(context, run, "staging?", "yes")
    await answer_after(seat, run, replace(seat.workflows["asking"], version="other"))
    told = await said(context.database, run)
    assert [data for kind, data in told if kind == "run.graph_changed"] == [{"from": version, "to": "other"}]
    assert (await look(context.database, run)).version == "other"


async def test_a_run_whose_next_node_is_gone_fails_and_names_it(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "asking", version=seat.workflows["asking"].version)
    await go(seat, run)
    await answer(context, run, "staging?", "yes")
    await answer_after(seat, run, replace(seat.workflows["walk"], version="other"))
    error: Any = (await look(context.database, run)).error
    assert (error["code"], error["node"]) == ("graph_changed", "ask")
    async with context.database.transaction() as conn:
        await conn.execute("UPDATE runs SET status = 'queued', ready_at = handrail_now() WHERE id = %s", (run.id,))
    assert (await go(seat, run)).status is RunStatus.paused, "it goes on once the node is back"
    assert set(await holds_of(context, run)) == {"production?"}


async def answer_after(seat: Seat, run: Run, workflow: Workflow) -> None:
    """The run's next claim finds another graph."""
    changed = {**seat.workflows, run.workflow: workflow}
    await go(replace(seat, workflows=changed), run)


async def test_a_brake_stops_a_run_before_it_asks_and_it_goes_on_when_that_is_lifted(seat: Seat) -> None:
    context = seat.context
    run = await start(context.database, "asking")
    boss = Caller(await principal(context.database, "boss", "administrator", "cto"), frozenset(Scope))
    async with context.database.transaction() as conn:
        (claimed,) = await claims.claim(conn, "w", GRAPHS)
    await braking.set_brake(context, boss, None, "freeze", "fire")
    await drive(seat, claimed, RunControl())
    braked = await look(context.database, run)
    assert (braked.status, await holds_of(context, run)) == (RunStatus.paused, {})
    await braking.lift_brake(context, boss, None, "out")
    assert (await go(seat, run)).status is RunStatus.paused
    assert braked.attempts == 0
