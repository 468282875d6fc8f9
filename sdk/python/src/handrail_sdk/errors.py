"""Every error the SDK raises on purpose: one root with `code`, `message` and `data`.

What the server refuses comes with the server's own code and message; a class of its own exists where callers act on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, cast

from .holds import Decision, Hold, Result, Who


class HandrailError(Exception):
    """Root of all errors that are meant."""

    default_code: ClassVar[str] = "error"

    def __init__(self, message: str, *, code: str | None = None, data: Mapping[str, Any] | None = None) -> None:
        self.code = code or self.default_code
        self.message = message
        self.data = dict(data or {})
        super().__init__(message)


class Misconfigured(HandrailError):
    """The address or token is missing or malformed."""

    default_code = "misconfigured"


class NotJson(HandrailError):
    """A value cannot be shown to people and bound to their decision, because it is not JSON."""

    default_code = "not_json"


class UnexpectedAnswer(HandrailError):
    """The response is not from a Handrail server: check `HANDRAIL_URL`."""

    default_code = "unexpected_answer"


class Unavailable(HandrailError):
    """The server cannot be reached right now. `may_have_happened`: the request may have been carried out."""

    default_code = "unavailable"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        data: Mapping[str, Any] | None = None,
        may_have_happened: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, code=code, data=data)
        self.may_have_happened = may_have_happened
        self.retry_after = retry_after


class RateLimited(HandrailError):
    """Too many requests. `retry_after`: seconds that the server asks to wait."""

    default_code = "rate_limited"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        data: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, code=code, data=data)
        self.retry_after = retry_after


# What the server refuses


class Invalid(HandrailError):
    """The request is not valid; `code` and message say why."""

    default_code = "invalid"


class DigestRequired(Invalid):
    """The hold has been amended since it opened: send the digest of the revision you saw."""

    default_code = "digest_required"


class Unauthenticated(HandrailError):
    """The token is unknown, expired or revoked."""

    default_code = "unauthenticated"


class Forbidden(HandrailError):
    """This principal may not do that."""

    default_code = "forbidden"


class NotFound(HandrailError):
    """Not found, or this principal may not see it."""

    default_code = "not_found"


class Conflict(HandrailError):
    """The request conflicts with the current state."""

    default_code = "conflict"


class AlreadyDecided(Conflict):
    """Someone else, or the clock, decided first."""

    default_code = "already_decided"

    @property
    def outcome(self) -> str | None:
        """What was decided: approved, rejected, answered, expired or cancelled."""
        return self.data.get("outcome")

    @property
    def decided_at(self) -> datetime | None:
        at = self.data.get("decided_at")
        return datetime.fromisoformat(at) if isinstance(at, str) else None

    @property
    def decided_by(self) -> Who | None:
        """Who decided; nobody where policy or the clock did."""
        by = self.data.get("decided_by")
        if not isinstance(by, dict):
            return None
        who = cast("dict[str, Any]", by)
        return Who(id=str(who.get("id")), name=str(who.get("name")), kind=str(who.get("kind")))


class StaleDigest(Conflict):
    """The digest is not that of the hold's current revision."""

    default_code = "stale_digest"


class IdempotencyConflict(Conflict):
    """The idempotency key was already used for another question."""

    default_code = "idempotency_conflict"


class NotApproved(Conflict):
    """Only an approved hold can be redeemed; its approval may have been withdrawn."""

    default_code = "not_approved"


class ApprovalVoid(Conflict):
    """The policy now requires more than was given; the hold is pending again."""

    default_code = "approval_void"


class AlreadyRedeemed(Conflict):
    """The approval was already used with another key."""

    default_code = "already_redeemed"


# What a gate refuses; the function has not run


class NotAllowed(HandrailError):
    """People, the policy or the clock said no, or the question was cancelled. `decision` says which, and why."""

    default_code = "not_allowed"

    def __init__(self, hold: Hold) -> None:
        decision = hold.decision
        said = hold.response or (decision.reason if decision else None)
        reason = f": {said}" if said else ""
        super().__init__(f"{hold.title!r} was {hold.status}{reason}", data={"hold_id": hold.id, "status": hold.status})
        self.hold = hold

    @property
    def decision(self) -> Decision | None:
        return self.hold.decision

    @property
    def response(self) -> str | None:
        """What a person said in place of yes or no."""
        return self.hold.response


class ActionChanged(HandrailError):
    """What is about to run is not what was approved. It does not run, and the approval is not used up."""

    default_code = "action_changed"


class MayHaveRun(HandrailError):
    """The approval was used by an earlier attempt that left no result: the action may have happened.

    Look whether it did. Declare the function `idempotent=True` where running it again does no harm.
    """

    default_code = "may_have_run"

    def __init__(self, message: str, hold: Hold) -> None:
        super().__init__(message, data={"hold_id": hold.id})
        self.hold = hold


class AlreadyRan(MayHaveRun):
    """The approval was used by an earlier attempt, and `result` says how it ended."""

    default_code = "already_ran"

    @property
    def result(self) -> Result | None:
        return self.hold.result
