"""Temporal: activities that open a hold, wait for people and use the approval, through any number of workers; and
signals for workflows that wait themselves."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, TypedDict

from temporalio import activity
from temporalio.client import Client
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from handrail_sdk.client import AsyncHandrail
from handrail_sdk.errors import HandrailError, RateLimited, Unavailable

from .gating import Allowed, Refused, ToolFailed, ToolGate, refusal

# a few of them fit into any sensible heartbeat timeout
BEAT_SECONDS = 10.0
DECIDED = "handrail_decided"
"""The signal that `signal_decisions` sends."""


class Approved(TypedDict):
    """What may run, once: with these arguments."""

    hold_id: str
    args: dict[str, Any]


class Opened(TypedDict):
    """A hold, and whether it still waits."""

    hold_id: str
    pending: bool


@activity.defn(name="handrail_ask_people")
async def ask_people(
    action: str, args: dict[str, Any], call_id: str | None = None, expires_in: float | None = None
) -> Approved:
    """The approved arguments, amended or not. A no is an ApplicationError that is not retried; a server that is away is
    one that is.

    The hold belongs to the workflow run and this activity, or to `call_id` in the run. An attempt that dies while it
    waits is repeated by Temporal and finds its hold. One that dies between using the approval and completing cannot
    know whether its workflow continued, and is refused. Run the action itself in an activity that is attempted once.
    """
    beating = asyncio.create_task(_beat())
    try:
        entered = await _gate(expires_in).enter(action, args, _place(call_id))
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating
    if isinstance(entered, Refused):
        raise _failure(entered.text, entered.error)
    return Approved(hold_id=entered.hold_id, args=entered.args)


@activity.defn(name="handrail_open_hold")
async def open_hold(action: str, args: dict[str, Any], call_id: str, expires_in: float | None = None) -> Opened:
    """Opens the hold and returns at once; called again, it says whether the hold still waits. Then `ask_people` with
    the same arguments gets the decision without waiting."""
    try:
        hold = await _gate(expires_in).decided(action, args, _place(call_id), timeout=0)
    except HandrailError as error:
        raise _failure(refusal(action, error), error) from error
    return Opened(hold_id=hold.id, pending=hold.pending)


@activity.defn(name="handrail_record_end")
async def record_end(hold_id: str, failed: bool = False) -> None:
    """Records on the hold that the action succeeded or failed."""
    await _gate().ended(Allowed(hold_id, {}, amended=False), ToolFailed() if failed else None)


async def signal_decisions(client: Client, handrail: AsyncHandrail, after: int | None = None) -> None:
    """Sends `handrail_decided` with the hold's id to each workflow whose hold was decided, until it is cancelled.

    Begins with the decisions from now on, or with those after the event `after`. A decision made while nothing runs
    this is signalled to nobody, so a workflow should look by itself now and then.
    """
    async for event in handrail.events(after=after):
        if event.type != "hold.decided" or event.case_id is None:
            continue
        try:
            await client.get_workflow_handle(event.case_id).signal(DECIDED, event.hold_id)
        except RPCError as error:
            # the case is no workflow of this server, or one that has ended
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise


def _gate(expires_in: float | None = None) -> ToolGate:
    return ToolGate(thread=activity.info().workflow_id, by_call_id=True, expires_in=expires_in)


def _place(call_id: str | None) -> str:
    here = activity.info()
    return f"{here.workflow_run_id}/{call_id or here.activity_id}"


def _failure(text: str, error: HandrailError) -> ApplicationError:
    away = isinstance(error, Unavailable | RateLimited)
    return ApplicationError(text, type="HandrailRefused", non_retryable=not away)


async def _beat() -> None:
    """Without heartbeats, Temporal cannot tell a worker that waits from one that has died."""
    while True:
        activity.heartbeat("waiting for people")
        await asyncio.sleep(BEAT_SECONDS)
