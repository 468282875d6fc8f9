"""Passwords: refused if easy to guess, stored as argon2id, hashed away from the event loop."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from handrail.core import errors

# RFC 9106's choice for little memory: 64 MiB a hash; measured: 0.25 s of one core
_hasher = PasswordHasher()
# limits the memory; other sign-ins wait their turn
_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="passwords")


SHORTEST = 10
# of zxcvbn's 0 to 4: more than 100 million guesses
STRONG_ENOUGH = 3
# anything beyond this only makes it stronger
LOOKED_AT = 72


async def chosen(password: str, *about: str | None) -> str:
    """The hash of a new password; `WeakPassword` where it is too short, known or easily guessed.

    `about` is what is known of the person, their name above all: it makes a password no better.
    """
    known = [text for text in about if text]
    return await asyncio.get_running_loop().run_in_executor(_threads, _chosen, password, known)


def _chosen(password: str, about: list[str]) -> str:
    if len(password) < SHORTEST:
        raise errors.WeakPassword(f"The password is too short: use at least {SHORTEST} characters.", field="password")
    words = [word for text in about for word in (text, *re.split(r"[\W_]+", text)) if word]
    if _is_little_more_than(password, words):
        raise errors.WeakPassword("The password is little more than the account's name or address.", field="password")
    # reading its lists of leaked and common passwords takes a tenth of a second: only where a password is chosen
    from zxcvbn import zxcvbn

    judged = zxcvbn(password[:LOOKED_AT], [*words, "handrail"])
    if judged["score"] < STRONG_ENOUGH:
        why = judged["feedback"]["warning"] or "It is made of parts that are easy to guess."
        raise errors.WeakPassword(
            f"The password is too easy to guess. {why} Use a few unrelated words.", field="password"
        )
    return _hasher.hash(password)


def _is_little_more_than(password: str, words: list[str]) -> bool:
    left = password.casefold()
    for word in sorted(words, key=len, reverse=True):
        left = left.replace(word.casefold(), "") if len(word) > 2 else left
    return left != password.casefold() and len(re.sub(r"[\W_]", "", left)) < SHORTEST // 2


async def fits(password: str, hash_: str | None) -> bool:
    """Whether the password is the hash's. Takes equally long without a hash, so timing does not reveal who exists."""
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
