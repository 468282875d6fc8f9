"""What tests of the use cases share: a context, people, openings, the clock, the inbox of events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from handrail.core import ids
from handrail.core.credentials import Credential, Provenance
from handrail.core.holds import Action, Kind
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal, PrincipalKind
from handrail.holds.context import Context
from handrail.holds.opening import Opening
from handrail.holds.policies import Policies
from handrail.policy import default_policy
from handrail.store.audiences import Audiences
from handrail.store.database import Database, opened

T0 = datetime(2026, 1, 1, tzinfo=UTC)

Add = Callable[..., Awaitable[Principal]]


@asynccontextmanager
async def context_on(dsn: str) -> AsyncGenerator[Context]:
    async with opened(dsn) as db:
        yield Context(db, Audiences(), Policies(db, default_policy()), lambda: None)


def adder(context: Context) -> Add:
    """Adds principals: `await add("mara", "team_lead")`."""

    async def add(name: str, *roles: str, kind: PrincipalKind = PrincipalKind.person) -> Principal:
        who = Principal(PrincipalId(ids.fresh()), name, kind, frozenset(roles))
        async with context.database.transaction() as conn:
            await conn.execute(
                "INSERT INTO principals (id, name, kind, roles, created_at) VALUES (%s, %s, %s, %s, handrail_now())",
                (who.id, name, kind.value, list(roles)),
            )
        return who

    return add


def credential(who: Principal, *, own: bool = True) -> Credential:
    """A token that is the person's own, or that somebody else made."""
    origin = Provenance(who.id, T0) if own else Provenance(PrincipalId(ids.fresh()))
    return Credential("token", ids.fresh(), frozenset({"read", "decide"}), origin)


def opening(kind: Kind = Kind.confirmation, title: str = "Send the report", **more: Any) -> Opening:
    more.setdefault("action", Action("send_report", {"to": ["ops@example.org"], "copies": 2}, "ops"))
    return Opening(kind=kind, title=title, **more)


async def shift_clock(database: Database, seconds: float) -> None:
    async with database.transaction() as conn:
        await conn.execute("UPDATE clock SET shift = shift + make_interval(secs => %s)", (seconds,))


async def inbox(database: Database) -> list[dict[str, Any]]:
    """What commands said, in the order they said it."""
    async with database.connection() as conn:
        return await (await conn.execute("SELECT * FROM event_inbox ORDER BY id")).fetchall()
