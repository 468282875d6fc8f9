"""Accounts elsewhere: link them; and what people do there, as those services send it."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import parse_qsl
from uuid import UUID

from fastapi import Request, Response
from starlette.background import BackgroundTask
from starlette.responses import JSONResponse

from handrail.api.body import StrictRequest, parse
from handrail.api.identity import AnyCaller, address_of, guarded_router, open_router, rates_of, sso_of
from handrail.api.schemas.channels import LinkCode, LinkList, LinkOut, MakeLink
from handrail.api.services import Use
from handrail.channels import linking
from handrail.channels.slack import api as slack_api
from handrail.channels.slack import signatures
from handrail.channels.slack.receive import Receiver
from handrail.core import errors

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
    made = await linking.make_code(services.database, caller, body.channel)
    return LinkCode(code=made.code, expires_at=made.expires_at, next=f"In Slack, send: /handrail link {made.code}")


@guarded.delete("/api/me/links/{link_id:uuid}", status_code=204, summary="Remove the link to an account")
async def remove_link(link_id: UUID, services: Use, caller: AnyCaller) -> None:
    """Takes effect with the next click there."""
    await linking.unlink(services.database, caller, link_id)
    services.context.poke()


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


def _payload(kind: str, body: bytes) -> dict[str, Any]:
    """Events come as JSON, clicks and dialogs as JSON in a form, commands as a form."""
    found: Any
    if kind.partition(";")[0].strip().lower() == "application/json":
        found = parse(body)
    else:
        form = dict(parse_qsl(body.decode(), keep_blank_values=True))
        found = json.loads(form["payload"]) if "payload" in form else {**form, "type": "command"}
    if not isinstance(found, dict):
        raise errors.NotJson("The payload must be an object.")
    return cast("dict[str, Any]", found)
