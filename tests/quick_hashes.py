"""Password hashes that take no time: the product's take 0.2 s of a core each, as they should.

Only a process of the tests can be told so: the product has no setting for it that an operator could turn on by
accident. What the product uses is proven by `tests/unit/test_passwords.py`, and every server that a test starts by its
command line hashes as the product does.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from argon2 import PasswordHasher

from handrail.people import passwords

NAME = "_hasher"
THOROUGH: PasswordHasher = vars(passwords)[NAME]


def begin() -> None:
    setattr(passwords, NAME, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@contextmanager
def thorough() -> Generator[None]:
    """The product's own, where a test is about the time that they take."""
    quick = vars(passwords)[NAME]
    setattr(passwords, NAME, THOROUGH)
    try:
        yield
    finally:
        setattr(passwords, NAME, quick)
