"""Whether a grant covers what is about to be opened or used, by what the database says in this very transaction."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from handrail.core import agreement, grants, transitions
from handrail.core.grants import Grant
from handrail.core.holds import Hold
from handrail.core.risk import Assessment
from handrail.store import absences, people, records, restoring
from handrail.store import grants as rows
from handrail.store.database import Connection


async def covering(conn: Connection, hold: Hold, now: datetime) -> UUID | None:
    """The grant that supplies what this hold asks for, with one use taken of it; nothing where people must be asked.

    Of several the one that ends first is used. Uses of one grant wait for each other, and for whoever revokes it.
    """
    action = hold.question.action
    if action is None or hold.assessment.auto_approve or not grants.grantable(hold):
        return None
    alike = await rows.alike(conn, hold.opener, action.name, now)
    fitting = [grant for grant in alike if grant.terms.covers(hold)]
    if fitting:
        # nobody's roles change between this look and the commit
        await absences.stand_back(conn)
    for each in fitting:
        grant = await rows.lock(conn, each.id)
        if grant is None or grant.ended_at is not None or not grant.terms.covers(hold):
            continue
        if not await _stands(conn, grant, hold):
            continue
        used = grant.use.after(grant.terms, grant.terms.taken(hold), now)
        if used is not None:
            await rows.note_use(conn, grant.id, used, now)
            return grant.id
    return None


async def still_covers(conn: Connection, hold: Hold, current: Assessment, now: datetime) -> bool:
    """Whether the grant that approved this hold supplies what the policy in force asks for now. Its use was counted
    when the hold was opened."""
    if hold.grant is None:
        return False
    await absences.stand_back(conn)
    grant = await rows.steady(conn, hold.grant)
    if grant is None or grant.ended_at is not None or now >= grant.terms.until or not grant.terms.covers(hold):
        return False
    return await _stands(conn, grant, replace(hold, assessment=current))


async def _stands(conn: Connection, grant: Grant, hold: Hold) -> bool:
    """By its makers' words, if these are as the log recorded them and no backup brought them back."""
    made = grant.made
    restored = await restoring.last(conn)
    if restored is not None and transitions.approved_until(made, restored):
        return False
    compared = agreement.compare(made, (await records.of(conn, [made.id]))[made.id])
    if compared.differences or not compared.known:
        return False
    roles_now = {person.id: person.roles for person in await people.persons(conn, made.supporters)}
    return grants.supplies(made, hold, roles_now)
