"""Confirmations: yes or no from a person, for one action or for each item of a batch, as operations of both clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from .canonical import digest as digest_of
from .canonical import plain
from .errors import DigestRequired, Invalid, UnexpectedAnswer
from .exchange import Flow, OnComment
from .holds import Decision, Hold, ItemDecision
from .operations import Operations


@dataclass(frozen=True, slots=True)
class ConfirmationResult:
    """`approved` is true only if exactly what was asked was approved."""

    approved: bool
    reason: str | None
    responded_at: datetime


@dataclass(frozen=True, slots=True)
class BatchConfirmationResult:
    """A decision for every item, in the order of the items."""

    decisions: tuple[ItemDecision, ...]
    responded_at: datetime

    @property
    def approved(self) -> tuple[str, ...]:
        """The ids of the approved items."""
        return tuple(item.item_id for item in self.decisions if item.approved)


def request_confirmation(
    operations: Operations,
    case_id: str,
    agent_type: str,
    action_description: str,
    affected_items: Sequence[object],
    context: object = None,
    *,
    timeout: float | None = None,
    idempotency_key: str | None = None,
    on_comment: OnComment | None = None,
) -> Flow[ConfirmationResult]:
    """A person's yes or no. Waits forever by default.

    After `timeout` seconds without an answer the server rejects the request, even if the program is not running.
    A program that restarts with the same `idempotency_key` and the same arguments is re-attached to its request
    and gets the decision that was made in the meantime. No key is ever invented: without one it asks again.
    `on_comment` is called with the questions people ask, and may return the reply, as with `wait`.
    """
    evidence = {"agent_type": agent_type, "affected_items": plain(list(affected_items), "`affected_items`")}
    hold = yield from operations.ask(
        "confirmation",
        action_description,
        evidence=evidence,
        case_id=case_id,
        context=context,
        expires_in=timeout,
        on_expiry=None if timeout is None else "reject",
        idempotency_key=idempotency_key,
        on_comment=on_comment,
    )
    decision = _decision(hold)
    asked = digest_of("confirmation", action_description, None, evidence=evidence)
    return ConfirmationResult(hold.approved and hold.digest == asked, decision.reason, decision.at)


def request_confirmations(
    operations: Operations,
    case_id: str,
    agent_type: str,
    action_description: str,
    items: Sequence[Mapping[str, object]],
    context: object = None,
    *,
    timeout: float | None = None,
    idempotency_key: str | None = None,
    on_comment: OnComment | None = None,
) -> Flow[BatchConfirmationResult]:
    """One request for many items, each a JSON object with a unique `item_id`; a decision for each of them.

    Waiting, `timeout`, `idempotency_key` and `on_comment` work as in `request_confirmation`. If nobody decides in
    time, or the request is cancelled, every item is rejected.
    """
    ids = [_item_id(item) for item in items]
    hold = yield from operations.ask(
        "confirmation",
        action_description,
        items=items,
        evidence={"agent_type": agent_type},
        case_id=case_id,
        context=context,
        expires_in=timeout,
        on_expiry=None if timeout is None else "reject",
        idempotency_key=idempotency_key,
        on_comment=on_comment,
    )
    decision = _decision(hold)
    decided = {item.item_id: item for item in decision.items}
    nobody = decision.reason or f"the request was {hold.status}"
    decisions = tuple(decided.get(item_id) or ItemDecision(item_id, False, nobody) for item_id in ids)
    return BatchConfirmationResult(decisions, decision.at)


def resolve_confirmation(
    operations: Operations, request_id: str, approved: bool, reason: str | None = None, *, digest: str | None = None
) -> Flow[Hold]:
    """A person's answer to one request. The first answer wins; later ones raise AlreadyDecided with who and when.

    `digest` says which revision the person saw. It is required only if the request was amended since it opened.
    """
    seen = yield from _digest_seen(operations, request_id, digest)
    return (yield from operations.review(request_id, "approve" if approved else "reject", digest=seen, reason=reason))


def resolve_confirmations(
    operations: Operations, batch_id: str, decisions: Sequence[ItemDecision], *, digest: str | None = None
) -> Flow[Hold]:
    """A person's answer to a batch: every item must have its decision. The first answer wins."""
    seen = yield from _digest_seen(operations, batch_id, digest)
    return (yield from operations.review(batch_id, "answer", digest=seen, items=decisions))


def _digest_seen(operations: Operations, hold_id: str, digest: str | None) -> Flow[str]:
    if digest is not None:
        return digest
    hold = yield from operations.get(hold_id)
    if hold.revision > 1:
        raise DigestRequired(
            f"request {hold_id} has been amended since it opened: pass the digest of the revision you saw",
            data={"revision": hold.revision},
        )
    return hold.digest


def _decision(hold: Hold) -> Decision:
    if hold.decision is None:
        raise UnexpectedAnswer(f"hold {hold.id} is {hold.status} without a decision")
    return hold.decision


def _item_id(item: Mapping[str, object]) -> str:
    item_id = item.get("item_id")
    if not isinstance(item_id, str) or not item_id:
        raise Invalid(f"every item needs an `item_id` that is text; {dict(item)!r} has none")
    return item_id
