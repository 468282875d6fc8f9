"""A refusal becomes the error that callers act on, with the server's code, message and data."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sdk_wire import ADA, AT, problem, response

from handrail.core import errors as core
from handrail_sdk import (
    AlreadyDecided,
    ApprovalVoid,
    Conflict,
    Forbidden,
    HandrailError,
    Invalid,
    NotFound,
    RateLimited,
    StaleDigest,
    Unauthenticated,
    Unavailable,
    UnexpectedAnswer,
    Who,
)
from handrail_sdk.exchange import Lost, Request, Response
from handrail_sdk.problems import BY_CODE, error_of

REQUEST = Request("POST", "/api/holds")


def error(status: int, body: object = None, **headers: str) -> HandrailError:
    return error_of(REQUEST, response(status, body, **headers))


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid_field", Invalid),
        (413, "body_too_large", Invalid),
        (401, "token_expired", Unauthenticated),
        (403, "own_request", Forbidden),
        (404, "not_found", NotFound),
        (404, "already_decided", AlreadyDecided),
        (409, "already_decided", AlreadyDecided),
        (409, "stale_digest", StaleDigest),
        (409, "approval_void", ApprovalVoid),
        (409, "a_code_of_tomorrow", Conflict),
        (429, "rate_limited", RateLimited),
        (503, "unavailable", Unavailable),
    ],
)
def test_the_code_says_which_error_it_is_and_else_the_status(status: int, code: str, kind: type[HandrailError]) -> None:
    raised = error(status, problem(code, field="title"))
    assert type(raised) is kind
    assert (raised.code, raised.message, raised.data) == (code, f"problem {code}", {"field": "title"})


def test_every_code_with_a_class_is_one_of_the_server_s() -> None:
    def codes(kind: type[core.HandrailError]) -> set[str]:
        return {kind.code}.union(*map(codes, kind.__subclasses__()))

    assert BY_CODE.keys() <= codes(core.HandrailError)


def test_the_second_answer_is_told_who_decided_and_when() -> None:
    raised = error(409, problem("already_decided", outcome="rejected", decided_at=AT, decided_by=ADA, basis="people"))
    assert isinstance(raised, AlreadyDecided)
    assert raised.outcome == "rejected"
    assert raised.decided_at == datetime(2026, 11, 2, 10, tzinfo=UTC)
    assert raised.decided_by == Who(ADA["id"], "Ada", "person")


def test_nobody_decided_where_the_clock_did() -> None:
    raised = error(409, problem("already_decided", outcome="expired", decided_at=AT, decided_by=None, basis="expiry"))
    assert isinstance(raised, AlreadyDecided)
    assert raised.decided_by is None


def test_the_server_may_ask_for_time() -> None:
    raised = error(429, problem("rate_limited"), retry_after="9")
    assert isinstance(raised, RateLimited)
    assert raised.retry_after == 9.0


@pytest.mark.parametrize("content", [b"", b"<html>", b"[1]", b"\xff", b'{"data": 3, "code": 4}'])
def test_an_answer_without_a_problem_still_is_an_error(content: bytes) -> None:
    raised = error_of(REQUEST, Response(404, {}, content))
    assert (type(raised), raised.code) == (NotFound, "not_found")
    assert "404" in raised.message


def test_a_redirect_points_at_the_wrong_address() -> None:
    assert type(error(302)) is UnexpectedAnswer


@pytest.mark.parametrize(
    ("request_", "outcome", "doubt"),
    [
        (REQUEST, Lost("cut", sent=True), True),
        (REQUEST, Lost("refused", sent=False), False),
        (REQUEST, response(502), True),
        (Request("GET", "/api/holds/1", repeatable=True), Lost("cut", sent=True), False),
    ],
)
def test_an_error_says_whether_the_request_may_have_happened(
    request_: Request, outcome: Response | Lost, doubt: bool
) -> None:
    raised = error_of(request_, outcome)
    assert isinstance(raised, Unavailable)
    assert raised.may_have_happened is doubt
