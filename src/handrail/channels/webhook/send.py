"""Sends notices to one receiver."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Self

import httpx
from standardwebhooks import Webhook

from handrail.certificates import trusted
from handrail.channels import telling
from handrail.channels.channel import Channel
from handrail.channels.memory import Memory
from handrail.channels.standing import Standing
from handrail.channels.webhook import update
from handrail.channels.webhook.post import LONGEST_SECONDS, post
from handrail.core import ids
from handrail.core.people import Principal
from handrail.holds.notifying import TELLING
from handrail.store.deliveries import Delivery
from handrail.store.messages import Message

# there is one receiver
RECEIVER = ""


class Posts(Channel):
    """Redirects are not followed, and proxies of the environment not used."""

    def __init__(self, memory: Memory, url: str, secret: str) -> None:
        self._memory = memory
        self._url = url
        self._signer = Webhook(secret)
        self._client = httpx.AsyncClient(
            follow_redirects=False, trust_env=False, timeout=LONGEST_SECONDS, verify=trusted(by_environment=False)
        )

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.aclose()

    async def send(self, delivery: Delivery) -> None:
        if delivery.event in TELLING:
            # before it is sent: whoever gets one and whose answer is lost hears of the decision too
            shown = (await self._memory.standing(delivery.hold_id)).face
            await self._memory.remember(delivery, RECEIVER, str(delivery.id), shown)
        await post(self._client, self._signer, self._url, delivery.id, delivery.body)

    async def test(self, who: Principal) -> None:
        data = {"by": {"id": str(who.id), "name": who.name}, "text": telling.test_text(who)}
        # the receiver compares it with its own clock
        body = {"type": "handrail.test", "timestamp": datetime.now(UTC).isoformat(), "data": data}
        await post(self._client, self._signer, self._url, ids.fresh(), json.dumps(body, ensure_ascii=False))

    async def update(self, message: Message, standing: Standing) -> None:
        told = update.decided(message, standing)
        if told is not None:
            await post(self._client, self._signer, self._url, *told)
