"""Admits runs: no more at once than the description of their workflow allows."""

from __future__ import annotations

from handrail.core.ids import PrincipalId
from handrail.engine.kinds import Kind
from handrail.store import activity
from handrail.store.database import Connection

RETRY_SECONDS = 5.0


async def admit(conn: Connection, kind: Kind, who: PrincipalId) -> None:
    """In the transaction that starts a run: refused where as many are active as may be, of all or of this principal.

    The limits hold for all servers on one database, because they ask one after the other. It comes before the
    transaction locks anything that another start may need.
    """
    limits = kind.admission
    if limits is None:
        return
    active = await activity.count(conn, kind.name, who)
    if limits.most is not None and active.all >= limits.most:
        raise limits.refusal(f"Maximum concurrent {limits.noun} reached", retry_after=RETRY_SECONDS, most=limits.most)
    if limits.each is not None and active.own >= limits.each:
        raise limits.refusal(
            f"{limits.each} of your {limits.noun} are active, the most allowed",
            retry_after=RETRY_SECONDS,
            most=limits.each,
        )
