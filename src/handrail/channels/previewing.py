"""How a hold looks on each channel, as the other side would get it now."""

from __future__ import annotations

import json
from uuid import UUID

from handrail.channels import standing
from handrail.channels.email import letters
from handrail.channels.linear import issues
from handrail.channels.push import notes
from handrail.channels.slack import cards
from handrail.channels.standing import Standing
from handrail.core import errors
from handrail.core.canonical import JsonObject
from handrail.core.people import Principal
from handrail.holds import reading
from handrail.holds.context import Context
from handrail.store import clock

CHANNELS = ("slack", "linear", "email", "push", "webhook")


async def preview(context: Context, who: Principal, hold_id: UUID, channel: str, base: str) -> JsonObject:
    """Without the code by which a mail signs its reader in."""
    await reading.get(context, who, hold_id)
    async with context.database.connection() as conn:
        now = await standing.standing(conn, context.policy(), hold_id)
        at = (await clock.now(conn)).isoformat()
    link = f"{base}/holds/{hold_id}"
    match channel:
        case "slack":
            return {"text": cards.summary(now), "blocks": [*cards.card(now, link)]}
        case "linear":
            return {**issues.content(now, link), "state": issues.state_type(now)}
        case "email":
            letter = letters.letter(_notice(now, at), link) if now.hold.pending else letters.closing(now, link)
            return {"subject": letter.subject, "plain": letter.plain, "html": letter.html}
        case "push":
            return json.loads(notes.asking(now, "hold.opened") if now.hold.pending else notes.closing(now))
        case "webhook":
            return _notice(now, at)
        case _:
            raise errors.NotFound(f"There is no message on {channel!r}; there is on {', '.join(CHANNELS)}.")


def _notice(now: Standing, at: str) -> JsonObject:
    if now.hold.pending:
        return {"type": "hold.opened", "timestamp": at, "data": {"hold": now.shown, "route": "approvers", "people": []}}
    return {"type": "hold.decided", "timestamp": at, "data": {"hold": now.shown, **now.as_notice()}}
