"""The agent of a workflow: the principal that opens its runs' holds, so that one brake stops them all."""

from __future__ import annotations

from handrail.core import errors, ids
from handrail.core.ids import PrincipalId
from handrail.core.people import Account, Principal, PrincipalKind
from handrail.people import accounts
from handrail.store import clock, events, people
from handrail.store.database import Connection


def name_of(workflow: str) -> str:
    return f"workflow/{workflow}"


async def of_workflow(conn: Connection, workflow: str, starter: PrincipalId) -> Principal:
    """The agent, made where this is the workflow's first run. It has no token: only runs act as it."""
    found = await people.by_name(conn, name_of(workflow))
    if found is None:
        await people.lock_all(conn)
        found = await people.by_name(conn, name_of(workflow)) or await _add(conn, workflow, starter)
    if found.principal.kind is not PrincipalKind.agent:
        raise errors.Conflict(
            f"the name {name_of(workflow)!r} belongs to a {found.principal.kind}: rename the workflow"
        )
    return found.principal


async def _add(conn: Connection, workflow: str, starter: PrincipalId) -> Account:
    principal = Principal(PrincipalId(ids.fresh()), name_of(workflow), PrincipalKind.agent)
    account = Account(principal, await clock.now(conn))
    await people.insert(conn, account)
    await events.append(conn, [accounts.added(account, starter)], account.created_at)
    return account
