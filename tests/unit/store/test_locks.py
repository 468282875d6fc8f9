"""Advisory locks have one home, so that no number can stand for two things."""

from __future__ import annotations

import re
from pathlib import Path

import handrail
from handrail.store import locks
from handrail.store.locks import KeyedLock, Lock

SOURCE = Path(handrail.__file__).parent
# in a function of the database's, by the number that its caller names
GIVEN = re.compile(r"pg_advisory_xact_lock_shared\([a-z]+_lock\)")
FILES = [file for pattern in ("*.py", "*.sql") for file in SOURCE.rglob(pattern) if file != Path(locks.__file__)]


def test_no_other_file_takes_an_advisory_lock_or_names_the_number_of_one() -> None:
    assert len(FILES) > 200
    numbers = "|".join(str(lock.value) for lock in Lock)
    for file in FILES:
        text = GIVEN.sub("", file.read_text())
        assert "pg_advisory" not in text, file
        assert "pg_try_advisory" not in text, file
        assert not re.search(numbers, text.replace("_", "")), file


def test_every_lock_is_a_thing_of_its_own() -> None:
    for kind in (Lock, KeyedLock):
        assert len(kind.__members__) == len({lock.value for lock in kind})
