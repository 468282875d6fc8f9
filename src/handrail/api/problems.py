"""Every error as an RFC 9457 problem, the framework's own included; one table from code to HTTP status."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from handrail.api.schemas.problems import Problem
from handrail.core import errors

MEDIA_TYPE = "application/problem+json"

STATUS: Mapping[str, int] = {
    "error": 500,
    "rejected": 400,
    "misconfigured": 500,
    "run_failed": 500,
    "question_unusable": 500,
    "answer_unusable": 500,
    "internal_error": 500,
    "unavailable": 503,
    "outcome_unknown": 503,
    "sso_unreachable": 503,
    "out_of_space": 507,
    "too_many_connections": 503,
    # input
    "not_json": 400,
    "too_deep": 400,
    "bad_utf8": 400,
    "nul_byte": 400,
    "number_out_of_range": 400,
    "bad_cursor": 400,
    "body_too_large": 413,
    "too_slow": 408,
    "invalid_field": 422,
    "unknown_field": 422,
    "missing_field": 422,
    "wrong_type": 422,
    "bad_schema": 422,
    "bad_policy": 422,
    "policy_cases_failed": 422,
    "clone_refused": 422,
    "graph_failed": 422,
    "unsupported_document": 415,
    "unreadable_document": 422,
    "answer_mismatch": 422,
    "unknown_workflow": 422,
    "input_mismatch": 422,
    "executor_unregistered": 422,
    "partial_batch": 422,
    "wrong_verdict": 422,
    "justification_required": 422,
    "digest_required": 422,
    # identity and authority
    "unauthenticated": 401,
    "token_unknown": 401,
    "token_expired": 401,
    "token_revoked": 401,
    "principal_inactive": 401,
    "session_ended": 401,
    "sign_in_failed": 401,
    "bad_signature": 401,
    "not_linked": 403,
    "sso_flow_ended": 401,
    "sso_refused": 401,
    "sso_ended": 401,
    "sso_no_role": 403,
    "sso_required": 403,
    "forbidden": 403,
    "wrong_role": 403,
    "wrong_password": 403,
    "weak_password": 422,
    "own_request": 403,
    "stand_in_refused": 403,
    "grant_refused": 403,
    "credential_not_own": 403,
    "not_a_person": 403,
    "passkey_required": 403,
    "passkey_refused": 403,
    "passkey_cooling": 403,
    "scope_missing": 403,
    "csrf_failed": 403,
    "origin_refused": 403,
    "host_refused": 421,
    "rate_limited": 429,
    "too_many_changes": 429,
    "too_many_sessions": 429,
    "quota_exceeded": 429,
    # state
    "not_found": 404,
    "method_not_allowed": 405,
    "conflict": 409,
    "already_decided": 409,
    "stale_digest": 409,
    "replayed": 409,
    "not_delivered": 409,
    "idempotency_conflict": 409,
    "not_approved": 409,
    "already_redeemed": 409,
    "not_in_bulk": 409,
    "approval_void": 409,
    "record_mismatch": 409,
    "nothing_to_withdraw": 409,
    "nothing_to_redeem": 409,
    "unchanged": 409,
    "not_redeemed": 409,
    "result_recorded": 409,
    "broken_workflow": 409,
    "run_ended": 409,
    "not_failed": 409,
    "session_final": 409,
    "name_taken": 409,
    "sso_conflict": 409,
    "passkey_needs_name": 409,
    "sso_managed": 409,
    "signed_in_as_another": 409,
    "braked": 423,
    "last_administrator": 409,
}

# places of fields are cut to this length: a field's name is the caller's text
LONGEST_PLACE = 200
MOST_COMPLAINTS = 20


def response(error: errors.HandrailError, *, status: int | None = None) -> JSONResponse:
    """The error as an answer; `status` where a route's contract asks for another than the table's."""
    number = status or STATUS[error.code]
    headers: dict[str, str] = {}
    if isinstance(error, errors.RateLimited | errors.Unavailable):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    if number == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return _answer(number, error.code, error.message, error.data, headers)


def internal(request_id: str) -> JSONResponse:
    """What the caller learns of a defect: the id under which the log tells the rest."""
    detail = f"Something went wrong on the server. Look for request {request_id} in the server log."
    return _answer(500, "internal_error", detail, {"request_id": request_id}, {})


def handle(app: FastAPI) -> None:
    """Makes the app answer every error as a problem."""
    app.add_exception_handler(errors.HandrailError, _meant)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _of_the_router)


async def _meant(_: Request, error: Exception) -> JSONResponse:
    return response(cast("errors.HandrailError", error))


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    return response(complaint(cast("RequestValidationError", error).errors()))


async def _of_the_router(request: Request, error: Exception) -> JSONResponse:
    failure = cast("HTTPException", error)
    if failure.status_code == HTTPStatus.NOT_FOUND:
        return response(errors.NotFound("There is nothing at this address."))
    if failure.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        methods = ", ".join(sorted(_methods(request)))
        detail = f"{request.method} is not supported at this address; use {methods}."
        return _answer(405, "method_not_allowed", detail, {}, {"Allow": methods})
    return _answer(failure.status_code, "error", str(failure.detail), {}, failure.headers or {})


def _methods(request: Request) -> set[str]:
    """Of all routes at this address: the framework names those of the first alone. A fixed address is nobody's name."""
    routes: Sequence[APIRoute] = request.app.state.routes
    here = [route for route in routes if route.path_regex.match(request.url.path)]
    fixed = [route for route in here if "{" not in route.path]
    return {method for route in fixed or here for method in route.methods or ()}


