"""What is sent again: what surely did not happen, and what may happen twice without harm."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from sdk_wire import response

from handrail_sdk.exchange import Lost, Outcome, Request, Response
from handrail_sdk.problems import retry_after
from handrail_sdk.retries import LONGEST_DELAY, backoff, delay

ONCE = Request("POST", "/api/holds")
REPEATABLE = Request("POST", "/api/holds", repeatable=True)
REFUSED = Lost("connection refused", sent=False)
CUT = Lost("connection lost", sent=True)


@pytest.mark.parametrize(
    ("outcome", "again_once", "again_repeatable"),
    [
        (REFUSED, True, True),
        (CUT, False, True),
        (response(429), True, True),
        (response(500), False, True),
        (response(502), False, True),
        (response(503), False, True),
        (response(504), False, True),
        (response(302), False, False),
        (response(400), False, False),
        (response(401), False, False),
        (response(404), False, False),
        (response(409), False, False),
    ],
    ids=str,
)
def test_a_request_that_may_have_happened_is_sent_again_only_where_that_does_no_harm(
    outcome: Outcome, again_once: bool, again_repeatable: bool
) -> None:
    assert (delay(ONCE, outcome, 0) is not None) is again_once
    assert (delay(REPEATABLE, outcome, 0) is not None) is again_repeatable


def test_delays_grow_to_a_limit_and_differ_by_chance() -> None:
    for attempt in range(12):
        whole = min(LONGEST_DELAY, 0.2 * 2**attempt)
        delays = [backoff(attempt) for _ in range(50)]
        assert all(whole / 2 <= seconds <= whole for seconds in delays)
        assert len(set(delays)) > 1
    assert backoff(10**6) <= LONGEST_DELAY


def test_the_server_s_wish_to_be_left_alone_is_honoured() -> None:
    seconds = delay(ONCE, response(429, retry_after="7"), 0)
    assert seconds is not None
    assert 7 < seconds < 7.3


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3.0), ("0.5", 0.5), ("-1", 0.0), ("nan", None), ("inf", None), ("soon", None), ("", None)],
)
def test_retry_after_is_a_number_of_seconds(value: str, seconds: float | None) -> None:
    assert retry_after(response(503, retry_after=value)) == seconds


def test_retry_after_may_be_a_date() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    seconds = retry_after(response(503, retry_after=date))
    assert seconds is not None
    assert 85 < seconds < 91


def test_no_header_asks_for_nothing() -> None:
    assert retry_after(Response(503, {}, b"")) is None
