"""Notices that come too fast are gathered into one: an inbox that is flooded is not read.

The first is sent at once. What follows within a minute waits for the end of it, in one notice: comments on a hold from
the second on, openings by one principal, of one level, after the sixtieth.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

from handrail.core.holds import Hold
from handrail.store import deliveries
from handrail.store.database import Connection
from handrail.store.deliveries import Delivery

WINDOW = timedelta(minutes=1)
FREE_OPENINGS = 60
# of comments that came together the last ones are told in full
MOST_COMMENTS = 20


async def queue(conn: Connection, hold: Hold, new: Delivery) -> None:
    """In the transaction of what the notice tells."""
    match new.event:
        case "hold.commented":
            lately = await deliveries.lately_of_hold(conn, new, new.queued_at - WINDOW)
            free = 1
        case "hold.opened":
            level = hold.assessment.level.value
            lately = await deliveries.lately_of_opener(conn, new, hold.opener, level, new.queued_at - WINDOW)
            free = FREE_OPENINGS
        case _:
            lately, free = [], 1
    unsent = next((each for each in lately if each.gathers and each.status == "queued" and not each.attempts), None)
    if unsent is not None:
        await deliveries.rewrite(conn, replace(unsent, body=_with(unsent.body, new.body)))
    elif len(lately) >= free:
        later = max(lately[0].queued_at + WINDOW, new.next_at)
        await deliveries.insert(conn, replace(new, next_at=later, body=_with(None, new.body), gathers=True))
    else:
        await deliveries.insert(conn, new)


def _with(gathered: str | None, added: str) -> str:
    """The body of a notice that tells of one more."""
    more: dict[str, Any] = json.loads(added)
    notice: dict[str, Any] = json.loads(gathered) if gathered else more
    data = notice["data"]
    if notice["type"] == "hold.commented":
        said = [*data.get("comments", []), more["data"]["comment"]]
        data |= {"comment": said[-1], "comments": said[-MOST_COMMENTS:]}
        data["comment_count"] = data.get("comment_count", 0) + 1
    else:
        data["other_holds"] = data.get("other_holds", -1) + 1
    return json.dumps(notice, ensure_ascii=False)
