"""What a client can do, each as one operation that both clients run."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec
from urllib.parse import quote

from .canonical import plain
from .decoding import decode, decode_list
from .errors import Invalid
from .exchange import Flow, Pause, Request
from .holds import (
    Action,
    Comment,
    ExpiryOutcome,
    Hold,
    ItemDecision,
    Kind,
    Redeemed,
    ResultOutcome,
    Verdict,
)
from .retries import backoff, send

P = ParamSpec("P")

LONG_POLL = 30.0
# beyond the long poll, for the way there and back
LONG_POLL_MARGIN = 15.0


class Operations:
    """`retry_for`: how many seconds a request other than waiting is sent again while the server cannot be reached."""

    def __init__(self, retry_for: float) -> None:
        self._retry_for = retry_for

    def open(
        self,
        kind: Kind,
        title: str,
        action: Action,
        *,
        description: str | None = None,
        case_id: str | None = None,
        task: Mapping[str, object] | None = None,
        items: Sequence[Mapping[str, object]] | None = None,
        schema: object = None,
        evidence: object = None,
        context: object = None,
        expires_in: float | None = None,
        on_expiry: ExpiryOutcome | None = None,
        idempotency_key: str | None = None,
    ) -> Flow[Hold]:
        """A new hold; with an idempotency key that was used before, the hold that was opened then.

        Without a key a request that may have reached the server is not repeated, and Unavailable says so
        (`may_have_happened`). `expires_in` is in seconds, by the server's clock.
        """
        body = _body(
            kind=kind,
            title=title,
            action=_action(action),
            description=description,
            case_id=case_id,
            task=None if task is None else dict(task),
            items=None if items is None else [dict(item) for item in items],
            schema=schema,
            evidence=evidence,
            context=context,
            expires_in=expires_in,
            on_expiry=on_expiry,
        )
        headers = {} if idempotency_key is None else {"Idempotency-Key": _header(idempotency_key)}
        request = Request("POST", "/api/holds", body=body, headers=headers, repeatable=bool(headers))
        return decode(Hold, (yield from self._send(request)))

    def get(self, hold_id: str) -> Flow[Hold]:
        """The hold as it stands."""
        return decode(Hold, (yield from self._send(Request("GET", _hold(hold_id), repeatable=True))))

    def wait(self, hold_id: str, *, timeout: float | None = None) -> Flow[Hold]:
        """The hold once it is decided. Waits for ever by default, through restarts of the server and lost networks.

        After `timeout` seconds the hold comes back pending: nothing is decided by that.
        Giving up waiting, by cancelling the task or otherwise, leaves the hold open.
        """
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        early = 0
        while True:
            asked = time.monotonic()
            poll = max(0.0, min(LONG_POLL, deadline - asked))
            request = Request(
                "GET",
                _hold(hold_id, "wait"),
                query={"timeout": f"{poll:g}"},
                repeatable=True,
                read_timeout=poll + LONG_POLL_MARGIN,
            )
            hold = decode(Hold, (yield from send(request, deadline - asked)))
            now = time.monotonic()
            if not hold.pending or now >= deadline:
                return hold
            # a server on its way down answers ahead of time: that must not become a hot loop
            early = early + 1 if now - asked < poll / 2 else 0
            if early:
                yield Pause(min(backoff(early), deadline - now))

    def review(
        self,
        hold_id: str,
        verdict: Verdict,
        *,
        digest: str,
        reason: str | None = None,
        answer: object = None,
        items: Sequence[ItemDecision] | None = None,
        amended_action: Action | None = None,
    ) -> Flow[Hold]:
        """One person's say on the revision with this digest. Needs the token of a person who may decide.

        `answer` goes with the verdict answer (`items` where the hold is a batch), `amended_action` with amend.
        The first decision wins; later ones raise AlreadyDecided, which says whose it was.
        """
        body = _body(
            verdict=verdict,
            digest=digest,
            reason=reason,
            answer=answer,
            items=None if items is None else [_item(item) for item in items],
            amended_action=None if amended_action is None else _action(amended_action),
        )
        return (yield from self._command(hold_id, "reviews", body))

    def redeem(self, hold_id: str, digest: str, key: str) -> Flow[Redeemed]:
        """Uses the approval for one execution of what has this digest. The same key again gets the same answer.

        NotApproved and ApprovalVoid mean: wait again. StaleDigest: this is not what was approved.
        """
        body = _body(digest=digest, key=key)
        return decode(Redeemed, (yield from self._send(_post(hold_id, "redeem", body, repeatable=True))))

    def result(self, hold_id: str, outcome: ResultOutcome, detail: object = None) -> Flow[Hold]:
        """Records what happened when the action ran. The same result again changes nothing."""
        body = _body(outcome=outcome, detail=detail)
        return decode(Hold, (yield from self._send(_post(hold_id, "result", body, repeatable=True))))

    def withdraw(self, hold_id: str, reason: str | None = None) -> Flow[Hold]:
        """Takes one's own approval back, which is possible until it is redeemed."""
        return (yield from self._command(hold_id, "withdraw", _body(reason=reason)))

    def cancel(self, hold_id: str, reason: str | None = None) -> Flow[Hold]:
        """Stops asking."""
        return (yield from self._command(hold_id, "cancel", _body(reason=reason)))

    def comment(self, hold_id: str, text: str) -> Flow[Comment]:
        """Adds a remark or a question to the hold; decides nothing."""
        return decode(Comment, (yield from self._send(_post(hold_id, "comments", _body(text=text)))))

    def comments(self, hold_id: str) -> Flow[tuple[Comment, ...]]:
        """What was said on the hold, oldest first."""
        answer = yield from self._send(Request("GET", _hold(hold_id, "comments"), repeatable=True))
        return decode_list(Comment, answer, "comments")

    def _command(self, hold_id: str, name: str, body: dict[str, Any]) -> Flow[Hold]:
        return decode(Hold, (yield from self._send(_post(hold_id, name, body))))

    def _send(self, request: Request) -> Flow[Any]:
        return (yield from send(request, self._retry_for))


def _then_wait(
    open_: Callable[Concatenate[Operations, P], Flow[Hold]],
) -> Callable[Concatenate[Operations, P], Flow[Hold]]:
    def ask(operations: Operations, *args: P.args, **kwargs: P.kwargs) -> Flow[Hold]:
        """Opens a hold, as `open` does, and waits: the decided hold, whatever the decision is."""
        hold = yield from open_(operations, *args, **kwargs)
        return (yield from operations.wait(hold.id)) if hold.pending else hold

    return ask


ask = _then_wait(Operations.open)


def _post(hold_id: str, name: str, body: dict[str, Any], *, repeatable: bool = False) -> Request:
    return Request("POST", _hold(hold_id, name), body=body, repeatable=repeatable)


def _hold(hold_id: str, *rest: str) -> str:
    return "/".join(("/api/holds", quote(str(hold_id), safe=""), *rest))


def _body(**fields: object) -> dict[str, Any]:
    """The fields that are given, checked to be JSON."""
    return {name: plain(value, f"`{name}`") for name, value in fields.items() if value is not None}


def _action(action: Action) -> dict[str, Any]:
    return _body(name=action.name, args=dict(action.args), target=action.target)


def _item(item: ItemDecision) -> dict[str, Any]:
    return _body(item_id=item.item_id, approved=item.approved, reason=item.reason)


def _header(key: str) -> str:
    if not key or not key.isascii() or not key.isprintable() or key != key.strip():
        raise Invalid(f"the idempotency key {key!r} must be printable ASCII without spaces around it")
    return key
