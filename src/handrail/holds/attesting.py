"""Attestations of published changes: asked for by a run, and made of what the log has, never of what the run says."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any
from uuid import UUID

import structlog

from handrail.core import agreement, canonical, errors
from handrail.core.agreement import Record
from handrail.core.attestation import EVIDENCE, PUBLISH, Approval, Attestation, attest, moved_of
from handrail.core.events import Event
from handrail.core.hold_events import HoldAmended, HoldOpened, HoldReopened, HoldReviewed
from handrail.core.holds import Hold, Verdict
from handrail.core.ids import PrincipalId
from handrail.holds.rounds import Rounds
from handrail.store import attestations, audit, clock, holds, names, records
from handrail.store.attestations import Wished
from handrail.store.database import Connection, Database
from handrail.store.due import Due
from handrail.store.signing import Keys

ASK_SECONDS = 0.1
LONGEST_SECONDS = 60.0

log = structlog.stdlib.get_logger(__name__)


async def attested(
    database: Database,
    hold_id: UUID,
    longest: float = LONGEST_SECONDS,
    *,
    moved: canonical.JsonObject | None = None,
) -> Attestation:
    """The signed attestation of a change whose approval was used; the same one however often it is asked for. `moved`
    is what the change became upon a base branch that had moved.

    `Conflict` says why there cannot be one; `Unavailable`, that no process that has the key is running.
    """
    async with database.transaction() as conn:
        await attestations.wish(conn, hold_id, moved)
    try:
        async with asyncio.timeout(longest):
            while True:
                async with database.connection() as conn:
                    found = await attestations.get(conn, hold_id)
                if found is not None and found.attestation is not None:
                    return _same(Attestation.of(found.attestation), moved)
                if found is not None and found.refusal is not None:
                    raise errors.Conflict(f"the change cannot be attested: {found.refusal}")
                await asyncio.sleep(ASK_SECONDS)
    except TimeoutError:
        raise errors.Unavailable("No server that has the audit key has attested the change. Is one running?") from None


def _same(found: Attestation, moved: canonical.JsonObject | None) -> Attestation:
    if found.moved != moved:
        raise errors.Conflict("the approval was attested for other commits already: ask again")
    return found


async def attest_wished(database: Database, keys: Keys) -> bool:
    """Signs the oldest wish, or refuses it; whether there was one. Any number may do so at once."""
    async with database.transaction() as conn:
        wished = await attestations.lock_wished(conn)
        if wished is None:
            return False
        try:
            statement = await _statement(conn, wished)
        except (TypeError, ValueError) as refused:
            await attestations.refuse(conn, wished.hold_id, str(refused))
            return True
        signer = keys.signer((await audit.head(conn)).key_id)
        await attestations.sign(conn, wished.hold_id, attest(signer, statement).as_data())
    return True


async def keep_attesting(rounds: Rounds, database: Database, keys: Keys) -> None:
    async def work() -> bool:
        try:
            return await attest_wished(database, keys)
        except errors.Misconfigured as error:
            # another process has rotated the key, and its file is not here yet
            log.error("attesting.no_key", reason=error.message)
            return False

    await rounds.keep(Due.attestations, work)


async def _statement(conn: Connection, wished: Wished) -> Attestation:
    """ValueError says why there is nothing to attest. Of what the run says, `moved` counts alone, which can name other
    commits of the same messages and diff, and nothing else."""
    hold = await holds.get(conn, wished.hold_id)
    if hold is None or hold.question.action is None or hold.question.action.name != PUBLISH:
        raise ValueError("the hold is not about publishing a change")
    if hold.redemption is None:
        raise ValueError("its approval has not been used")
    said = (await records.of(conn, [hold.id]))[hold.id]
    compared = agreement.compare(hold, said)
    if compared.differences or not compared.known:
        raise ValueError("the hold does not match the log")
    evidence, text = _published(hold.question.action.args)
    approvals = await _approvals(conn, hold, said)
    if not approvals:
        raise ValueError("no person approved it")
    at = (await clock.now(conn)).astimezone(UTC).isoformat()
    moved = None if wished.moved is None else moved_of(wished.moved)
    return Attestation(evidence, str(hold.id), approvals, _policy(said), text, at, moved=moved)


def _published(args: Mapping[str, Any]) -> tuple[canonical.JsonObject, str]:
    missing = [name for name in (*EVIDENCE, "text_sha256") if name not in args]
    if missing:
        raise ValueError(f"what was approved lacks {', '.join(missing)}")
    return {name: args[name] for name in EVIDENCE}, str(args["text_sha256"])


async def _approvals(conn: Connection, hold: Hold, said: Sequence[Record]) -> tuple[Approval, ...]:
    """The newest yes of each who is counted, in the order in which they came."""
    yes: dict[PrincipalId, str] = {}
    times: dict[PrincipalId, str] = {}
    for record in said:
        event = record.event
        by = event.actor if event is not None else None
        if event is not None and by is not None and by in hold.approvers and _is_yes(event, hold.digest):
            yes.pop(by, None)
            yes[by], times[by] = _digest(hold, event, record), record.at.astimezone(UTC).isoformat()
    people = await names.of(conn, yes)
    return tuple(Approval(str(by), people[by].name, times[by], digest) for by, digest in yes.items())


def _is_yes(event: Event, digest: str) -> bool:
    match event:
        case HoldReviewed():
            return event.verdict is Verdict.approve and event.digest == digest
        case HoldAmended():
            return event.counts_as_approval and event.digest == digest
        case _:
            return False


def _digest(hold: Hold, event: Event, record: Record) -> str:
    at = record.at.astimezone(UTC).isoformat()
    data: canonical.JsonObject = {"hold_id": str(hold.id), "type": event.type, "actor": str(event.actor), "at": at}
    return canonical.sha256({**data, "data": dict(record.data)})


def _policy(said: Sequence[Record]) -> str:
    """The version under which it was assessed last."""
    events = [each.event for each in said]
    versions = [each.policy_version for each in events if isinstance(each, HoldOpened | HoldAmended | HoldReopened)]
    return str([version for version in versions if version is not None][-1])
