"""Every error Handrail raises on purpose: a stable code, a message that names the next step, and data."""

from __future__ import annotations

import re
from typing import Any, ClassVar

_WORD = re.compile("[a-z]+ ")
_ENDED = re.compile(r"[.!?…:]$|://\S*$")


def sentence(message: str) -> str:
    """The message as people read it: with a capital, unless it begins with a field, a file or a name, and a full stop.

    One that begins with a capital is left as it was written. No full stop follows an address, which people copy.
    """
    if message[:1].isupper() or "\n" in message:
        return message
    end = "" if _ENDED.search(message) else "."
    return (message[:1].upper() + message[1:] if _WORD.match(message) else message) + end


class HandrailError(Exception):
    """Root of all errors that are meant. The docstring of a subclass is its default message."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str | None = None, **data: Any) -> None:
        self.message = message or (type(self).__doc__ or self.code).strip()
        self.data = data
        super().__init__(self.message)


class Rejected(HandrailError):
    """The request cannot be carried out as sent; the caller can fix it."""

    code = "rejected"


class Misconfigured(HandrailError):
    """A setting is wrong; Handrail does not start."""

    code = "misconfigured"


class RunFailed(HandrailError):
    """A run ended in failure."""

    code = "run_failed"


class QuestionUnusable(RunFailed):
    """The graph asks something that cannot be shown to people."""

    code = "question_unusable"


class AnswerUnusable(RunFailed):
    """The decision cannot be expressed in the form the graph expects."""

    code = "answer_unusable"


class Unavailable(HandrailError):
    """A required component is not responding; try again shortly."""

    code = "unavailable"

    def __init__(self, message: str | None = None, *, retry_after: float = 1.0, **data: Any) -> None:
        super().__init__(message, **data)
        self.retry_after = retry_after


class OutcomeUnknown(Unavailable):
    """The database was lost during the commit. This may or may not be recorded: check before you repeat it."""

    code = "outcome_unknown"


class SsoUnreachable(Unavailable):
    """The company's sign-in cannot be reached; try again shortly."""

    code = "sso_unreachable"


class OutOfSpace(Unavailable):
    """The disk is nearly full. Nothing new is accepted until an administrator frees space; decisions still work."""

    code = "out_of_space"


class TooManyConnections(Unavailable):
    """Too many connections are open; try again shortly, or keep fewer open."""

    code = "too_many_connections"


# Input


class InvalidField(Rejected):
    """A field has an invalid value."""

    code = "invalid_field"


class UnknownField(Rejected):
    """The request has a field that does not exist."""

    code = "unknown_field"


class MissingField(Rejected):
    """A required field is missing."""

    code = "missing_field"


class WrongType(Rejected):
    """A field has the wrong type."""

    code = "wrong_type"


class NotJson(Rejected):
    """The body is not JSON."""

    code = "not_json"


class BodyTooLarge(Rejected):
    """The body is larger than 1 MiB."""

    code = "body_too_large"


class TooSlow(Rejected):
    """The request did not arrive in time."""

    code = "too_slow"


class TooDeep(Rejected):
    """The JSON is nested deeper than 64 levels."""

    code = "too_deep"


class BadUtf8(Rejected):
    """The text is not valid UTF-8."""

    code = "bad_utf8"


class NulByte(Rejected):
    """Text must not contain NUL characters."""

    code = "nul_byte"


class NumberOutOfRange(Rejected):
    """Numbers must be finite and within ±(2^53 − 1)."""

    code = "number_out_of_range"


class BadSchema(Rejected):
    """The answer schema is not a usable JSON schema."""

    code = "bad_schema"


class AnswerMismatch(Rejected):
    """The answer does not match the hold's schema."""

    code = "answer_mismatch"


class UnknownWorkflow(Rejected):
    """No worker serves a workflow with this name."""

    code = "unknown_workflow"


class ExecutorUnregistered(Rejected):
    """The policy does not register this executor for the operation."""

    code = "executor_unregistered"


class InputMismatch(Rejected):
    """The input does not match the workflow's schema."""

    code = "input_mismatch"


class BadCursor(Rejected):
    """The cursor is malformed; start again without one."""

    code = "bad_cursor"


class PartialBatch(Rejected):
    """Every item of a batch must be decided in one request."""

    code = "partial_batch"


class WrongVerdict(Rejected):
    """This kind of hold does not accept that verdict."""

    code = "wrong_verdict"


