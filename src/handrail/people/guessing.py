"""Slows down anyone who guesses passwords, without slowing the person whose password is guessed.

Tries are counted for a name from one address, for the name from anywhere, and for the address under any name. Beyond
what is free, each has to wait longer than the one before, up to a minute. A browser in which the person has signed in
before is counted apart from all that: strangers cannot keep it out.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from handrail.core import errors
from handrail.people import credentials
from handrail.store import clock, people, sign_in_attempts
from handrail.store.database import Connection, Database

FORGOTTEN_AFTER = timedelta(minutes=15)
DEVICE_DAYS = 180
# all addresses together may try as often as this many addresses
ADDRESSES = 10
MESSAGE = "Too many wrong passwords. Wait before you try again, or ask an administrator for a sign-in link."


@dataclass(frozen=True, slots=True)
class Client:
    """From where somebody signs in. `device` is the secret that a browser got at an earlier sign-in, `browser` what it
    says of itself."""

    address: str
    device: str | None = field(default=None, repr=False)
    browser: str | None = None


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many tries are free, under one name from one address and under any name from one address."""

    by_name: int
    by_address: int


@dataclass(frozen=True, slots=True)
class Try:
    """What a try was counted as: `own` is its alone, `shared` that of strangers too."""

    own: bytes
    shared: tuple[bytes, ...] = ()


async def attempt(database: Database, name: str, client: Client, allowance: Allowance) -> Try:
    """Counts a try before its password is compared; `RateLimited` where it has to wait, which counts nothing."""
    known = name.casefold()
    async with database.transaction() as conn:
        await sign_in_attempts.clear(conn, FORGOTTEN_AFTER)
    async with database.transaction() as conn:
        if client.device and await _is_known(conn, client.device, name):
            made = Try(_counted("device", client.device))
            await _count(conn, {made.own: allowance.by_name})
            return made
        pair, of_name = _counted("pair", known, client.address), _counted("name", known)
        of_address = _counted("address", client.address)
        await _count(
            conn,
            {
                pair: allowance.by_name,
                of_name: allowance.by_name * ADDRESSES,
                of_address: allowance.by_address,
            },
        )
        return Try(pair, (of_name, of_address))


async def confirm(database: Database, principal_id: UUID, allowance: Allowance) -> Try:
    """The same for someone who is signed in and enters their password again."""
    made = Try(_counted("confirm", str(principal_id)))
    async with database.transaction() as conn:
        await _count(conn, {made.own: allowance.by_name})
    return made


async def was_right(conn: Connection, made: Try) -> None:
    """After a correct password: this browser's own count starts again; shared counts keep the attempts of others."""
    for counted in sorted((made.own, *made.shared)):
        settle = sign_in_attempts.forget if counted == made.own else sign_in_attempts.forgive
        await settle(conn, counted)


async def remember(conn: Connection, principal_id: UUID, device: str | None) -> str:
    """The secret by which this browser is known from now on."""
    secret = device or credentials.fresh()
    now = await clock.now(conn)
    hash_ = credentials.hash_of(secret)
    await sign_in_attempts.keep_device(conn, hash_, principal_id, now, now - timedelta(days=DEVICE_DAYS))
    return secret


async def _is_known(conn: Connection, device: str, name: str) -> bool:
    account = await people.by_name(conn, name)
    hash_ = credentials.hash_of(device)
    return account is not None and await sign_in_attempts.knows_device(conn, hash_, account.principal.id)


async def _count(conn: Connection, free: dict[bytes, int]) -> None:
    """In a fixed order, so that two attempts at once never deadlock."""
    now = await clock.now(conn)
    for counted in sorted(free):
        wait = await sign_in_attempts.count(conn, counted, free[counted], FORGOTTEN_AFTER, now)
        if wait is not None:
            raise errors.RateLimited(MESSAGE, retry_after=wait)


def _counted(kind: str, *parts: str) -> bytes:
    text = "\x00".join((kind, *parts))
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()
