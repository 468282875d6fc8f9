"""Verdicts that a person's own program sends: signed with their secret, counted once, and worth no more than a click of
theirs elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from standardwebhooks import Webhook, WebhookVerificationError

from handrail.channels import linking
from handrail.channels.standing import decides_outside
from handrail.channels.webhook import link
from handrail.core import errors, sealing
from handrail.core.canonical import Json
from handrail.core.holds import Hold, Verdict
from handrail.holds import deciding, reading
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.people.sso.desk import SsoDesk
from handrail.store import received

LONGEST_ID = 200


@dataclass(frozen=True, slots=True)
class Given:
    hold_id: UUID
    verdict: Verdict
    digest: str
    reason: str | None
    answer: Json


async def check(context: Context, link_id: UUID, headers: Mapping[str, str], body: bytes) -> str:
    """The id of the message; `BadSignature` where it is not signed with that person's secret just now, or there is no
    such link."""
    secret, message = await link.secret_of(context, link_id), headers.get("webhook-id", "")
    try:
        if secret is None or len(message) > LONGEST_ID:
            raise errors.BadSignature
        Webhook(secret).verify(body, dict(headers), json_parse=False)
    except (WebhookVerificationError, ValueError):
        # the library trips over what is not even a signature
        raise errors.BadSignature from None
    return message


async def take(context: Context, desk: SsoDesk, link_id: UUID, message: str, given: Given) -> Hold:
    """The hold after the verdict. The message and what it does count together: it is never done twice, and what was
    refused once stays refused."""
    key = f"{link_id}:{message}"
    caller = await linking.caller_of(desk, link.CHANNEL, str(link_id))
    if caller is None:
        raise errors.NotLinked
    say = Say(given.verdict, given.digest, given.reason, given.answer, credential=caller.credential)
    try:
        _check_place(await reading.get(context, caller.principal, given.hold_id), given)
        async with context.database.transaction() as conn:
            if not await received.take(conn, link.CHANNEL, key):
                raise errors.Replayed
            await received.done(conn, link.CHANNEL, key)
            hold = await deciding.review_within(context, conn, caller.principal, given.hold_id, say)
    except errors.Rejected:
        async with context.database.transaction() as conn:
            await received.take(conn, link.CHANNEL, key)
            await received.done(conn, link.CHANNEL, key)
        raise
    context.tell(hold)
    return hold


def _check_place(hold: Hold, given: Given) -> None:
    if not decides_outside(hold) or sealing.is_sealed(hold.question.schema, given.answer):
        raise errors.Forbidden("This one is decided on the page, not by a program.")
