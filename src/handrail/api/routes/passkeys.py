"""Passkeys: your own, signing in with one, and what one signs to decide."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from fastapi import Request, Response

from handrail.api.browsers import client_of, here, remember
from handrail.api.identity import COOKIE, AnyCaller, Decider, address_of, guarded_router, open_router, rates_of, sso_of
from handrail.api.parties import assertion_of, party_of
from handrail.api.references import HoldInPath
from handrail.api.routes.sign_in import shown
from handrail.api.schemas.holds import PasskeyQuestion
from handrail.api.schemas.passkeys import AddPasskey, PasskeyList, PasskeyOptions, PasskeyOut, PasskeySignIn
from handrail.api.schemas.sign_in import Me
from handrail.api.services import Use
from handrail.core import errors, passkeys
from handrail.core.ids import PrincipalId
from handrail.core.passkeys import encode
from handrail.holds import signing
from handrail.people import passkeys as own_passkeys
from handrail.people import signing_in
from handrail.store.passkeys import Passkey

router = open_router("sign-in")
guarded = guarded_router("sign-in")
deciding = guarded_router("holds")


@guarded.get("/api/me/passkeys", summary="List your passkeys")
async def list_passkeys(services: Use, caller: AnyCaller) -> PasskeyList:
    return PasskeyList(passkeys=[_out(each) for each in await own_passkeys.own(services.database, caller)])


@guarded.post("/api/me/passkeys/options", summary="Begin to add a passkey")
async def options(request: Request, services: Use, caller: AnyCaller) -> PasskeyOptions:
    party = party_of(request)
    nonce, known = await own_passkeys.ask_to_register(services.database, caller)
    listed = [encode(each.credential_id) for each in known]
    return PasskeyOptions(nonce=nonce, challenge=nonce, party=party.id, credentials=listed)


@guarded.post("/api/me/passkeys", status_code=201, summary="Add a passkey")
async def add(body: AddPasskey, request: Request, services: Use, caller: AnyCaller) -> PasskeyOut:
    """Your first one signs decisions at once; any other after 24 hours."""
    made = assertion_of(body.id, body.client_data, body.authenticator_data, "")
    try:
        public_key = passkeys.decode(body.public_key)
    except passkeys.Refused as refusal:
        raise errors.InvalidField(f"`public_key`: {refusal}", field="public_key") from refusal
    new = await own_passkeys.register(
        services.database, caller, party_of(request), body.label, body.nonce, made, public_key
    )
    services.context.poke()
    return _out(new)


@guarded.delete("/api/me/passkeys/{passkey_id:uuid}", status_code=204, summary="Remove a passkey")
async def remove(passkey_id: UUID, services: Use, caller: AnyCaller) -> None:
    """It works no longer. The next one that you add signs decisions after 24 hours."""
    await own_passkeys.remove(services.database, caller, passkey_id)
    services.context.poke()


@router.post("/api/sign-in/passkey/options", summary="Begin to sign in with a passkey")
async def sign_in_options(request: Request, services: Use) -> PasskeyOptions:
    rates_of(request).sso_start.hit(address_of(request))
    party = party_of(request)
    nonce = await own_passkeys.ask_to_sign_in(services.database)
    return PasskeyOptions(nonce=nonce, challenge=nonce, party=party.id, credentials=[])


@router.post("/api/sign-in/passkey", summary="Sign in with a passkey")
async def sign_in(body: PasskeySignIn, request: Request, response: Response, services: Use) -> Me:
    """Sets the cookie, as `POST /api/sign-in` does."""
    before, settings = await here(request), services.settings
    assertion = assertion_of(body.id, body.client_data, body.authenticator_data, body.signature)
    length = timedelta(seconds=settings.session_seconds)
    local = sso_of(request).providers.local
    try:
        signed_in = await own_passkeys.sign_in(
            services.database, party_of(request), body.nonce, assertion, length, client_of(request), local
        )
    except errors.SignInFailed:
        rates_of(request).token_failure.hit(address_of(request))
        raise
    if before is not None:
        await signing_in.sign_out(services.database, before, request.cookies[COOKIE])
    remember(request, response, signed_in, settings)
    services.context.poke()
    return await shown(services, signed_in.caller)


@deciding.post("/api/holds/{hold_id:hold}/passkey-options", summary="Begin to sign a decision with a passkey")
async def decision_options(
    hold_id: HoldInPath, body: PasskeyQuestion, request: Request, services: Use, caller: Decider
) -> PasskeyOptions:
    """The challenge is SHA-256 over RFC 8785 JSON of hold, revision, digest, verdict, principal, nonce and, if you
    decide for someone who is away, `on_behalf_of`. Send the signature with the review, within five minutes."""
    party = party_of(request)
    absent = PrincipalId(body.on_behalf_of) if body.on_behalf_of else None
    asked = await signing.ask(services.context, caller.principal, hold_id, body.verdict, body.digest, party, absent)
    return PasskeyOptions(
        nonce=asked.nonce,
        challenge=encode(asked.challenge),
        party=party.id,
        credentials=[encode(each) for each in asked.credentials],
    )


def _out(passkey: Passkey) -> PasskeyOut:
    return PasskeyOut(
        id=passkey.id,
        label=passkey.label,
        created_at=passkey.created_at,
        signs_from=passkey.signs_from,
        last_used_at=passkey.last_used_at,
    )
