"""A decision is used only as the log recorded it, and not again after a restore."""

from __future__ import annotations

from datetime import datetime

from handrail.core import agreement, errors, transitions
from handrail.core.holds import Hold, Status
from handrail.core.transitions import Step
from handrail.store import records, restoring
from handrail.store.database import Connection


async def void_where_unrecorded(conn: Connection, hold: Hold, now: datetime) -> Step | None:
    """The hold opened again, where its row says that it was decided or used and the log does not, or where a backup
    brought the approval back: it may have been used since.

    `RecordMismatch` where it is not even the question that was opened: then there is nothing to ask again. An approval
    of which the log has given up the data is void too; one that was used is not, so that the same key gets its answer.
    """
    restored = await restoring.last(conn)
    if restored is not None and transitions.approved_until(hold, restored):
        return transitions.reopen(hold, "restored", now)
    compared = agreement.compare(hold, (await records.of(conn, [hold.id]))[hold.id])
    if not compared.same_question:
        raise errors.RecordMismatch(differences=[str(difference) for difference in compared.differences])
    unproved = hold.status is Status.approved and hold.redemption is None and not compared.known
    if compared.differences or unproved:
        return transitions.reopen(hold, "record", now, [str(difference) for difference in compared.differences])
    return None
