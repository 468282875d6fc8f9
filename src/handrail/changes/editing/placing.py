"""From old and new text to what happens to the file's lines, or to a refusal that helps."""

from __future__ import annotations

from collections.abc import Sequence

from handrail.changes.editing import explaining
from handrail.changes.editing.errors import BadArguments, StaleHash
from handrail.changes.editing.hunks import Hunk, hunk_of
from handrail.changes.editing.matching import fitted, places
from handrail.changes.editing.texts import Splice, Text, hash_of


def replaced(path: str, text: Text, old: Sequence[str], new: Sequence[str], region: range) -> list[Splice]:
    """Replace the one place where `old` is. Raises NoMatch or Ambiguous."""
    if not any(line.strip() for line in old):
        raise BadArguments("`old` is empty. Quote the lines to replace; `insert` adds some, `create` makes a file.")
    hunk = hunk_of(old, new)
    if not hunk.changes:
        raise BadArguments("`old` and `new` are the same: nothing would change.")
    if not places(text.lines, hunk, region, exact=True):
        hunk = hunk_of(old, new, trim=True)
    return placed(path, text, hunk, region)


def placed(path: str, text: Text, hunk: Hunk, region: range) -> list[Splice]:
    """What a hunk does at the one place where it belongs. Raises NoMatch or Ambiguous."""
    found = places(text.lines, hunk, region)
    if not found:
        raise explaining.no_match(path, text, [line.text for line in hunk.old], region)
    if len(found) > 1:
        raise explaining.ambiguous(path, text, found, len(hunk.old))
    return fitted(hunk, found[0], text.lines)


def expect(path: str, data: bytes, given: str) -> None:
    """Raises StaleHash where the file is not what the model has read."""
    if given != hash_of(data):
        raise StaleHash(f"{path} is not what you read: its hash is {hash_of(data)} now, not {given}. Read it again.")
