"""The confirmation functions for any asyncio program, with or without an existing client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext

from .client import AsyncHandrail
from .confirmations import BatchConfirmationResult, ConfirmationResult
from .exchange import OnComment
from .holds import Hold, ItemDecision


async def request_confirmation(
    case_id: str,
    agent_type: str,
    action_description: str,
    affected_items: Sequence[object],
    context: object = None,
    *,
    timeout: float | None = None,
    idempotency_key: str | None = None,
    on_comment: OnComment | None = None,
    client: AsyncHandrail | None = None,
) -> ConfirmationResult:
    """A person's yes or no. Waits forever by default, without blocking the loop.

    After `timeout` seconds without an answer the server rejects the request, even if the program is not running.
    A program that restarts with the same `idempotency_key` and the same arguments is re-attached to its request
    and gets the decision that was made in the meantime. No key is ever invented: without one it asks again.
    `on_comment` is called with the questions people ask, and may return the reply, as with `wait`.
    Without a `client`, HANDRAIL_URL and HANDRAIL_TOKEN give the server and the caller.
    """
    async with nullcontext(client) if client else AsyncHandrail() as handrail:
        return await handrail.request_confirmation(
            case_id,
            agent_type,
            action_description,
            affected_items,
            context,
            timeout=timeout,
            idempotency_key=idempotency_key,
            on_comment=on_comment,
        )


async def request_confirmations(
    case_id: str,
    agent_type: str,
    action_description: str,
    items: Sequence[Mapping[str, object]],
    context: object = None,
    *,
    timeout: float | None = None,
    idempotency_key: str | None = None,
    on_comment: OnComment | None = None,
    client: AsyncHandrail | None = None,
) -> BatchConfirmationResult:
    """One request for many items, each a JSON object with a unique `item_id`; a decision for each of them."""
    async with nullcontext(client) if client else AsyncHandrail() as handrail:
        return await handrail.request_confirmations(
            case_id,
            agent_type,
            action_description,
            items,
            context,
            timeout=timeout,
            idempotency_key=idempotency_key,
            on_comment=on_comment,
        )


async def resolve_confirmation(
    request_id: str,
    approved: bool,
    reason: str | None = None,
    *,
    digest: str | None = None,
    client: AsyncHandrail | None = None,
) -> Hold:
    """A person's answer. The first answer wins; later ones raise AlreadyDecided, which says who decided and when."""
    async with nullcontext(client) if client else AsyncHandrail() as handrail:
        return await handrail.resolve_confirmation(request_id, approved, reason, digest=digest)


async def resolve_confirmations(
    batch_id: str,
    decisions: Sequence[ItemDecision],
    *,
    digest: str | None = None,
    client: AsyncHandrail | None = None,
) -> Hold:
    """A person's answer to a batch: every item must have its decision. The first answer wins."""
    async with nullcontext(client) if client else AsyncHandrail() as handrail:
        return await handrail.resolve_confirmations(batch_id, decisions, digest=digest)
