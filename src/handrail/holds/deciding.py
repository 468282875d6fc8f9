"""What people do with a hold: review, amend, withdraw, in bulk where each hold was looked at."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.core import canonical, errors, transitions
from handrail.core.canonical import Json
from handrail.core.credentials import Credential
from handrail.core.holds import Action, Hold, ItemDecision, Verdict
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.core.sealing import SALT_BYTES
from handrail.core.transitions import Step
from handrail.holds import secret_answers, signing, suspecting
from handrail.holds.changing import Command, Rules, alone, change, change_within
from handrail.holds.context import Context
from handrail.holds.signing import Signed
from handrail.policy import assess_again, check_executor
from handrail.store import absences, packs
from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Say:
    """One person's review, and the credential it came with.

    `digest` names the revision seen; nothing means the current one, unless it was amended. `on_behalf_of` is somebody
    who is away; nothing means one's own right, or else whoever it can be.
    """

    verdict: Verdict
    digest: str | None = None
    reason: str | None = None
    answer: Json = None
    items: tuple[ItemDecision, ...] = ()
    amended_action: Action | None = None
    credential: Credential | None = None
    signed: Signed | None = None
    on_behalf_of: PrincipalId | None = None
    pack: str | None = None
    """The hash of the pack that was on their screen."""


async def review(context: Context, who: Principal, hold_id: UUID, say: Say) -> Hold:
    """The hold after this review, which may amend it. Of concurrent reviews exactly one makes the decision."""
    return await change(context, hold_id, who, _command(context, who, say), _rules(say))


async def review_within(context: Context, conn: Connection, who: Principal, hold_id: UUID, say: Say) -> Hold:
    """The same in the caller's transaction: it counts where that commits. `context.tell(hold)` comes after it, and no
    lock of a run before it."""
    return await change_within(context, conn, hold_id, who, _command(context, who, say), _rules(say))


def _rules(say: Say) -> Rules:
    # a no is always safe
    return Rules(brakes_stop_it=say.verdict is not Verdict.reject, recounts=True)


def _command(context: Context, who: Principal, say: Say) -> Command:
    """What is wrong with the say by itself is refused here."""
    canonical.check(say.answer, "answer")
    canonical.check(say.reason, "reason")
    if say.verdict is Verdict.amend:
        return _amending(context, who, say)
    if say.amended_action is not None:
        raise errors.InvalidField("`amended_action` needs the verdict `amend`", field="amended_action")
    return _reviewing(context, who, say)


def _reviewing(context: Context, who: Principal, say: Say) -> Command:
    salt = os.urandom(SALT_BYTES)

    async def command(conn: Connection, hold: Hold, now: datetime) -> Step:
        if say.answer is not None:
            await secret_answers.seal(context, conn, hold, say.answer, salt)
        await _check_pack(conn, hold, who, say)
        me = await absences.as_of_now(conn, who)
        signature = None
        if say.signed is not None:
            signature = await signing.check(conn, hold, me, say.verdict, say.signed, now, say.on_behalf_of)
        step = transitions.review(
            hold,
            me,
            say.verdict,
            now,
            credential=say.credential,
            digest=say.digest,
            reason=say.reason,
            answer=say.answer,
            items=say.items,
            salt=salt,
            signature=signature,
            on_behalf_of=say.on_behalf_of,
            pack=say.pack,
        )
        return await suspecting.noted(conn, step, who.id, now)

    return command


def _amending(context: Context, who: Principal, say: Say) -> Command:
    action = say.amended_action
    if action is None:
        raise errors.MissingField("the verdict `amend` needs `amended_action`", field="amended_action")
    canonical.check({"name": action.name, "args": action.args, "target": action.target}, "amended_action")
    policy = context.policy()

    async def command(conn: Connection, hold: Hold, now: datetime) -> Step:
        if hold.origin == "task":
            check_executor(policy, who, action)
        await _check_pack(conn, hold, who, say)
        me = await absences.as_of_now(conn, who)
        # claims that were trusted at opening were made of something else: from now on they only raise
        assessment = assess_again(policy, hold, action)
        return transitions.amend(
            hold,
            me,
            action,
            assessment,
            now,
            credential=say.credential,
            digest=say.digest,
            reason=say.reason,
            on_behalf_of=say.on_behalf_of,
            pack=say.pack,
        )

    return command


async def _check_pack(conn: Connection, hold: Hold, who: Principal, say: Say) -> None:
    """Nobody records that they saw what the server never gave them."""
    if say.pack is None or await packs.was_shown(conn, hold.id, who.id, say.pack, say.digest or hold.digest):
        return
    raise errors.InvalidField("this pack was not shown to you for this revision: read the hold's pack", field="pack")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one hold of a bulk review."""

    hold_id: UUID
    hold: Hold | None = None
    error: errors.Rejected | None = None


async def review_many(
    context: Context,
    who: Principal,
    verdict: Verdict,
    seen: Sequence[tuple[UUID, str]],
    reason: str | None,
    credential: Credential | None = None,
) -> list[Outcome]:
    """The same verdict on exactly these holds, each at the digest that was seen, each in its own transaction."""
    outcomes: list[Outcome] = []
    for hold_id, digest in seen:
        try:
            say = Say(verdict, digest, reason, credential=credential)
            hold = await change(context, hold_id, who, _not_for_later(_command(context, who, say)), _rules(say))
            outcomes.append(Outcome(hold_id, hold))
        except errors.Rejected as error:
            outcomes.append(Outcome(hold_id, error=error))
    return outcomes


def _not_for_later(command: Command) -> Command:
    """Nobody allows calls to come among many other things."""

    async def run(conn: Connection, hold: Hold, now: datetime) -> Step:
        if hold.origin == "grant":
            raise errors.NotInBulk()
        return await command(conn, hold, now)

    return run


async def withdraw(context: Context, who: Principal, hold_id: UUID, reason: str | None) -> Hold:
    command = alone(lambda hold, now: transitions.withdraw(hold, who, now, reason))
    return await change(context, hold_id, who, command)
