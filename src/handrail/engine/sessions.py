"""What is asked of a run of a skill, beyond what is asked of any run."""

from __future__ import annotations

from handrail.core import errors, sessions
from handrail.core.runs import Run
from handrail.store import sessions as rows
from handrail.store.database import Connection

REACHED = "Maximum concurrent sessions reached"
RETRY_SECONDS = 5.0


async def admit(conn: Connection, workflow: str, most: int) -> None:
    """In the transaction that starts a run: refused where there are as many sessions as may be.

    The limit holds for all servers on one database, because they ask one after the other. It comes before the
    transaction locks anything that another start of a session may need.
    """
    if workflow == sessions.WORKFLOW and await rows.count_active(conn) >= most:
        raise errors.TooManySessions(REACHED, retry_after=RETRY_SECONDS, most=most)


def check_final(run: Run) -> None:
    """A session that has ended can be read, and nothing else."""
    if run.workflow == sessions.WORKFLOW:
        raise errors.SessionFinal
