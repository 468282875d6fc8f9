"""Answers with secrets: sealed as they are given, and opened for whoever asked."""

from __future__ import annotations

from dataclasses import replace

from handrail.core import errors, sealing
from handrail.core.canonical import Json
from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.core.sealing import WrongKey
from handrail.holds.context import Context
from handrail.store import sealed
from handrail.store.database import Connection

_NO_KEY = "This process cannot open secret answers: HANDRAIL_ANSWER_KEY_FILE must be the key that sealed them."


async def seal(context: Context, conn: Connection, hold: Hold, answer: Json, salt: bytes) -> None:
    """Keeps the whole answer in a box, where the question asks for a secret and the answer has one."""
    if sealing.is_sealed(hold.question.schema, answer):
        if context.sealer is None:
            raise errors.Unavailable(_NO_KEY)
        await sealed.put(conn, hold.id, hold.run_id, context.sealer.seal(hold.id, answer, salt))


async def opened_for(context: Context, conn: Connection, who: Principal, hold: Hold) -> Hold:
    """The hold with its answer in clear, for the principal that opened it; as it was recorded, for all others."""
    decision = hold.decision
    if who.id != hold.opener or decision is None or not sealing.is_sealed(hold.question.schema, decision.answer):
        return hold
    box = await sealed.get(conn, hold.id)
    if box is None:
        return hold
    if context.sealer is None:
        raise errors.Unavailable(_NO_KEY)
    try:
        answer = context.sealer.open(hold.id, box, hold.question.schema).answer
    except WrongKey as error:
        raise errors.Unavailable(_NO_KEY) from error
    return replace(hold, decision=replace(decision, answer=answer))
