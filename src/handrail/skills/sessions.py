"""Sessions, runs of skills: start one, look at one with its whole history, answer what it asks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from handrail.core import errors
from handrail.core.callers import Caller
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Hold, Kind, Verdict
from handrail.core.people import NameCard, Principal
from handrail.core.runs import Run
from handrail.core.sessions import WORKFLOW, Message, Mode, SessionStatus
from handrail.engine import starting
from handrail.engine.context import Engine
from handrail.engine.seeing import may_see_run
from handrail.engine.starting import Start
from handrail.holds import deciding
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.models import tiers
from handrail.settings import Settings
from handrail.skills import histories, registry
from handrail.store import chunks, feed, names, runs
from handrail.store import sessions as rows
from handrail.store.chunks import Message as Said
from handrail.store.database import Connection

# events get their numbers within milliseconds; a history waits for those that are under way
LOOKS = 25
LOOK_AGAIN_SECONDS = 0.04


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """What a caller wants done; `steps` is the most that the agent may take."""

    skill: str
    input: str
    mode: Mode
    model: str | None
    steps: int


@dataclass(frozen=True, slots=True)
class Session:
    """A session at one moment: `seq` is the log's number of that moment, `said` how far messages are that a model is
    still saying."""

    run: Run
    history: list[Message]
    holds: list[Hold]
    people: dict[UUID, NameCard]
    seq: int
    said: dict[Said, int]


async def start(
    engine: Engine, settings: Settings, who: Principal, asked: SessionRequest, key: str | None = None
) -> Run:
    """The run of the skill's version that is in force now."""
    if asked.model is not None:
        tiers.check(settings, asked.model)
    skill = await registry.skill(engine.context, asked.skill)
    given: JsonObject = {
        "skill_id": skill.skill,
        "version": str(skill.number),
        "input": asked.input,
        "model_id": asked.model,
        "max_steps": asked.steps,
    }
    begun = Start(WORKFLOW, given, asked.mode.of_run, operation="start_session")
    return await starting.start(engine, who, begun, key)


async def get(context: Context, who: Principal, session_id: UUID) -> Run:
    async with context.database.connection() as conn:
        return await _visible(conn, who, session_id)


async def look(context: Context, who: Principal, session_id: UUID) -> Session:
    """With its whole history. Events that have no number yet are waited for, so that the moment is exact."""
    session, under_way = await _look(context, who, session_id)
    for _ in range(LOOKS):
        if not under_way:
            break
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
        session, under_way = await _look(context, who, session_id)
    return session


async def _look(context: Context, who: Principal, session_id: UUID) -> tuple[Session, bool]:
    async with context.database.transaction() as conn:
        await rows.read_only(conn)
        run = await _visible(conn, who, session_id)
        told = await rows.told(conn, session_id)
        holds = await runs.holds_of(conn, session_id, histories.MOST_HOLDS)
        live = await chunks.beyond(conn, [session_id], {})
        seq = await feed.head(conn)
        people = await names.of(conn, {run.starter, run.agent, *(each.actor_id for each in told if each.actor_id)})
    history = histories.history(run, told, holds, live, people)
    said = {piece.message: piece.start + len(piece.text) for piece in live}
    return Session(run, history, holds, people, seq, said), any(each.seq is None for each in told)


async def _visible(conn: Connection, who: Principal, session_id: UUID) -> Run:
    run = await runs.get(conn, session_id)
    if run is None or run.workflow != WORKFLOW or not await may_see_run(conn, who, run):
        raise errors.NotFound(f"there is no session {session_id}, or you may not see it")
    return run


def pending_input(holds: Sequence[Hold]) -> Hold | None:
    """What the person who follows the session is asked now: the oldest question that waits."""
    return next((hold for hold in holds if hold.pending and hold.question.kind is Kind.input), None)


async def answer(context: Context, caller: Caller, session_id: UUID, content: Json, request_id: UUID | None) -> Hold:
    """The question, answered: the one that is named, else the oldest that waits."""
    who = caller.principal
    run = await get(context, who, session_id)
    async with context.database.connection() as conn:
        asked = await runs.holds_of(conn, session_id, histories.MOST_HOLDS)
    if run.status.ended:
        status = SessionStatus.of(run.status)
        raise errors.RunEnded(f"the session is {status} and accepts no more messages", status=status.value)
    inputs = [hold for hold in asked if hold.question.kind is Kind.input]
    named = next((hold for hold in inputs if hold.id == request_id), None)
    hold = named if request_id is not None else pending_input(inputs)
    if hold is None and request_id is not None:
        raise errors.NotFound(f"the session has not asked {request_id}")
    if hold is None:
        raise errors.Conflict(f"the session is not asking anything; it is {SessionStatus.of(run.status)}")
    return await deciding.review(
        context, who, hold.id, Say(Verdict.answer, answer=content, credential=caller.credential)
    )