def complaint(found: Sequence[Mapping[str, Any]]) -> errors.Rejected:
    """What pydantic found as one error: the first one's code, and all of them in its data."""
    each = [_one(entry) for entry in found[:MOST_COMPLAINTS]]
    first = each[0]
    listed = [{"field": e.data["field"], "code": e.code, "message": errors.sentence(e.message)} for e in each]
    return type(first)(first.message, field=first.data["field"], errors=listed)


def _one(entry: Mapping[str, Any]) -> errors.Rejected:
    place = field_name(entry["loc"])
    match str(entry["type"]):
        case "missing":
            return errors.MissingField(f"`{place}` is missing", field=place)
        case "extra_forbidden":
            return errors.UnknownField(f"`{place}` is not a field of this request", field=place)
        case "int_parsing" | "float_parsing" | "bool_parsing":
            return errors.WrongType(_about(place, entry["msg"]), field=place)
        case kind if kind.endswith("_type"):
            return errors.WrongType(_about(place, entry["msg"]), field=place)
        case _:
            return errors.InvalidField(_about(place, entry["msg"]), field=place)


def _about(place: str, complaint: str) -> str:
    """`title` should have at least 1 character, for "String should have at least 1 character"."""
    subject, should, rest = complaint.partition(" should ")
    if should and subject.isalpha():
        return f"`{place}` should {rest}"
    return f"`{place}`: {complaint.removeprefix('Value error, ')}"


def field_name(loc: Sequence[int | str]) -> str:
    """`action.args[0]` for ("body", "action", "args", 0)."""
    steps = loc[1:] if len(loc) > 1 else loc
    name = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return name.removeprefix(".")[:LONGEST_PLACE]


def _answer(status: int, code: str, detail: str, data: Mapping[str, Any], headers: Mapping[str, str]) -> JSONResponse:
    problem = Problem(
        type=f"urn:handrail:problem:{code}",
        title=HTTPStatus(status).phrase,
        status=status,
        code=code,
        detail=errors.sentence(detail),
        data=dict(data) or None,
    )
    content = problem.model_dump(mode="json", exclude_none=True)
    return JSONResponse(content, status_code=status, media_type=MEDIA_TYPE, headers=dict(headers))
