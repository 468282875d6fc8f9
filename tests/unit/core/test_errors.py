"""Errors have codes that stay, and messages that say something."""

from __future__ import annotations

import pytest

from handrail.core import errors


def every_class(root: type[errors.HandrailError] = errors.HandrailError) -> list[type[errors.HandrailError]]:
    return [root, *(found for sub in root.__subclasses__() for found in every_class(sub))]


# Clients are written against these: a code may be added, never changed or taken away.
CODES = {
    "AlreadyDecided": "already_decided",
    "AlreadyRedeemed": "already_redeemed",
    "AnswerUnusable": "answer_unusable",
    "AnswerMismatch": "answer_mismatch",
    "ApprovalVoid": "approval_void",
    "BadCursor": "bad_cursor",
    "BadSchema": "bad_schema",
    "BadUtf8": "bad_utf8",
    "BodyTooLarge": "body_too_large",
    "Conflict": "conflict",
    "CredentialNotOwn": "credential_not_own",
    "CsrfFailed": "csrf_failed",
    "DigestRequired": "digest_required",
    "ExecutorUnregistered": "executor_unregistered",
    "Forbidden": "forbidden",
    "HandrailError": "error",
    "HostRefused": "host_refused",
    "IdempotencyConflict": "idempotency_conflict",
    "InvalidField": "invalid_field",
    "JustificationRequired": "justification_required",
    "Misconfigured": "misconfigured",
    "MissingField": "missing_field",
    "NameTaken": "name_taken",
    "NotAPerson": "not_a_person",
    "NotApproved": "not_approved",
    "NotFound": "not_found",
    "NotJson": "not_json",
    "NotRedeemed": "not_redeemed",
    "NothingToRedeem": "nothing_to_redeem",
    "NothingToWithdraw": "nothing_to_withdraw",
    "NulByte": "nul_byte",
    "NumberOutOfRange": "number_out_of_range",
    "OriginRefused": "origin_refused",
    "OwnRequest": "own_request",
    "PartialBatch": "partial_batch",
    "QuestionUnusable": "question_unusable",
    "RateLimited": "rate_limited",
    "Rejected": "rejected",
    "ResultRecorded": "result_recorded",
    "RunFailed": "run_failed",
    "ScopeMissing": "scope_missing",
    "SignInFailed": "sign_in_failed",
    "StaleDigest": "stale_digest",
    "TokenExpired": "token_expired",
    "TokenRevoked": "token_revoked",
    "TokenUnknown": "token_unknown",
    "TooDeep": "too_deep",
    "Unauthenticated": "unauthenticated",
    "Unavailable": "unavailable",
    "UnknownField": "unknown_field",
    "Unchanged": "unchanged",
    "WrongRole": "wrong_role",
    "WrongType": "wrong_type",
    "WrongVerdict": "wrong_verdict",
}


def test_codes_stay_as_they_are() -> None:
    present = {cls.__name__: cls.code for cls in every_class() if cls.__module__ == errors.__name__}
    assert {name: present.get(name) for name in CODES} == CODES


def test_no_two_classes_share_a_code() -> None:
    codes = [cls.code for cls in every_class()]
    assert sorted(codes) == sorted(set(codes))


@pytest.mark.parametrize("cls", every_class(), ids=lambda cls: cls.__name__)
def test_each_class_has_its_own_code_and_a_sentence(cls: type[errors.HandrailError]) -> None:
    assert "code" in vars(cls)
    error = cls()
    assert error.message == str(error) == (cls.__doc__ or "").strip()
    assert error.message.endswith(".")


def test_a_message_and_data_of_its_own() -> None:
    error = errors.StaleDigest("look again", digest="ab", revision=2)
    assert (error.message, error.data) == ("look again", {"digest": "ab", "revision": 2})


@pytest.mark.parametrize("cls", [errors.Unavailable, errors.RateLimited])
def test_some_say_when_to_come_back(cls: type[errors.Unavailable | errors.RateLimited]) -> None:
    assert cls(retry_after=7).retry_after == 7
    assert cls().retry_after > 0


@pytest.mark.parametrize(
    ("message", "read"),
    [
        ("the run is already completed", "The run is already completed."),
        ("`roles` are for people", "`roles` are for people."),
        ("handrail.toml: `workflows` must be a table", "handrail.toml: `workflows` must be a table."),
        ("'ann' is not active", "'ann' is not active."),
        ("send either `url` or `folder`", "Send either `url` or `folder`."),
        ("is it running?", "Is it running?"),
        ("write one like https://app.example.com", "Write one like https://app.example.com"),
        ("a.yaml:1:1: x\nb.yaml:2:1: y", "a.yaml:1:1: x\nb.yaml:2:1: y"),
        ("Maximum concurrent sessions reached", "Maximum concurrent sessions reached"),
    ],
)
def test_a_message_is_read_as_a_sentence(message: str, read: str) -> None:
    assert errors.sentence(message) == read