class JustificationRequired(Rejected):
    """The policy requires a justification: send it as `reason`."""

    code = "justification_required"


class DigestRequired(Rejected):
    """The hold has been amended since it opened: send the digest of the revision you saw."""

    code = "digest_required"


class GraphFailed(Rejected):
    """The repository's code graph could not be built."""

    code = "graph_failed"


class UnsupportedDocument(Rejected):
    """This kind of file is not supported: send PDF, HTML, plain text or Markdown."""

    code = "unsupported_document"


class UnreadableDocument(Rejected):
    """The document could not be read; `reason` says why."""

    code = "unreadable_document"


class BadPolicy(Rejected):
    """The policy has errors; each is listed with its file, line and column."""

    code = "bad_policy"


class PolicyCasesFailed(Rejected):
    """The policy says something else of an action than its test cases do; each is named."""

    code = "policy_cases_failed"


class CloneRefused(Rejected):
    """The git repository cannot be cloned."""

    code = "clone_refused"


# Identity and authority


class Unauthenticated(Rejected):
    """Sign in, or send a token as `Authorization: Bearer …`."""

    code = "unauthenticated"


class BadSignature(Rejected):
    """The signature is missing, wrong or too old. Check the signing secret and the clock of the sender."""

    code = "bad_signature"


class NotLinked(Rejected):
    """This account is not linked to a person."""

    code = "not_linked"


class TokenUnknown(Unauthenticated):
    """This token is unknown."""

    code = "token_unknown"


class TokenExpired(Unauthenticated):
    """The token has expired; ask an administrator for a new one."""

    code = "token_expired"


class TokenRevoked(Unauthenticated):
    """The token was revoked."""

    code = "token_revoked"


class PrincipalInactive(Unauthenticated):
    """This account is not active; ask an administrator."""

    code = "principal_inactive"


class SignInEnded(Unauthenticated):
    """Your sign-in has ended. Sign in again."""

    code = "session_ended"


class SignInFailed(Unauthenticated):
    """The name or password is wrong, or the link has been used or has expired."""

    code = "sign_in_failed"


class SsoFlowEnded(Unauthenticated):
    """This sign-in was not started in this browser, was already used or took too long. Start again."""

    code = "sso_flow_ended"


class SsoRefused(Unauthenticated):
    """The company's sign-in did not confirm who you are. Try again, or ask an administrator."""

    code = "sso_refused"


class SsoEnded(Unauthenticated):
    """The company's sign-in no longer vouches for you. Sign in there again."""

    code = "sso_ended"


class WeakPassword(Rejected):
    """The password is too easy to guess; choose a longer one."""

    code = "weak_password"


class WrongPassword(Rejected):
    """The current password is wrong. If you forgot it, ask an administrator for a sign-in link."""

    code = "wrong_password"


class Forbidden(Rejected):
    """Your roles do not allow this."""

    code = "forbidden"


class WrongRole(Forbidden):
    """None of your roles may decide this hold."""

    code = "wrong_role"


class OwnRequest(Forbidden):
    """You requested this, so someone else must decide."""

    code = "own_request"


class StandInRefused(Forbidden):
    """You do not stand in for this person now."""

    code = "stand_in_refused"


class GrantRefused(Forbidden):
    """The policy allows no grants for this: people are asked each time."""

    code = "grant_refused"


class CredentialNotOwn(Forbidden):
    """You did not create this credential yourself. Set your own password: Your account or `handrail password`."""

    code = "credential_not_own"


class SsoNoRole(Forbidden):
    """None of your groups gives you a role here. Ask an administrator to add one to the table."""

    code = "sso_no_role"


class SsoRequired(Forbidden):
    """Your account signs in with the company's sign-in, not with a password."""

    code = "sso_required"


class PasskeyRequired(Forbidden):
    """Approving this needs your passkey. Open the hold's page, or register a passkey first: Your account."""

    code = "passkey_required"


class PasskeyRefused(Forbidden):
    """The passkey's signature does not count for this."""

    code = "passkey_refused"


class PasskeyCooling(Forbidden):
    """A passkey added after your first one signs decisions only after 24 hours."""

    code = "passkey_cooling"


class NotAPerson(Forbidden):
    """Only people decide; services and agents never do."""

    code = "not_a_person"


class ScopeMissing(Forbidden):
    """The token's scopes do not allow this."""

    code = "scope_missing"


