"""What is asked of a run of a skill, beyond what is asked of any run."""

from __future__ import annotations

from handrail.core import errors, sessions
from handrail.core.ids import PrincipalId
from handrail.core.runs import Run
from handrail.holds.context import Context
from handrail.store import sessions as rows
from handrail.store.database import Connection

REACHED = "Maximum concurrent sessions reached"
RETRY_SECONDS = 5.0


async def admit(context: Context, conn: Connection, workflow: str, who: PrincipalId) -> None:
    """In the transaction that starts a run: refused where there are as many sessions as may be, of all or of this
    principal.

    The limits hold for all servers on one database, because they ask one after the other. It comes before the
    transaction locks anything that another start of a session may need.
    """
    if workflow != sessions.WORKFLOW:
        return
    active = await rows.count_active(conn, who)
    most, own = context.max_sessions, context.quotas.quota.sessions
    if active.all >= most:
        raise errors.TooManySessions(REACHED, retry_after=RETRY_SECONDS, most=most)
    if own is not None and active.own >= own:
        raise errors.TooManySessions(
            f"{own} of your sessions are active, the most allowed", retry_after=RETRY_SECONDS, most=own
        )


def check_final(run: Run) -> None:
    """A session that has ended can be read, and nothing else."""
    if run.workflow == sessions.WORKFLOW:
        raise errors.SessionFinal
