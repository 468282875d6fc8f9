"""Hooks of coding agents over HTTP: a tool call in the agent's own JSON, the decision in the agent's own words."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated

from fastapi import Header, Path, Query, Request, Response

from handrail.api.identity import Opener, guarded_router, identify, rates_of
from handrail.api.schemas.hooks import HookCall
from handrail.api.services import Services, Use
from handrail.core.callers import Scope
from handrail.core.canonical import JsonObject
from handrail.core.holds import Hold
from handrail.core.ids import HoldId
from handrail.feed.entries import about_hold
from handrail.holds import reading
from handrail.hooks import answers, calls, judging
from handrail.hooks.answers import Waiting

router = guarded_router("hooks")

LONGEST_WAIT_SECONDS = 3600.0
PENDING_HEADER = "Handrail-Pending"
"""Says which hold is not decided: the answer refuses the call, and the same request again may get another answer."""


@router.post("/api/hooks/{agent}", summary="Decide a tool call of a coding agent")
async def hook(
    agent: Annotated[calls.Agent, Path()],
    body: HookCall,
    request: Request,
    response: Response,
    caller: Opener,
    services: Use,
    wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT_SECONDS, description="Seconds.")] = 0,
    defer: Annotated[bool, Query(description="Claude Code: end the turn instead of refusing.")] = False,
    handrail_attempt: Annotated[str | None, Header(min_length=8, max_length=64)] = None,
) -> JsonObject:
    """Before a tool call: whether it may run. After it: records how it ended. Only Claude Code calls this itself.

    A call that nobody has decided within `wait` is refused, with the header `Handrail-Pending`; the hold stays open.
    The same `Handrail-Attempt` gets the same answer again; any other finds the approval used.
    """
    call = calls.read(agent, body.root)
    if call.ended is not None:
        await judging.record(services.context, caller.principal, call)
        return answers.NOTHING
    await rates_of(request).opening(caller.principal)
    attempt = handrail_attempt or secrets.token_hex(16)
    asked = await judging.ask(services.context, caller.principal, call, attempt)
    if not isinstance(asked, Hold):
        return answers.told(call, asked)
    until = asyncio.get_running_loop().time() + (0 if defer else wait)
    outcome = await judging.use(services.context, caller.principal, call, asked, attempt)
    while isinstance(outcome, Waiting) and (left := until - asyncio.get_running_loop().time()) > 0:
        asked = await _decided(services, request, asked.id, left)
        if asked.pending or await request.is_disconnected():
            # an approval for nobody stays unused
            break
        outcome = await judging.use(services.context, caller.principal, call, asked, attempt)
    if isinstance(outcome, Waiting):
        response.headers[PENDING_HEADER] = outcome.hold
    return answers.told(call, outcome, defer=defer)


async def _decided(services: Services, request: Request, hold_id: HoldId, within: float) -> Hold:
    async def look() -> Hold:
        # the token or account may be gone by the time that somebody decides
        now = await identify(request)
        now.require(Scope.open)
        return await reading.get(services.context, now.principal, hold_id)

    return await services.feed.wait_for(about_hold(hold_id), look, lambda seen: not seen.pending, within)
