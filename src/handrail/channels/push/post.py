"""One message to a push service (RFC 8030)."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx

from handrail.channels.channel import NotSent
from handrail.channels.pauses import asked_for
from handrail.channels.push.encryption import encrypt
from handrail.channels.push.vapid import Vapid, to_text
from handrail.store.push import Device

LONGEST_SECONDS = 10.0
GONE = frozenset({404, 410})
TOO_MANY = 429
# it will not take this message, however often it comes
REFUSED = frozenset({400, 401, 403, 405, 413})


class Expired(NotSent):
    """The device no longer gets anything: the browser, or its person, ended it."""

    def __init__(self) -> None:
        super().__init__("the device no longer takes notifications", final=True)


@dataclass(frozen=True, slots=True)
class Handling:
    """How the service handles a message while the device is away: `seconds` it waits for it, and of one `topic` it
    keeps only the newest."""

    topic: str
    seconds: int
    urgent: bool


async def post(client: httpx.AsyncClient, vapid: Vapid, device: Device, text: bytes, handling: Handling) -> None:
    # the service compares it with its own clock, so it is this machine's and not the database's
    now = datetime.now(UTC)
    headers = {
        "Authorization": vapid.authorization(device.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(handling.seconds),
        # at most 32 signs of base64url
        "Topic": to_text(hashlib.sha256(handling.topic.encode()).digest())[:32],
        "Urgency": "high" if handling.urgent else "normal",
        "User-Agent": "Handrail",
    }
    body = encrypt(text, device.public_key, device.auth)
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            # the answer's body is not read: only its status counts
            async with client.stream("POST", device.endpoint, content=body, headers=headers) as answer:
                status, retry_after = answer.status_code, answer.headers.get("retry-after")
    except TimeoutError:
        raise NotSent(f"the push service did not answer within {LONGEST_SECONDS:.0f} seconds") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NotSent(f"the push service could not be reached ({type(error).__name__})") from None
    if status in GONE:
        raise Expired
    if not 200 <= status < 300:
        wait = asked_for(retry_after) if status == TOO_MANY else None
        raise NotSent(f"the push service answered {status}", final=status in REFUSED, wait=wait)
