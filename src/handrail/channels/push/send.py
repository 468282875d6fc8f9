"""Sends notices to each device of each person who has switched push on."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any, Self
from uuid import UUID

import httpx

from handrail.certificates import trusted
from handrail.channels import telling
from handrail.channels.channel import Channel, NotSent
from handrail.channels.memory import Memory
from handrail.channels.push import link, notes, vapid
from handrail.channels.push.post import LONGEST_SECONDS, Expired, Handling, post
from handrail.channels.standing import Standing
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.holds.notifying import TELLING
from handrail.settings import Settings
from handrail.store import push
from handrail.store.deliveries import Delivery
from handrail.store.messages import Message
from handrail.store.push import Device

# services keep a message no longer
LONGEST_WAIT = timedelta(days=28)
# a device that comes back after that is told by the inbox
CLOSING_WAIT = timedelta(days=1)
URGENT = frozenset({Level.high, Level.critical})


class Push(Channel):
    """Redirects are not followed, and proxies of the environment not used. What a device has is replaced by whatever
    comes about the same hold, so a repeated message is shown once."""

    def __init__(self, memory: Memory, settings: Settings) -> None:
        self._memory = memory
        self._context = memory.context
        self._settings = settings
        self._client = httpx.AsyncClient(
            follow_redirects=False, trust_env=False, timeout=LONGEST_SECONDS, verify=trusted(by_environment=False)
        )

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.aclose()

    async def send(self, delivery: Delivery) -> None:
        """Devices that have had it are skipped by a retry; one that is refused does not hold up the others."""
        async with self._context.database.connection() as conn:
            devices = await push.of_people(conn, delivery.people)
        known, standing = await self._memory.of(delivery.hold_id), await self._memory.standing(delivery.hold_id)
        failures = await asyncio.gather(
            *(self._send(delivery, standing, device, known.get(str(device.id))) for device in devices)
        )
        if all(isinstance(failure, Expired) for failure in failures):
            raise NotSent("none of these people has a device that takes notifications", final=True)
        for failure in sorted(filter(None, failures), key=lambda failure: failure.final):
            if not isinstance(failure, Expired):
                raise failure

    async def _send(
        self, delivery: Delivery, standing: Standing, device: Device, message: Message | None
    ) -> NotSent | None:
        """Why not, where it did not get there."""
        if message is not None and delivery.id in message.told:
            return None
        try:
            if delivery.event in TELLING:
                await self._post(device, notes.asking(standing, delivery.event), _handling(standing))
                await self._memory.remember(delivery, str(device.id), "", standing.face)
            else:
                data: dict[str, Any] = json.loads(delivery.body)["data"]
                said = data.get("comments") or [data["comment"]]
                await self._post(device, notes.comment(standing, said), _handling(standing, "comments"))
                if message is not None:
                    await self._memory.told(message, delivery)
        except Expired as failure:
            await link.expire(self._context, device)
            return failure
        except NotSent as failure:
            return failure
        return None

    async def update(self, message: Message, standing: Standing) -> None:
        """Nothing where people are still asked: of that a notice tells."""
        if standing.hold.pending:
            return
        async with self._context.database.connection() as conn:
            device = await push.get(conn, UUID(message.destination))
        if device is None:
            raise NotSent("the device takes no more notifications", final=True)
        try:
            await self._post(device, notes.closing(standing), _handling(standing))
        except Expired:
            await link.expire(self._context, device)
            raise

    async def test(self, who: Principal) -> None:
        async with self._context.database.connection() as conn:
            devices = await push.of_people(conn, [who.id])
        if not devices:
            raise NotSent("you have switched push on for no device", final=True)
        for device in devices:
            try:
                await self._post(device, notes.test(telling.test_text(who)), Handling("test", 60, urgent=False))
            except Expired:
                await link.expire(self._context, device)
                raise

    async def recall(self, delivery: Delivery) -> None:
        """Devices may have what an attempt without an answer left."""
        async with self._context.database.connection() as conn:
            devices = await push.of_people(conn, delivery.people)
        known = await self._memory.of(delivery.hold_id)
        for device in devices:
            if str(device.id) not in known:
                await self._memory.remember(delivery, str(device.id), "", "")

    async def _post(self, device: Device, text: bytes, handling: Handling) -> None:
        if not link.is_allowed(self._settings, device.endpoint):
            raise NotSent("the device's push service is no longer allowed", final=True)
        own = await vapid.own(self._context.database, self._context.sealer, self._settings)
        await post(self._client, own, device, text, handling)


def _handling(standing: Standing, about: str = "") -> Handling:
    hold = standing.hold
    length = LONGEST_WAIT if hold.pending else CLOSING_WAIT
    if hold.pending and hold.expires_at is not None:
        # nobody needs to be asked when it is too late
        length = min(length, max(hold.expires_at - datetime.now(UTC), timedelta(minutes=1)))
    urgent = hold.pending and hold.assessment.level in URGENT
    return Handling(f"{hold.id}/{about}", int(length.total_seconds()), urgent)
