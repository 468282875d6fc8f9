"""What a client can do, each as one operation that both clients run."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack
from urllib.parse import quote

from .canonical import plain
from .decoding import decode, decode_list
from .errors import Invalid
from .exchange import Flow, OnComment, Pause, Reply, Request, Tell
from .holds import (
    Action,
    Comment,
    ExpiryOutcome,
    Hold,
    ItemDecision,
    Kind,
    Redeem,
    Redeemed,
    ResultOutcome,
    Verdict,
)
from .retries import backoff, send

LONG_POLL = 30.0
# beyond the long poll, for the way there and back
LONG_POLL_MARGIN = 15.0


class Opening(TypedDict, total=False):
    """What a hold may carry in addition to kind, title and action."""

    description: str | None
    case_id: str | None
    task: Mapping[str, object] | None
    items: Sequence[Mapping[str, object]] | None
    schema: object
    evidence: object
    context: object
    expires_in: float | None
    on_expiry: ExpiryOutcome | None
    takes_response: bool
    redeem: Redeem | None
    idempotency_key: str | None


class Operations:
    """`retry_for`: for how many seconds a request other than waiting is retried while the server is unreachable."""

    def __init__(self, retry_for: float) -> None:
        self._retry_for = retry_for
        # the newest comment that was passed on, by hold
        self._heard: dict[str, int] = {}

    def open(self, kind: Kind, title: str, action: Action | None = None, **more: Unpack[Opening]) -> Flow[Hold]:
        """A new hold; with an idempotency key that was used before, the hold opened then.

        A confirmation and an input need no action; without one there is nothing to redeem. With `takes_response`,
        people may also respond with words: the hold is then answered, and `Hold.response` is what they said.

        With `redeem`, an approval that nobody has to be asked for is used at once, as `redeem` does: `Hold.redeemed`
        says so. AlreadyRedeemed: the hold of this key was used under another redemption key.

        Without a key a request that may have reached the server is not repeated, and Unavailable says so
        (`may_have_happened`). `expires_in` is in seconds, by the server's clock.
        """
        odd = more.keys() - Opening.__annotations__.keys()
        if odd:
            raise TypeError(f"a hold has no {', '.join(sorted(odd))}")
        key, task, items = more.pop("idempotency_key", None), more.get("task"), more.get("items")
        redeem = more.get("redeem")
        plainly = {
            "task": None if task is None else dict(task),
            "items": None if items is None else [dict(item) for item in items],
            # a server from before it was known takes no such field
            "takes_response": more.get("takes_response") or None,
            "redeem": redeem and {"digest": redeem.digest, "key": redeem.key},
        }
        body = _body(kind=kind, title=title, action=action and _action(action), **{**more, **plainly})
        headers = {} if key is None else {"Idempotency-Key": _header(key)}
        request = Request("POST", "/api/holds", body=body, headers=headers, repeatable=bool(headers))
        return decode(Hold, (yield from self._send(request)))

    def ask(
        self,
        kind: Kind,
        title: str,
        action: Action | None = None,
        *,
        on_comment: OnComment | None = None,
        **more: Unpack[Opening],
    ) -> Flow[Hold]:
        """Opens a hold, as `open` does, and waits, as `wait` does: the decided hold, whatever the decision."""
        hold = yield from self.open(kind, title, action, **more)
        return (yield from self.wait(hold.id, on_comment=on_comment)) if hold.pending else hold

    def get(self, hold_id: str) -> Flow[Hold]:
        """The hold as it is now."""
        return decode(Hold, (yield from self._send(Request("GET", _hold(hold_id), repeatable=True))))

    def wait(self, hold_id: str, *, timeout: float | None = None, on_comment: OnComment | None = None) -> Flow[Hold]:
        """The hold once it is decided. Waits forever by default, through server restarts and network outages.

        After `timeout` seconds the hold is returned still pending: that decides nothing.
        Cancelling the task, or otherwise giving up, leaves the hold open.

        `on_comment` is called with every comment by anyone but the requester, in order and once each in the life of a
        client; if it returns a text, that is the reply. Comments that already have a reply are left out, so a program
        that restarts receives only what it has not answered.
        """
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        early = 0
        while True:
            asked, heard = time.monotonic(), self._heard.get(hold_id, 0)
            poll = max(0.0, min(LONG_POLL, deadline - asked))
            request = Request(
                "GET",
                _hold(hold_id, "wait"),
                query={"timeout": f"{poll:g}"} | ({"comments_after": str(heard)} if on_comment else {}),
                repeatable=True,
                read_timeout=poll + LONG_POLL_MARGIN,
            )
            hold = decode(Hold, (yield from send(request, deadline - asked)))
            if on_comment is not None:
                yield from self._hear(hold_id, hold, on_comment)
            now = time.monotonic()
            if not hold.pending or now >= deadline:
                return hold
            # a server on its way down answers ahead of time: that must not become a hot loop
            early = early + 1 if now - asked < poll / 2 and heard == self._heard.get(hold_id, 0) else 0
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
        """One person's review of the revision with this digest. Needs the token of a person who may decide.

        `answer` goes with the verdicts answer (`items` for a batch) and respond, `amended_action` with amend.
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
        """Uses the approval for one execution of what has this digest. The same key gets the same answer again.

        NotApproved and ApprovalVoid mean: wait again. StaleDigest: this is not what was approved.
        """
        body = _body(digest=digest, key=key)
        return decode(Redeemed, (yield from self._send(_post(hold_id, "redeem", body, repeatable=True))))

    def result(self, hold_id: str, outcome: ResultOutcome, detail: object = None) -> Flow[Hold]:
        """Records what happened when the action ran. The same result again changes nothing."""
        body = _body(outcome=outcome, detail=detail)
        return decode(Hold, (yield from self._send(_post(hold_id, "result", body, repeatable=True))))

    def withdraw(self, hold_id: str, reason: str | None = None) -> Flow[Hold]:
        """Withdraws your own approval, which is possible until it is redeemed."""
        return (yield from self._command(hold_id, "withdraw", _body(reason=reason)))

    def cancel(self, hold_id: str, reason: str | None = None) -> Flow[Hold]:
        """Withdraws the request."""
        return (yield from self._command(hold_id, "cancel", _body(reason=reason)))

    def comment(self, hold_id: str, text: str, *, reply_to: int | None = None) -> Flow[Comment]:
        """Adds a remark, a question, or a reply to the comment of that id; decides nothing.

        The same reply to the same comment again changes nothing.
        """
        return decode(Comment, (yield from self._send(_said(hold_id, text, reply_to))))

    def comments(self, hold_id: str, *, after: int = 0) -> Flow[tuple[Comment, ...]]:
        """The comments on the hold, oldest first; with `after`, only those after the comment with that id."""
        return decode_list(Comment, (yield from self._send(_comments(hold_id, after))), "comments")

    def _hear(self, hold_id: str, hold: Hold, on_comment: OnComment) -> Flow[None]:
        """Passes on what was said since the last time."""
        new = _comments(hold_id, self._heard.get(hold_id, 0))
        said = decode_list(Comment, (yield from send(new, math.inf)), "comments")
        answered = {one.reply_to for one in said if one.by.id == hold.opened_by.id}
        for one in said:
            if one.by.id != hold.opened_by.id and one.id not in answered:
                told = yield Tell(one, on_comment)
                assert isinstance(told, Reply)
                if told.answer:
                    yield from send(_said(hold_id, told.answer, one.id), math.inf)
            self._heard[hold_id] = one.id

    def _command(self, hold_id: str, name: str, body: dict[str, Any]) -> Flow[Hold]:
        return decode(Hold, (yield from self._send(_post(hold_id, name, body))))

    def _send(self, request: Request) -> Flow[Any]:
        return (yield from send(request, self._retry_for))


def _post(hold_id: str, name: str, body: dict[str, Any], *, repeatable: bool = False) -> Request:
    return Request("POST", _hold(hold_id, name), body=body, repeatable=repeatable)


def _said(hold_id: str, text: str, reply_to: int | None) -> Request:
    return _post(hold_id, "comments", _body(text=text, reply_to=reply_to), repeatable=reply_to is not None)


def _comments(hold_id: str, after: int) -> Request:
    return Request("GET", _hold(hold_id, "comments"), query={"after": str(after)}, repeatable=True)


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
