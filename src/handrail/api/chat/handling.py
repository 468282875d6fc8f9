"""What a client's event does, by the rules that hold everywhere: a change is started, answered, decided, cancelled."""

from __future__ import annotations

from typing import Any, assert_never
from uuid import UUID

from handrail.api.chat.clients import Client
from handrail.api.chat.messages import ApprovePlan, CancelRequest, ChatMessage, Message, RejectPlan
from handrail.api.rates import Rates
from handrail.api.references import named
from handrail.changes import requests
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Hold, Verdict
from handrail.holds import deciding
from handrail.holds.deciding import Say
from handrail.store import holds


async def handle(client: Client, said: Message, rates: Rates) -> dict[str, Any]:
    """The acknowledgement. What is said to one session is done in order; only a cancellation does not wait."""
    match said:
        case CancelRequest():
            return await _cancel(client, said)
        case ChatMessage():
            async with client.order[said.session_id]:
                return await _said(client, said, rates)
        case ApprovePlan() | RejectPlan():
            async with client.order[said.session_id], named(client.services, "R", said.session_id) as session_id:
                return await _review(client, said, session_id)
        case _:
            assert_never(said)


async def _said(client: Client, said: ChatMessage, rates: Rates) -> dict[str, Any]:
    if said.session_id is None:
        return await _start(client, said, rates, None)
    async with named(client.services, "R", said.session_id) as session_id:
        return await _message(client, said, rates, session_id)


async def _start(client: Client, said: ChatMessage, rates: Rates, follows: UUID | None) -> dict[str, Any]:
    caller = await _caller(client, Scope.open)
    await rates.opening(caller.principal)
    more: dict[str, Any] = {"base_branch": said.base_branch} if said.base_branch else {}
    asked = requests.Request(said.message, said.repo_url, follows, more)
    services = client.services
    run = await requests.start(services.engine, services.settings, caller.principal, asked, said.idempotency_key)
    await client.follow(run.id, 0)
    started = {"session_id": str(run.id), "short_id": run.short_id, "status": run.status.value}
    return started | ({"follows": str(follows)} if follows else {})


async def _message(client: Client, said: ChatMessage, rates: Rates, session_id: UUID) -> dict[str, Any]:
    """Answers what the session asks; one that has ended is followed up by another."""
    caller = await _caller(client, Scope.open)
    services = client.services
    change = await requests.get(services.context, caller.principal, session_id)
    if change.run.status.ended:
        return await _start(client, said, rates, session_id)
    if change.question is None:
        waits = [hold.short_id for hold in change.standing.waits_for]
        what = f"waits for the decision on {', '.join(waits)}" if waits else f"is {change.run.status}"
        raise errors.Conflict(f"the session asks nothing: it {what}. Wait for its next question, or cancel it")
    caller.require(Scope.decide)
    after = services.feed.head
    hold = await requests.answered(services.context, caller, session_id, said.message, None, change.question.id)
    await client.follow(session_id, after)
    return {"session_id": str(session_id), "question_id": str(hold.id), "status": hold.status.value}


async def _review(client: Client, said: ApprovePlan | RejectPlan, session_id: UUID) -> dict[str, Any]:
    """A review of the hold, with all its rules; a plan that was amended is decided by the digest that was shown."""
    caller = await _caller(client, Scope.decide)
    services = client.services
    await requests.get(services.context, caller.principal, session_id)
    approves = isinstance(said, ApprovePlan) and said.approved
    reason = said.notes if isinstance(said, ApprovePlan) else said.reason
    verdict = Verdict.approve if approves else Verdict.reject
    async with named(services, "H", said.plan_id) as plan_id:
        hold = await _hold_of(client, session_id, plan_id)
        say = Say(verdict, said.digest, reason or None, credential=caller.credential)
        hold = await deciding.review(services.context, caller.principal, hold.id, say)
    return {"session_id": str(session_id), "plan_id": str(hold.id), "status": hold.status.value}


async def _hold_of(client: Client, session_id: UUID, plan_id: UUID) -> Hold:
    async with client.services.database.connection() as conn:
        hold = await holds.get(conn, plan_id)
    if hold is None or hold.run_id != session_id:
        raise errors.NotFound(f"the session has no plan {plan_id}")
    return hold


async def _cancel(client: Client, said: CancelRequest) -> dict[str, Any]:
    caller = await _caller(client, Scope.open)
    async with named(client.services, "R", said.session_id) as session_id:
        run = await requests.cancel(client.services.context, caller.principal, session_id, said.reason)
    return {"session_id": str(session_id), "status": run.status.value}


async def _caller(client: Client, scope: Scope) -> Caller:
    """Who says it, as of now."""
    caller = await client.identity()
    caller.require(scope)
    return caller
