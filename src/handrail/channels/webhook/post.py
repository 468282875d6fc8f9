"""One signed request, by the Standard Webhooks specification."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import UUID

import httpx
from standardwebhooks import Webhook

from handrail.channels.channel import NotSent
from handrail.channels.pauses import asked_for

# for the whole exchange: a receiver that trickles its answer is cut off too
LONGEST_SECONDS = 15.0
# nobody is there and nobody will be, so the next channel is used at once
GONE = frozenset({404, 410})
TOO_MANY = 429


async def post(client: httpx.AsyncClient, signer: Webhook, url: str, id_: UUID, body: str) -> None:
    """The id stays the same for every attempt, so that a receiver can drop duplicates."""
    # the receiver compares this with its own clock, so it is this machine's and not the database's
    now = datetime.now(UTC)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Handrail",
        "Webhook-Id": str(id_),
        "Webhook-Timestamp": str(int(now.timestamp())),
        "Webhook-Signature": signer.sign(str(id_), now, body),
    }
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            # the answer's body is not read: only its status counts
            async with client.stream("POST", url, content=body.encode(), headers=headers) as answer:
                status, retry_after = answer.status_code, answer.headers.get("retry-after")
    except TimeoutError:
        raise NotSent(f"the receiver did not answer within {LONGEST_SECONDS:.0f} seconds") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NotSent(f"the receiver could not be reached ({type(error).__name__})") from None
    if not 200 <= status < 300:
        wait = asked_for(retry_after) if status == TOO_MANY else None
        raise NotSent(f"the receiver answered {status}", final=status in GONE, wait=wait)
