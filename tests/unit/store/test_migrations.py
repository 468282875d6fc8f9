"""Migrations only ever add: processes of the release before work on the new schema while an upgrade is under way."""

from __future__ import annotations

import hashlib
import re

import pytest
import upgrade_world as world

from handrail.store.migrate import migrations

RELEASED = {
    name: digest
    for release in world.RELEASES.iterdir()
    for digest, name in (line.split() for line in (release / world.MIGRATIONS).read_text().splitlines())
}
COMMENT = re.compile(r"--[^\n]*")
# what takes from older processes something that they read, or asks of them what they do not write
CONTRACTS = re.compile(
    r"\bDROP\s+(TABLE|COLUMN|TYPE|FUNCTION|VIEW|SCHEMA)\b|\bRENAME\b|\bALTER\s+COLUMN\s+\w+\s+(TYPE|SET\s+NOT\s+NULL)\b"
    r"|\bTRUNCATE\b|\bADD\s+COLUMN\s+(IF\s+NOT\s+EXISTS\s+)?\w+\s+[^,;]*\bNOT\s+NULL\b(?![^,;]*\bDEFAULT\b)",
    re.IGNORECASE,
)


def contracts(text: str) -> list[str]:
    return [" ".join(found[0].split()) for found in CONTRACTS.finditer(COMMENT.sub("", text))]


def test_a_migration_that_was_released_never_changes() -> None:
    now = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in migrations()}
    assert {name for name, digest in RELEASED.items() if now.get(name) != digest} == set()


def test_a_new_migration_takes_nothing_from_processes_of_the_last_release() -> None:
    """What nothing uses any more is dropped by a file whose name ends in `_contract`, one release later."""
    fresh = [file for file in migrations() if file.name not in RELEASED and not file.stem.endswith("_contract")]
    found = {file.name: contracts(file.read_text(encoding="utf-8")) for file in fresh}
    assert {name: taken for name, taken in found.items() if taken} == {}


@pytest.mark.parametrize(
    ("statement", "takes"),
    [
        ("ALTER TABLE runs ADD COLUMN trace text", False),
        ("ALTER TABLE runs ADD COLUMN trace text NOT NULL DEFAULT ''", False),
        ("ALTER TABLE runs ADD COLUMN trace text NOT NULL", True),
        ("ALTER TABLE runs DROP COLUMN trace", True),
        ("ALTER TABLE runs\n  ALTER COLUMN trace SET NOT NULL", True),
        ("ALTER TABLE runs RENAME COLUMN trace TO span", True),
        ("DROP INDEX runs_trace -- DROP TABLE runs", False),
    ],
)
def test_what_counts_as_taking(statement: str, takes: bool) -> None:
    assert bool(contracts(statement)) is takes
