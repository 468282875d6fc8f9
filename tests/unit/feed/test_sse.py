"""The bytes of a stream."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from handrail.core import errors
from handrail.feed import sse
from handrail.feed.entries import Entry


@pytest.mark.parametrize(
    ("last_event_id", "after", "expected"),
    [(None, None, None), ("", None, None), (None, "0", 0), ("7", None, 7), ("7", "3", 7), ("", "3", 3)],
)
def test_the_cursor_comes_from_the_header_or_else_from_the_query(
    last_event_id: str | None, after: str | None, expected: int | None
) -> None:
    assert sse.cursor(last_event_id, after) == expected


@pytest.mark.parametrize("given", ["", " 1", "+1", "1_0", "0x1", "²", str(2**63)])
def test_a_cursor_that_is_no_number_of_an_event_is_refused(given: str) -> None:
    with pytest.raises(errors.BadCursor):
        sse.cursor(None, given)


async def test_a_stream_begins_with_its_cursor_beats_and_ends_when_the_database_is_gone() -> None:
    async def entries() -> AsyncGenerator[Entry | None]:
        yield None
        raise errors.Unavailable

    assert [part async for part in sse.messages(41, entries())] == [b"retry: 1000\nid: 41\n\n", b": heartbeat\n\n"]
