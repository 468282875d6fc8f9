"""Following the feed: where it goes on, and when it gives up."""

from __future__ import annotations

import json

import pytest
from sdk_wire import AT, problem, response

from handrail_sdk import Forbidden, UnexpectedAnswer
from handrail_sdk.exchange import Lost
from handrail_sdk.streams import EventStream

EVENTS = response(200, content_type="text/event-stream; charset=utf-8")
CUT = Lost("cut", sent=True)


def block(seq: int) -> bytes:
    data = {"seq": seq, "type": "hold.opened", "at": AT, "actor": None, "hold_id": "h", "kind": "approval"}
    return f"id: {seq}\nevent: hold.opened\ndata: {json.dumps(data)}\n\n".encode()


def cursor(stream: EventStream) -> str | None:
    return stream.request().headers.get("Last-Event-ID")


def test_it_goes_on_after_the_last_event_that_came_whole() -> None:
    stream = EventStream(hold="h", kind="approval")
    assert stream.request().query == {"hold": "h", "kind": "approval"}
    assert cursor(stream) is None
    events = list(stream.feed(block(4) + block(5) + block(6)[:-1]))
    assert [event.seq for event in events] == [4, 5]
    stream.reconnect_in(CUT)
    assert cursor(stream) == "5"
    assert [event.seq for event in stream.feed(block(6))] == [6]


def test_it_begins_where_it_is_told_to() -> None:
    assert cursor(EventStream(after=0)) == "0"


def test_a_cursor_without_an_event_counts() -> None:
    stream = EventStream()
    assert list(stream.feed(b"id: 12\n\n")) == []
    assert cursor(stream) == "12"


def test_it_connects_again_ever_more_slowly_until_an_event_comes() -> None:
    stream = EventStream()
    delays = [stream.reconnect_in(outcome) for outcome in (CUT, EVENTS, response(503), CUT, CUT)]
    assert delays[0] <= 0.2
    assert delays[4] >= 1.6
    list(stream.feed(block(1)))
    assert stream.reconnect_in(CUT) <= 0.2


def test_a_refusal_ends_it() -> None:
    with pytest.raises(Forbidden):
        EventStream().reconnect_in(response(403, problem("forbidden")))


def test_an_answer_without_events_ends_it() -> None:
    with pytest.raises(UnexpectedAnswer, match="text/html"):
        EventStream().reconnect_in(response(200, content_type="text/html"))


def test_data_that_is_not_json_ends_it() -> None:
    with pytest.raises(UnexpectedAnswer):
        list(EventStream().feed(b"data: hello\n\n"))
