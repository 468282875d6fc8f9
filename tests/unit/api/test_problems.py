"""The table of codes is complete, and what pydantic finds is told by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError

from handrail.api import problems
from handrail.api.schemas.holds import OpenHold
from handrail.api.schemas.people import AddPrincipal
from handrail.core import errors

# codes that only the framework's own failures have
OF_THE_FRAMEWORK = {"internal_error", "method_not_allowed"}


def kinds(root: type[errors.HandrailError] = errors.HandrailError) -> Iterator[type[errors.HandrailError]]:
    for kind in root.__subclasses__():
        # a code change's errors end its run, and are no answer to a request; those of tests are none of ours
        if kind.__module__.startswith("handrail.") and not kind.__module__.startswith("handrail.changes."):
            yield kind
        yield from kinds(kind)


def test_every_error_has_a_status_and_every_status_an_error() -> None:
    codes = {errors.HandrailError.code, *(kind.code for kind in kinds())}
    assert codes | OF_THE_FRAMEWORK == set(problems.STATUS)


def test_no_two_errors_share_a_code() -> None:
    codes = [kind.code for kind in kinds() if "code" in vars(kind)]
    assert len(codes) == len(set(codes))


def test_a_status_can_be_chosen_by_a_route() -> None:
    assert problems.response(errors.AlreadyDecided(), status=404).status_code == 404


@pytest.mark.parametrize(
    ("error", "header", "value"),
    [
        (errors.RateLimited(retry_after=2.1), "retry-after", "3"),
        (errors.Unavailable(retry_after=0.1), "retry-after", "1"),
        (errors.TokenExpired(), "www-authenticate", "Bearer"),
    ],
)
def test_headers_that_belong_to_a_status(error: errors.HandrailError, header: str, value: str) -> None:
    assert problems.response(error).headers[header] == value


@pytest.mark.parametrize(
    ("model", "body", "code", "field"),
    [
        (AddPrincipal, {}, "missing_field", "name"),
        (AddPrincipal, {"name": "Ann", "rank": 1}, "unknown_field", "rank"),
        (AddPrincipal, {"name": 5}, "wrong_type", "name"),
        (AddPrincipal, {"name": "Ann", "roles": "cto"}, "wrong_type", "roles"),
        (AddPrincipal, {"name": "Ann", "kind": "robot"}, "invalid_field", "kind"),
        (AddPrincipal, {"name": "Ann", "roles": ["ok", "NO"]}, "invalid_field", "roles[1]"),
        (AddPrincipal, [], "wrong_type", "body"),
        (OpenHold, {"kind": "input", "title": "t", "action": {"args": {}}}, "missing_field", "action.name"),
        (
            OpenHold,
            {"kind": "input", "title": "t", "action": {"name": "a"}, "expires_in": "9"},
            "wrong_type",
            "expires_in",
        ),
    ],
)
def test_what_does_not_fit_is_named(model: type[Any], body: Any, code: str, field: str) -> None:
    with pytest.raises(ValidationError) as failure:
        TypeAdapter(model).validate_python(body)
    found = [{**entry, "loc": ("body", *entry["loc"])} for entry in failure.value.errors()]
    complaint = problems.complaint(RequestValidationError(found).errors())
    assert (complaint.code, complaint.data["field"]) == (code, field)
    assert field in complaint.message


def test_a_complaint_does_not_repeat_what_was_sent() -> None:
    with pytest.raises(ValidationError) as failure:
        AddPrincipal.model_validate({"name": "Ann", "password": "Sesame" * 200})
    complaint = problems.complaint(failure.value.errors())
    assert "Sesame" not in str(problems.response(complaint).body)
