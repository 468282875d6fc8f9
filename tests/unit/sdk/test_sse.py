"""The parser takes any stream of bytes, cut anywhere."""

from __future__ import annotations

import itertools
import re

from hypothesis import example, given
from hypothesis import strategies as st

from handrail_sdk.sse import Message, Parser

STREAMS = st.lists(
    st.sampled_from(
        [b"data", b"event", b"id", b"retry", b":", b" ", b"\r", b"\n", b"\r\n", b"\n\n", b"x", b"\xef\xbb\xbf", b"\xff"]
    )
    | st.sampled_from(["é", "€", "\U0001f600", "\u2028", "\x85", "\x0b", "\x00"]).map(str.encode),
    max_size=40,
).map(b"".join)


def parse(chunks: list[bytes]) -> tuple[list[Message], str]:
    parser = Parser()
    return [message for chunk in chunks for message in parser.feed(chunk)], parser.last_id


def parse_whole(stream: bytes) -> tuple[list[Message], str]:
    """The same by the standard's words, over the whole text at once."""
    text = stream.decode("utf-8-sig", "replace")
    lines = re.split("\r\n|\r|\n", text)[:-1]
    messages: list[Message] = []
    last_id = current_id = event = ""
    data: list[str] = []
    for line in lines:
        if line == "":
            last_id = current_id
            if data:
                messages.append(Message(event or "message", "\n".join(data)))
            event, data = "", []
            continue
        if line.startswith(":"):
            continue
        name, value = line.split(":", 1) if ":" in line else (line, "")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            data.append(value)
        elif name == "event":
            event = value
        elif name == "id" and "\0" not in value:
            current_id = value
    return messages, last_id


@given(STREAMS, st.lists(st.integers(0, 400), max_size=6))
@example(b"data: a\r\ndata: b\r\n\r\n", [8])
@example(b"data: a\r\rdata: b\r\r", [8, 9])
def test_messages_are_the_same_however_the_stream_is_cut(stream: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    chunks = [stream[start:end] for start, end in itertools.pairwise(places)]
    assert b"".join(chunks) == stream
    assert parse(chunks) == parse([stream])


@given(STREAMS)
@example(b"id: 7\nevent: hold.opened\ndata: {}\n\n")
@example(b"\xef\xbb\xbfdata: after a byte order mark\n\n")
def test_messages_are_those_of_the_standard(stream: bytes) -> None:
    if stream.endswith(b"\r"):
        stream += b"\n"
    whole = re.sub(rb"[^\r\n]*\Z", b"", stream)
    assert parse([stream]) == parse_whole(whole)


@given(st.binary(max_size=200))
def test_no_bytes_break_it(stream: bytes) -> None:
    parse([stream[i : i + 1] for i in range(len(stream))])


def test_the_id_counts_once_its_block_is_complete() -> None:
    parser = Parser("4")
    assert list(parser.feed(b"id: 5\ndata: half")) == []
    assert parser.last_id == "4"
    assert list(parser.feed(b" and whole\n\n")) == [Message("message", "half and whole")]
    assert parser.last_id == "5"


def test_a_block_of_an_id_alone_moves_the_cursor() -> None:
    parser = Parser()
    assert list(parser.feed(b"id: 9\n\n: heartbeat\n\n")) == []
    assert parser.last_id == "9"


def test_a_line_end_cut_in_two_is_one_line_end() -> None:
    assert parse([b"data: a\r", b"\ndata: b\r\n\r\n"])[0] == [Message("message", "a\nb")]


def test_a_message_that_ends_with_returns_is_not_held_back() -> None:
    assert parse([b"data: a\r\n\r"])[0] == [Message("message", "a")]
