"""Your devices: notifications on them, by web push."""

from __future__ import annotations

import hashlib
from uuid import UUID

from handrail.api.identity import AnyCaller, guarded_router
from handrail.api.schemas.push import AddDevice, DeviceList, DeviceOut
from handrail.api.services import Services, Use
from handrail.channels.push import link, vapid
from handrail.channels.push.link import Subscription
from handrail.core import errors
from handrail.store.push import Device

guarded = guarded_router("channels")


@guarded.get("/api/me/push", summary="List your devices that get notifications")
async def devices(services: Use, caller: AnyCaller) -> DeviceList:
    """And the key that a browser needs to become one."""
    _set_up(services)
    found = await link.own(services.context, caller)
    return DeviceList(
        public_key=await vapid.public_key(services.database, services.context.sealer),
        notified=any(link.CHANNEL in route.channels for route in services.context.policy().routes.values()),
        devices=[_out(device) for device in found],
    )


@guarded.post("/api/me/push", status_code=201, summary="Switch on notifications on a device")
async def add(body: AddDevice, services: Use, caller: AnyCaller) -> DeviceOut:
    """What it gets is encrypted for it: the browser's push service sees neither the text nor the hold."""
    _set_up(services)
    given = Subscription(body.endpoint, body.p256dh, body.auth)
    made = await link.add(services.context, services.settings, caller, given, body.label)
    services.context.poke()
    return _out(made)


@guarded.delete("/api/me/push/{device_id:uuid}", status_code=204, summary="Switch off notifications on a device")
async def remove(device_id: UUID, services: Use, caller: AnyCaller) -> None:
    await link.remove(services.context, caller, device_id)
    services.context.poke()


def _set_up(services: Services) -> None:
    if services.settings.public_url is None:
        raise errors.NotFound("Push is not set up here: HANDRAIL_PUBLIC_URL is missing.")


def _out(device: Device) -> DeviceOut:
    mark = vapid.to_text(hashlib.sha256(device.endpoint.encode()).digest())
    return DeviceOut(id=device.id, label=device.label, fingerprint=mark, added_at=device.added_at)
