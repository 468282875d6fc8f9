"""How you are notified: channels, quiet hours, a test; and what a hold looks like on each channel."""

from __future__ import annotations

from fastapi import Request

from handrail.api.identity import AnyCaller, Reader, guarded_router
from handrail.api.references import HoldInPath
from handrail.api.schemas.notifications import (
    ChannelList,
    ChannelOut,
    NotificationChoice,
    Preview,
    Previewed,
    QuietHours,
)
from handrail.api.services import Use
from handrail.channels import preferring, previewing, trying
from handrail.store.choices import Choice

router = guarded_router("channels")


@router.get("/api/me/notifications", summary="How you chose to be notified")
async def chosen(services: Use, caller: AnyCaller) -> NotificationChoice:
    return _out(await preferring.chosen(services.context, caller))


@router.put("/api/me/notifications", summary="Choose your channels and quiet hours")
async def choose(body: NotificationChoice, services: Use, caller: AnyCaller) -> NotificationChoice:
    """Replaces what you chose before. Critical holds are sent as the policy says."""
    channels = None if body.channels is None else tuple(body.channels)
    quiet = body.quiet
    choice = Choice(channels, quiet.begins, quiet.ends, quiet.timezone) if quiet else Choice(channels)
    await preferring.choose(services.context, caller, choice)
    return body


@router.get("/api/channels", summary="List the channels, and whether they reach you")
async def channels(services: Use, caller: AnyCaller) -> ChannelList:
    found = await trying.described(services.context, caller)
    return ChannelList(
        channels=[
            ChannelOut(
                name=one.name,
                set_up=one.set_up,
                shared=one.shared,
                reaches=one.reaches,
                named=one.named,
                needs=None if one.set_up else trying.NEEDS[one.name],
            )
            for one in found
        ]
    )


@router.post("/api/channels/{channel}/test", status_code=204, summary="Send a test to yourself")
async def test(channel: str, services: Use, caller: AnyCaller) -> None:
    """For administrators, also to places that all share. Returns once the other side has taken it."""
    await trying.test(services.context, services.settings, caller, channel)


@router.get("/api/holds/{hold_id:hold}/messages/{channel}", summary="See what a hold looks like on a channel")
async def preview(hold_id: HoldInPath, channel: Previewed, request: Request, services: Use, caller: Reader) -> Preview:
    base = services.settings.public_url or str(request.base_url).rstrip("/")
    made = await previewing.preview(services.context, caller.principal, hold_id, channel, base)
    return Preview(channel=channel, message=made)


def _out(choice: Choice) -> NotificationChoice:
    quiet = None
    if choice.quiet_from is not None and choice.quiet_to is not None:
        quiet = QuietHours(begins=choice.quiet_from, ends=choice.quiet_to, timezone=choice.timezone)
    return NotificationChoice.model_validate(
        {"channels": None if choice.channels is None else list(choice.channels), "quiet": quiet}
    )
