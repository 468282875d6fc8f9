"""Back-channel logout: a provider ends the sessions of its people here."""

from __future__ import annotations

from datetime import timedelta

from handrail.core import errors
from handrail.core.ids import PrincipalId
from handrail.people.events import PersonSsoEnded
from handrail.people.sso.desk import SsoDesk
from handrail.people.sso.proving import LOGOUT_SECONDS, SKEW_SECONDS
from handrail.store import clock, events, sign_ins, sso

# longer than a logout token is accepted
REMEMBERED = timedelta(seconds=2 * (LOGOUT_SECONDS + SKEW_SECONDS))


async def log_out(desk: SsoDesk, name: str, token: str) -> int:
    """How many sign-ins ended. A logout token works once.

    Where it names a person, whatever they do next waits for the provider's word: a deactivated person's tokens stop.
    """
    client = desk.client(name)
    issuer = client.provider.issuer
    async with desk.database.connection() as conn:
        now = await clock.now(conn)
    claims = await client.logout(token, now)
    subject, session = claims.get("sub"), claims.get("sid")
    async with desk.database.transaction() as conn:
        if not await sso.use_logout(conn, issuer, claims["jti"], now, now + REMEMBERED):
            raise errors.SsoRefused("This logout token was already used.")
        if isinstance(session, str):
            ended = await sso.end_sessions_of(conn, issuer, session)
            counts = {who: ended.count(who) for who in ended}
        else:
            bound = await sso.identity(conn, issuer, str(subject))
            counts = {bound.principal_id: await sign_ins.end_all_of(conn, bound.principal_id)} if bound else {}
        if isinstance(subject, str) and (known := await sso.identity(conn, issuer, subject)) is not None:
            await sso.ask_soon(conn, known.principal_id, now)
        said = [
            PersonSsoEnded(id=PrincipalId(who), provider=name, cause="back_channel_logout", sessions=count)
            for who, count in counts.items()
        ]
        await events.append(conn, said, now)
    return sum(counts.values())
