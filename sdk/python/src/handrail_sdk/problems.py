"""Problem details (RFC 9457) to errors: by the server's code where a class exists for it, else by status."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast

from . import errors
from .exchange import Outcome, Request, Response

BY_CODE: Mapping[str, type[errors.HandrailError]] = {
    error.default_code: error
    for error in (
        errors.AlreadyDecided,
        errors.StaleDigest,
        errors.IdempotencyConflict,
        errors.NotApproved,
        errors.ApprovalVoid,
        errors.AlreadyRedeemed,
        errors.DigestRequired,
    )
}
BY_STATUS: Mapping[int, type[errors.HandrailError]] = {
    401: errors.Unauthenticated,
    403: errors.Forbidden,
    404: errors.NotFound,
    409: errors.Conflict,
}


def error_of(request: Request, outcome: Outcome) -> errors.HandrailError:
    """The error that an outcome without success means."""
    if isinstance(outcome, Response):
        return _refusal(request, outcome)
    doubt = outcome.sent and not request.repeatable
    advice = "it may have been carried out: check before you send it again" if doubt else "is it running?"
    return errors.Unavailable(f"no answer to {request.method} {outcome.reason}; {advice}", may_have_happened=doubt)


def retry_after(response: Response) -> float | None:
    """Seconds that the server asks to wait: a number of them, or until a date."""
    value = response.headers.get("retry-after")
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        seconds = _seconds_until(value)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _seconds_until(date: str) -> float:
    try:
        return (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return math.nan


def _refusal(request: Request, response: Response) -> errors.HandrailError:
    problem = _problem(response)
    code, status = problem.get("code"), response.status
    message = str(problem.get("detail") or problem.get("title") or f"the server answered {status} to {request.path}")
    data = _mapping(problem.get("data"))
    code = code if isinstance(code, str) else None
    if status == 429:
        return errors.RateLimited(message, code=code, retry_after=retry_after(response), data=data)
    if status >= 500:
        doubt = not request.repeatable
        wait = retry_after(response)
        return errors.Unavailable(message, code=code, may_have_happened=doubt, retry_after=wait, data=data)
    if 300 <= status < 400:
        return errors.UnexpectedAnswer(f"the server answered {status} to {request.path}; is HANDRAIL_URL right?")
    kind = BY_CODE.get(code or "") or BY_STATUS.get(status, errors.Invalid)
    return kind(message, code=code, data=data)


def _problem(response: Response) -> dict[str, Any]:
    try:
        return _mapping(json.loads(response.content))
    except ValueError:
        return {}


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
