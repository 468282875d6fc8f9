"""Passwords as argon2id, away from the event loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

# RFC 9106's choice for little memory: 64 MiB a hash; measured: 0.25 s of one core
_hasher = PasswordHasher()
# bounds the memory; the rest of the sign-ins wait their turn
_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="passwords")


async def hash_of(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_threads, _hasher.hash, password)


async def fits(password: str, hash_: str | None) -> bool:
    """Whether the password is the hash's. Takes as long where there is no hash: time tells nothing of who exists."""
    return await asyncio.get_running_loop().run_in_executor(_threads, _fits, password, hash_)


def _fits(password: str, hash_: str | None) -> bool:
    try:
        matches = _hasher.verify(hash_ or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return matches and hash_ is not None


@cache
def _nobodys() -> str:
    return _hasher.hash("nobody's password")
