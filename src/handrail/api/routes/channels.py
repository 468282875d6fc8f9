"""Accounts elsewhere: link them; and what people do there, as those services send it."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import parse_qsl
from uuid import UUID

from fastapi import Request, Response
from pydantic import ValidationError
from starlette.background import BackgroundTask
from starlette.responses import JSONResponse

from handrail.api import problems
from handrail.api.body import StrictRequest, parse
from handrail.api.identity import AnyCaller, address_of, guarded_router, open_router, rates_of, sso_of
from handrail.api.references import resolve
from handrail.api.schemas.channels import (
    LinkCode,
    LinkList,
    LinkOut,
    MakeLink,
    ProgramLink,
    SignedVerdict,
    VerdictTaken,
)
from handrail.api.services import Services, Use
from handrail.channels import linking
from handrail.channels.linear import api as linear_api
from handrail.channels.linear import link as linear_link
from handrail.channels.linear import signatures as linear_signatures
from handrail.channels.linear.receive import Receiver as LinearReceiver
from handrail.channels.slack import api as slack_api
from handrail.channels.slack import signatures
from handrail.channels.slack.receive import Receiver
from handrail.channels.webhook import link as program
from handrail.channels.webhook import receive as verdicts
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Verdict
from handrail.people.signing_in import Link

router = open_router("channels")
guarded = guarded_router("channels")


@guarded.get("/api/me/links", summary="List your accounts elsewhere")
async def links(services: Use, caller: AnyCaller) -> LinkList:
    """Those by which you can decide without signing in here."""
    found = await linking.links_of(services.database, caller)
    return LinkList(
        links=[LinkOut(id=one.id, channel=one.channel, account=one.account, linked_at=one.linked_at) for one in found]
    )


@guarded.post("/api/me/links", status_code=201, summary="Get a code that links an account to you")
async def make_link(body: MakeLink, services: Use, caller: AnyCaller) -> LinkCode:
    """Whoever sends the code from an account decides as you from then on. It works once, for 10 minutes."""
    if body.channel == "linear":
        made = await _linear_code(services, caller, body.account)
        following = f"In Linear, comment on any issue of the team: handrail link {made.code}"
    else:
        made = await linking.make_code(services.database, caller, body.channel)
        following = f"In Slack, send: /handrail link {made.code}"
    return LinkCode(code=made.code, expires_at=made.expires_at, next=following)


async def _linear_code(services: Services, caller: Caller, account: str | None) -> Link:
    caller.require(Scope.decide)
    if services.settings.linear_api_key is None or services.settings.linear_webhook_secret is None:
        raise errors.NotFound("Linear is not set up to send comments here.")
    if account is None:
        raise errors.InvalidField("`account` is missing: the address of your Linear account.", field="account")
    async with linear_api.opened(services.settings) as calling:
        return await linear_link.make_code(services.database, calling, caller, account)


@guarded.post("/api/me/links/webhook", status_code=201, summary="Get a secret by which your program decides as you")
async def link_program(request: Request, services: Use, caller: AnyCaller) -> ProgramLink:
    """Its requests are signed with it, as in Standard Webhooks. You have one at a time."""
    made = await program.make(services.context, caller)
    base = services.settings.public_url or str(request.base_url).rstrip("/")
    return ProgramLink(id=made.link.id, url=f"{base}/api/channels/webhook/{made.link.id}", secret=made.secret)


@guarded.delete("/api/me/links/{link_id:uuid}", status_code=204, summary="Remove the link to an account")
async def remove_link(link_id: UUID, services: Use, caller: AnyCaller) -> None:
    """Takes effect with the next click there."""
    await linking.unlink(services.database, caller, link_id)
    services.context.poke()


@router.post("/api/channels/webhook/{link_id:uuid}", summary="For a program of yours: a signed verdict")
async def verdict(link_id: UUID, request: Request, services: Use) -> VerdictTaken:
    """A Standard Webhook, signed with the secret of that link. It counts as its person's click, once, under the same
    rules: their role now, the digest that was seen; critical holds are decided on the page."""
    assert isinstance(request, StrictRequest)
    body = await request.raw()
    try:
        message = await verdicts.check(services.context, link_id, request.headers, body)
    except errors.BadSignature:
        rates_of(request).token_failure.hit(address_of(request))
        raise
    try:
        said = SignedVerdict.model_validate(parse(body)).data
    except ValidationError as error:
        found = [{**one, "loc": ("body", *one["loc"])} for one in error.errors()]
        raise problems.complaint(found) from None
    hold_id = await resolve(services, "H", said.hold_id)
    given = verdicts.Given(hold_id, Verdict(said.verdict), said.digest, said.reason, said.answer)
    hold = await verdicts.take(services.context, sso_of(request), link_id, message, given)
    return VerdictTaken(hold_id=hold.id, status=hold.status)


@router.post("/api/channels/slack", summary="For Slack: clicks, dialogs, replies and commands", response_model=None)
async def slack(request: Request, services: Use) -> Response:
    """Signed by Slack; each request counts once. Not needed with Socket Mode."""
    settings = services.settings
    if settings.slack_signing_secret is None or settings.slack_bot_token is None:
        raise errors.NotFound("Slack is not set up to send requests here.")
    assert isinstance(request, StrictRequest)
    body = await request.raw()
    try:
        secret = settings.slack_signing_secret.get_secret_value()
        # Slack signs its own moment, so it is compared with this machine's clock
        signature = signatures.check(secret, request.headers, body, datetime.now(UTC))
    except errors.BadSignature:
        rates_of(request).token_failure.hit(address_of(request))
        raise
    payload = _payload(request.headers.get("content-type", ""), body)
    if payload.get("type") == "url_verification":
        return JSONResponse({"challenge": payload.get("challenge")})
    async with AsyncExitStack() as stack:
        speaking = await stack.enter_async_context(slack_api.opened(settings))
        reply = await Receiver(services.context, speaking, sso_of(request)).take(signature, payload)
        rest = stack.pop_all()

    async def after() -> None:
        async with rest:
            if reply.after is not None:
                await reply.after()

    answer = Response() if reply.body is None else JSONResponse(reply.body)
    answer.background = BackgroundTask(after)
    return answer


@router.post("/api/channels/linear", summary="For Linear: comments on issues of holds", response_model=None)
async def linear(request: Request, services: Use) -> Response:
    """Signed by Linear; each delivery counts once. Nothing is decided by it."""
    settings = services.settings
    if settings.linear_webhook_secret is None or settings.linear_api_key is None:
        raise errors.NotFound("Linear is not set up to send requests here.")
    assert isinstance(request, StrictRequest)
    body = await request.raw()
    try:
        delivery = linear_signatures.check(settings.linear_webhook_secret.get_secret_value(), request.headers, body)
        payload = _object(parse(body))
        # Linear signs its own moment, so it is compared with this machine's clock
        linear_signatures.check_moment(request.headers, payload, datetime.now(UTC))
    except errors.BadSignature:
        rates_of(request).token_failure.hit(address_of(request))
        raise

    async with AsyncExitStack() as stack:
        calling = await stack.enter_async_context(linear_api.opened(settings))
        told = await LinearReceiver(services.context, calling, sso_of(request)).take(delivery, payload)
        rest = stack.pop_all()

    async def after() -> None:
        async with rest:
            if told is not None:
                await told()

    return Response(background=BackgroundTask(after))


def _payload(kind: str, body: bytes) -> dict[str, Any]:
    """Events come as JSON, clicks and dialogs as JSON in a form, commands as a form."""
    found: Any
    if kind.partition(";")[0].strip().lower() == "application/json":
        found = parse(body)
    else:
        form = dict(parse_qsl(body.decode(), keep_blank_values=True))
        found = json.loads(form["payload"]) if "payload" in form else {**form, "type": "command"}
    return _object(found)


def _object(found: Any) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise errors.NotJson("The payload must be an object.")
    return cast("dict[str, Any]", found)
