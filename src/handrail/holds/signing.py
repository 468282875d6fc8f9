"""Decisions that a person's own authenticator signs: what it is asked to sign, and whether it did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from handrail.core import authority, errors, passkeys
from handrail.core.holds import Hold, Verdict
from handrail.core.ids import PrincipalId
from handrail.core.passkeys import Assertion, Party, Refused, Signature
from handrail.core.people import Principal
from handrail.holds import reading
from handrail.holds.context import Context
from handrail.store import clock
from handrail.store import passkeys as rows
from handrail.store.database import Connection


@dataclass(frozen=True, slots=True)
class Signed:
    """An assertion over the challenge that this nonce made."""

    assertion: Assertion
    nonce: str
    party: Party


@dataclass(frozen=True, slots=True)
class Asked:
    nonce: str
    challenge: bytes
    credentials: tuple[bytes, ...]


async def ask(
    context: Context,
    who: Principal,
    hold_id: UUID,
    verdict: Verdict,
    digest: str,
    party: Party,
    on_behalf_of: PrincipalId | None = None,
) -> Asked:
    """What this person's passkeys sign to give this verdict on the revision with this digest, and for whom."""
    hold = await reading.get(context, who, hold_id)
    absent = authority.capacity(who, hold, on_behalf_of)
    if digest != hold.digest:
        raise errors.StaleDigest(digest=hold.digest, revision=hold.revision)
    async with context.database.transaction() as conn:
        now = await clock.now(conn)
        own = [each for each in await rows.of(conn, who.id) if each.party == party.id]
        if not own:
            raise errors.PasskeyRequired("You have no passkey for this site. Register one: Your account.")
        nonce = await rows.challenge(conn, "decide", now, who.id, hold.id)
    for_whom = absent.id if absent else None
    challenge = passkeys.challenge(hold.id, hold.revision, digest, verdict, who.id, nonce, for_whom)
    return Asked(nonce, challenge, tuple(each.credential_id for each in own))


async def check(
    conn: Connection,
    hold: Hold,
    who: Principal,
    verdict: Verdict,
    signed: Signed,
    now: datetime,
    on_behalf_of: PrincipalId | None = None,
) -> Signature:
    """What the log keeps of it, where it signs this verdict on the hold as it is now. The nonce is used up."""
    absent = authority.capacity(who, hold, on_behalf_of)
    found = await rows.by_credential(conn, signed.assertion.credential_id)
    if found is None or found.principal_id != who.id or found.party != signed.party.id:
        raise errors.PasskeyRefused("This passkey is not yours, or it was removed.")
    if not await rows.take_challenge(conn, "decide", signed.nonce, now, who.id, hold.id):
        raise errors.PasskeyRefused("This signature was already used, or took too long. Try again.")
    if found.signs_from > now:
        raise errors.PasskeyCooling(signs_from=found.signs_from.isoformat())
    for_whom = absent.id if absent else None
    meant = passkeys.challenge(hold.id, hold.revision, hold.digest, verdict, who.id, signed.nonce, for_whom)
    try:
        count = passkeys.signed(signed.assertion, found.public_key, meant, signed.party)
    except Refused as refusal:
        raise errors.PasskeyRefused(f"The passkey's signature does not count: {refusal}.") from refusal
    if count <= found.signatures and (count or found.signatures):
        raise errors.PasskeyRefused("The passkey counts backwards, so it may be a copy. Remove it and add another.")
    await rows.used(conn, found.id, count, now)
    return Signature(
        found.id,
        passkeys.encode(found.public_key),
        passkeys.encode(signed.assertion.client_data),
        passkeys.encode(signed.assertion.authenticator_data),
        passkeys.encode(signed.assertion.signature),
        signed.nonce,
        found.party,
    )
