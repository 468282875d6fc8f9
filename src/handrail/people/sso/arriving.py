"""Sign in at a provider: begin there, come back once, and get a session here."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from handrail.core import errors
from handrail.core.callers import Caller, scopes_of
from handrail.core.credentials import Provenance
from handrail.people import credentials
from handrail.people.events import SsoTurnedAway
from handrail.people.guessing import Client as Browser
from handrail.people.signing_in import SignedIn, begin
from handrail.people.sso import hearing, joining, vouching
from handrail.people.sso.desk import SsoDesk
from handrail.people.sso.hearing import Vouched
from handrail.people.sso.protocol import Client, Refused, Tokens
from handrail.people.sso.providers import Provider
from handrail.store import clock, events, people, sign_ins, sso
from handrail.store.database import Connection
from handrail.store.sso import Flow

FLOW_LENGTH = timedelta(minutes=10)
LONGEST_NEXT = 500
# a page of ours: one slash first, and nothing that a browser reads as another
_PATH = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")


class Departure(NamedTuple):
    """`url` is the provider's page; `browser` is the secret that this browser brings back."""

    url: str
    browser: str


class Arrival(NamedTuple):
    signed_in: SignedIn
    next: str


async def depart(
    desk: SsoDesk, name: str, following: str | None, here: Caller | None, *, link: bool = False
) -> Departure:
    """Where to send the browser. With `link`, the caller's own account will be bound to who comes back."""
    if link:
        _check_may_link(here)
    client = desk.client(name)
    state, nonce, verifier, browser = (credentials.fresh() for _ in range(4))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    url = await client.authorization_url(
        desk.redirect_uri(client.provider),
        state=state,
        nonce=nonce,
        code_challenge=challenge,
        code_challenge_method="S256",
    )
    session = here.credential.id if here and here.credential and here.credential.kind == "session" else None
    who = here.principal.id if here and link else None
    flow = Flow(name, nonce, verifier, local_path(following), session, who)
    async with desk.database.transaction() as conn:
        now = await clock.now(conn)
        hashes = credentials.hash_of(state), credentials.hash_of(browser)
        await sso.begin_flow(conn, flow, *hashes, now, now + FLOW_LENGTH)
    return Departure(url, browser)


async def arrive(
    desk: SsoDesk, name: str, said: Mapping[str, str], browser_secret: str, browser: Browser, length: timedelta
) -> Arrival:
    """What the provider's answer `said` is worth, once, in the browser that began it."""
    client = desk.client(name)
    provider = client.provider
    flow, now = await _taken(desk, name, said.get("state", ""), browser_secret)
    await _check_sender(client, said)
    try:
        tokens = await client.redeem(said.get("code", ""), desk.redirect_uri(provider), flow.verifier)
        who = await hearing.vouched(client, tokens, flow.nonce, now)
    except Refused as refusal:
        raise errors.SsoRefused(f"{provider.title} refused the sign-in: {refusal}.") from refusal
    try:
        async with desk.database.transaction() as conn:
            return Arrival(await _admitted(conn, desk, provider, who, tokens, flow, browser, length), flow.next)
    except (errors.Forbidden, errors.Conflict, errors.PrincipalInactive, errors.SsoRefused) as refusal:
        await _note(desk, provider, who.newcomer.subject, refusal)
        raise


def local_path(following: str | None) -> str:
    """Where people go after signing in: a page of ours, whatever was asked for."""
    fits = following is not None and len(following) <= LONGEST_NEXT and _PATH.fullmatch(following)
    return following if fits and following else "/"


def _check_may_link(here: Caller | None) -> None:
    """A provider's word opens the whole account, so a token that can do less must not bind it."""
    if here is None or not here.principal.is_person:
        raise errors.Forbidden("Only people sign in; services and agents use tokens.")
    if here.scopes != scopes_of(here.principal.kind, here.principal.roles):
        raise errors.ScopeMissing("A token with limited scopes cannot link your account.")
    if not here.origin.own:
        raise errors.CredentialNotOwn


async def _taken(desk: SsoDesk, name: str, state: str, browser_secret: str) -> tuple[Flow, datetime]:
    async with desk.database.transaction() as conn:
        now = await clock.now(conn)
        hashes = credentials.hash_of(state), credentials.hash_of(browser_secret)
        flow = await sso.take_flow(conn, name, *hashes, now)
    if flow is None:
        raise errors.SsoFlowEnded
    return flow, now


async def _check_sender(client: Client, said: Mapping[str, str]) -> None:
    """Whether the answer is this provider's: another one must not pass its codes on through the browser."""
    provider = client.provider
    sender = said.get("iss")
    if sender != provider.issuer and (sender is not None or await client.names_itself()):
        raise errors.SsoRefused("The answer comes from another provider.")
    if "error" in said or not said.get("code"):
        raise errors.SsoRefused(f"{provider.title} did not sign you in.", error=said.get("error", "no code")[:100])


async def _admitted(
    conn: Connection,
    desk: SsoDesk,
    provider: Provider,
    who: Vouched,
    tokens: Tokens,
    flow: Flow,
    browser: Browser,
    length: timedelta,
) -> SignedIn:
    now = await clock.now(conn)
    person = await joining.join(conn, provider, who.newcomer, desk.roles(), now, flow.link_to)
    await vouching.note(conn, desk, provider, who.newcomer.subject, person.id, tokens.refresh_token, now)
    if flow.replaces is not None:
        await sign_ins.end(conn, flow.replaces)
    signed_in = await begin(conn, person, "sso", Provenance(person.id, now), length, browser)
    credential = signed_in.caller.credential
    if who.provider_session is not None and credential is not None:
        await sso.note_session(conn, credential.id, who.provider_session)
    return signed_in


async def _note(desk: SsoDesk, provider: Provider, subject: str, refusal: errors.HandrailError) -> None:
    """That somebody whom the provider knows was not let in; without a role, they lose those that they had."""
    async with desk.database.transaction() as conn:
        now = await clock.now(conn)
        bound = await sso.identity(conn, provider.issuer, subject)
        if bound is not None and isinstance(refusal, errors.SsoNoRole):
            account = await people.lock(conn, bound.principal_id)
            if account is not None:
                await joining.brought_in_line(conn, provider, account, frozenset(), now)
        said = SsoTurnedAway(provider=provider.name, subject=subject, code=refusal.code)
        await events.append(conn, [said], now)
