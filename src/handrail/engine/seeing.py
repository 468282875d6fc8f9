"""Who may see a run: whoever it is theirs, and whoever may decide something that it asks."""

from __future__ import annotations

from handrail.core import authority
from handrail.core.people import Principal
from handrail.core.runs import Run, may_see
from handrail.store import runs
from handrail.store.database import Connection

# of a run that asked more the newest count
MOST_HOLDS = 200


async def may_see_run(conn: Connection, who: Principal, run: Run) -> bool:
    """A question is answered well by who knows what led to it: its session or workflow is shown to them too."""
    if may_see(who, run):
        return True
    if not who.is_person:
        return False
    asked = await runs.holds_of(conn, run.id, MOST_HOLDS)
    return any(authority.may_see(who, hold) for hold in asked)
