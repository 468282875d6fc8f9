"""A person's own secret, by which a program of theirs sends verdicts."""

from __future__ import annotations

import base64
import secrets
from typing import NamedTuple
from uuid import UUID

from handrail.channels.events import AccountLinked
from handrail.core import errors, ids
from handrail.core.callers import Caller, Scope, scopes_of
from handrail.core.sealing import SALT_BYTES, WrongKey
from handrail.holds.context import Context
from handrail.people import signing_in
from handrail.store import clock, events, linked_accounts
from handrail.store.linked_accounts import LinkedAccount

CHANNEL = "webhook"
SECRET_BYTES = 32
_NO_KEY = "This process cannot open signing secrets: HANDRAIL_ANSWER_KEY_FILE must be the key that sealed them."


class Made(NamedTuple):
    """`secret` is shown once."""

    link: LinkedAccount
    secret: str


async def make(context: Context, caller: Caller) -> Made:
    """Whoever has the secret decides as the caller, until the link is removed."""
    caller.require(Scope.decide)
    if caller.scopes != scopes_of(caller.principal.kind, caller.principal.roles):
        raise errors.ScopeMissing("A token with limited scopes cannot link a program to you.")
    if context.sealer is None:
        raise errors.Unavailable(_NO_KEY)
    who, id_ = caller.principal, ids.fresh()
    secret = "whsec_" + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()
    async with context.database.transaction() as conn:
        now = await clock.now(conn)
        new = LinkedAccount(id_, CHANNEL, str(id_), who, now, signing_in.origin_for(who.id, caller))
        if not await linked_accounts.insert(conn, new, context.sealer.seal(id_, secret, bytes(SALT_BYTES))):
            raise errors.Conflict("A program of yours is linked already. Remove that link first: `handrail links`.")
        await events.append(conn, [AccountLinked(actor=who.id, link_id=id_, channel=CHANNEL)], now)
    return Made(new, secret)


async def secret_of(context: Context, link_id: UUID) -> str | None:
    """Nothing where there is no such link."""
    async with context.database.connection() as conn:
        box = await linked_accounts.secret(conn, CHANNEL, link_id)
    if box is None:
        return None
    if context.sealer is None:
        raise errors.Unavailable(_NO_KEY)
    try:
        return str(context.sealer.open(link_id, box, None).answer)
    except WrongKey as error:
        raise errors.Unavailable(_NO_KEY) from error
