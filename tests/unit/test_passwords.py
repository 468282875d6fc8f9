"""What a stored password costs a thief: the tests of everything else hash with less (`tests/quick_hashes.py`)."""

from __future__ import annotations

from collections.abc import Generator

import pytest
import quick_hashes

from handrail.people import passwords

PASSWORD = "correct horse battery staple"
# RFC 9106's choice where memory is scarce
COST = "$argon2id$v=19$m=65536,t=3,p=4$"


@pytest.fixture(autouse=True)
def _as_the_product_does() -> Generator[None]:
    with quick_hashes.thorough():
        yield


async def test_a_password_is_hashed_at_its_full_cost() -> None:
    kept = await passwords.chosen(PASSWORD)
    assert kept.startswith(COST)
    assert await passwords.fits(PASSWORD, kept)
    assert not await passwords.fits(PASSWORD + "r", kept)


async def test_for_a_name_that_nobody_has_the_same_is_computed() -> None:
    assert vars(passwords)["_nobodys"].__wrapped__().startswith(COST)
    assert not await passwords.fits("nobody's password", None)