class CsrfFailed(Forbidden):
    """A browser must send its CSRF token as `X-CSRF-Token`."""

    code = "csrf_failed"


class OriginRefused(Forbidden):
    """Requests from this origin are not accepted."""

    code = "origin_refused"


class HostRefused(Rejected):
    """This host name is not served here; set HANDRAIL_ALLOWED_HOSTS."""

    code = "host_refused"


class RateLimited(Rejected):
    """Too many requests; try again later."""

    code = "rate_limited"

    def __init__(self, message: str | None = None, *, retry_after: float = 1.0, **data: Any) -> None:
        super().__init__(message, **data)
        self.retry_after = retry_after


class TooManySessions(RateLimited):
    """Maximum concurrent sessions reached."""

    code = "too_many_sessions"


class TooManyChanges(RateLimited):
    """Maximum concurrent code changes reached."""

    code = "too_many_changes"


class QuotaExceeded(RateLimited):
    """You have reached the limit for this."""

    code = "quota_exceeded"


# State


class NotFound(Rejected):
    """Not found, or you may not see it."""

    code = "not_found"


class Conflict(Rejected):
    """The request conflicts with the current state."""

    code = "conflict"


class AlreadyDecided(Conflict):
    """The hold has already been decided."""

    code = "already_decided"


class NotDelivered(Conflict):
    """The message could not be delivered."""

    code = "not_delivered"


class Replayed(Conflict):
    """This message was received before. Nothing was done again; read the hold to see how it stands."""

    code = "replayed"


class StaleDigest(Conflict):
    """The hold has changed since you saw it: read the current version, then decide."""

    code = "stale_digest"


class IdempotencyConflict(Conflict):
    """This Idempotency-Key was already used with a different body."""

    code = "idempotency_conflict"


class NotApproved(Conflict):
    """Only an approved hold can be redeemed."""

    code = "not_approved"


class NotInBulk(Conflict):
    """A standing permission is decided by itself, not together with others."""

    code = "not_in_bulk"


class AlreadyRedeemed(Conflict):
    """The approval has already been redeemed with another key."""

    code = "already_redeemed"


class ApprovalVoid(Conflict):
    """The approval is void and the hold is open again: wait for the next decision. Its events say why."""

    code = "approval_void"


class RecordMismatch(Conflict):
    """This hold does not match the log. Ask an administrator to run `handrail audit verify`."""

    code = "record_mismatch"


class NothingToWithdraw(Conflict):
    """You have no standing approval on this hold."""

    code = "nothing_to_withdraw"


class Unchanged(Conflict):
    """The amendment changes nothing: change an argument, the target or the name, or approve it as is."""

    code = "unchanged"


class NothingToRedeem(Conflict):
    """This hold has no action, so there is nothing to redeem: the decision is the answer."""

    code = "nothing_to_redeem"


class NotRedeemed(Conflict):
    """A result can be recorded only after the approval has been redeemed."""

    code = "not_redeemed"


class ResultRecorded(Conflict):
    """Another result has already been recorded."""

    code = "result_recorded"


class SignedInAsAnother(Conflict):
    """Someone else is signed in on this browser: send `replace` to sign them out."""

    code = "signed_in_as_another"


class BrokenWorkflow(Conflict):
    """The workflow cannot run: its code does not load."""

    code = "broken_workflow"


class RunEnded(Conflict):
    """The run has already ended."""

    code = "run_ended"


class SessionFinal(Conflict):
    """A session cannot be run again. Start a new one."""

    code = "session_final"


class NotFailed(Conflict):
    """Only a failed run can be retried."""

    code = "not_failed"


class Braked(Conflict):
    """The emergency brake is on."""

    code = "braked"


class NameTaken(Conflict):
    """That name is already in use."""

    code = "name_taken"


class SsoConflict(Conflict):
    """Another account already has this name or address. Ask an administrator which one is yours."""

    code = "sso_conflict"


class PasskeyNeedsName(Conflict):
    """Passkeys work only where this page is reached by a name: open http://localhost, or set HANDRAIL_PUBLIC_URL."""

    code = "passkey_needs_name"


class SsoManaged(Conflict):
    """The company's sign-in manages this: change the person's groups there, or the table of groups and roles."""

    code = "sso_managed"


class LastAdministrator(Conflict):
    """The last active local administrator must stay one. Make another person an administrator first."""

    code = "last_administrator"
