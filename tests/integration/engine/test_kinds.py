"""A workflow's description: limits, risk, retries, idle time and settings of its runs are its own."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from engine_world import look, principal
from holds_world import shift_clock
from runs_world import MOST, publish, row, settle
from trial_kind import TRIAL, TooManyTrials, TrialFinal

from handrail import settings
from handrail.cli.kinds import built_in
from handrail.core import errors
from handrail.core.risk import Level
from handrail.core.runs import RunStatus
from handrail.engine import kinds
from handrail.engine.context import Engine
from handrail.engine.expiring import expire_idle
from handrail.engine.kinds import Kinds, Owner
from handrail.engine.retrying import retry
from handrail.engine.starting import Start, start
from handrail.engine.supervisor import Supervisor
from handrail.holds.context import Context
from handrail.store.database import Database

TESTS = Path(__file__).parents[2]
SUBJECT = Start("trial", {"subject": "staging"})


@pytest.fixture
async def engine(context: Context) -> Engine:
    """One that knows a system more than those built in, announced as at a server's start."""
    known = Kinds((*built_in(settings.load()), TRIAL))
    await kinds.announce(context.database, known)
    return Engine(context, known, MOST)


async def test_its_runs_are_limited_in_all_and_for_each_starter_and_refused_with_its_own_code(engine: Engine) -> None:
    database = engine.context.database
    ann, tom = [await principal(database, name) for name in ("ann", "tom")]
    await asyncio.gather(*(start(engine, ann, SUBJECT) for _ in range(2)))
    with pytest.raises(TooManyTrials, match="2 of your trials are active"):
        await start(engine, ann, SUBJECT)
    begun = await asyncio.gather(*(start(engine, tom, SUBJECT) for _ in range(3)), return_exceptions=True)
    [refused, _] = [each for each in begun if isinstance(each, TooManyTrials)]
    assert (refused.code, refused.message) == ("too_many_trials", "Maximum concurrent trials reached")
    # another workflow's runs have their own limit, or none
    await publish(database, "deploy", input_schema=None)
    await start(engine, ann, Start("deploy", {}))


async def test_its_runs_expire_after_its_own_idle_time_and_those_of_others_do_not(engine: Engine) -> None:
    database = engine.context.database
    ann = await principal(database, "ann")
    await publish(database, "deploy", input_schema=None)
    trial, other = await start(engine, ann, SUBJECT), await start(engine, ann, Start("deploy", {}))
    await shift_clock(database, 4 * 60)
    assert await expire_idle(engine) == 0
    await shift_clock(database, 2 * 60)
    assert await expire_idle(engine) == 1
    assert await _states(database, trial.id, other.id) == [RunStatus.expired, RunStatus.queued]


async def test_the_risk_of_starting_one_is_its_own_to_say_and_may_refuse(engine: Engine) -> None:
    ann, tom = [await principal(engine.context.database, name) for name in ("ann", "tom")]
    assert (await start(engine, ann, SUBJECT)).risk is Level.medium
    assert (await start(engine, ann, Start("trial", {"subject": "production"}))).risk is Level.high
    with pytest.raises(errors.InvalidField, match="a trial needs a subject"):
        await start(engine, tom, Start("trial", {"subject": "nobody"}))


async def test_its_input_is_checked_before_any_worker_has_begun(engine: Engine) -> None:
    ann = await principal(engine.context.database, "ann")
    with pytest.raises(errors.InputMismatch, match="subject"):
        await start(engine, ann, Start("trial", {"object": "staging"}))


async def test_where_it_says_so_a_failed_run_stays_failed(engine: Engine) -> None:
    database = engine.context.database
    ann = await principal(database, "ann")
    run = await start(engine, ann, SUBJECT)
    await settle(database, run.id, "failed", error={})
    with pytest.raises(TrialFinal, match="made once"):
        await retry(engine, ann, run.id)
    forgiving = replace(engine, kinds=Kinds((replace(TRIAL, final=None),)))
    assert (await retry(forgiving, ann, run.id)).status is RunStatus.queued


def test_two_systems_cannot_have_one_name() -> None:
    with pytest.raises(ValueError, match="two workflows have one name"):
        Kinds((TRIAL, TRIAL))


def test_a_workflow_that_nobody_described_has_no_rules_of_its_own() -> None:
    unknown = Kinds((TRIAL,)).of("deploy")
    assert (unknown.admission, unknown.idle, unknown.risk, unknown.final) == (None,) * 4
    assert (unknown.secrets, unknown.owner) == ((), Owner.theirs)


def test_a_secret_that_does_not_exist_is_a_mistake_of_the_description() -> None:
    with pytest.raises(AssertionError, match="no settings"):
        replace(TRIAL, secrets=("modelkey",)).settings(settings.load())


async def test_a_run_in_a_worker_gets_its_settings_as_a_value_and_no_secret_that_it_did_not_ask_for(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    monkeypatch.setenv("HANDRAIL_MODEL_KEY", "of the models")
    monkeypatch.setenv("GITHUB_TOKEN", "of the repositories")
    monkeypatch.setenv("PROVIDERS_OWN_KEY", "of a library")
    known = settings.load(data=tmp_path / "elsewhere", database_url=engine.context.database.dsn)
    assert known.github_token is not None
    ann = await principal(engine.context.database, "ann")
    run = await start(engine, ann, SUBJECT)

    said = asyncio.Event()
    context = replace(engine.context, poke=said.set)
    working = asyncio.create_task(Supervisor(context, engine.kinds, known).work())
    try:
        async with asyncio.timeout(60):
            while (ended := await look(context.database, run)).status.active:
                await said.wait()
                said.clear()
    finally:
        await _cancelled(working)
    assert ended.error is None
    assert ended.result == {
        "subject": "staging",
        "found": {
            "data": str(tmp_path / "elsewhere"),
            "model_key": "of the models",
            "github_token": None,
            "database_url": None,
            "ours": [],
            "theirs": "of a library",
        },
    }


async def _states(database: Database, *runs: UUID) -> list[RunStatus]:
    return [(await row(database, run)).status for run in runs]


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
