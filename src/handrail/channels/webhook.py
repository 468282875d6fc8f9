"""Notices as signed HTTP requests, by the Standard Webhooks specification."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpx
from standardwebhooks import Webhook

from handrail.channels.channel import NotSent, Send
from handrail.store.deliveries import Delivery

# for the whole exchange: a receiver that trickles its answer is cut off too
LONGEST_SECONDS = 15.0
# nobody is there and nobody will be, so the next channel is used at once
GONE = frozenset({404, 410})


@asynccontextmanager
async def opened(url: str, secret: str) -> AsyncGenerator[Send]:
    """Sends to one receiver: redirects are not followed, and proxies of the environment not used."""
    signer = Webhook(secret)
    async with httpx.AsyncClient(follow_redirects=False, trust_env=False, timeout=LONGEST_SECONDS) as client:

        async def send(delivery: Delivery) -> None:
            try:
                async with asyncio.timeout(LONGEST_SECONDS):
                    # the answer's body is not read: only its status counts
                    async with client.stream(
                        "POST", url, content=delivery.body.encode(), headers=_headers(signer, delivery)
                    ) as answer:
                        status = answer.status_code
            except TimeoutError:
                raise NotSent(f"the receiver did not answer within {LONGEST_SECONDS:.0f} seconds") from None
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise NotSent(f"the receiver could not be reached ({type(error).__name__})") from None
            if not 200 <= status < 300:
                raise NotSent(f"the receiver answered {status}", final=status in GONE)

        yield send


def _headers(signer: Webhook, delivery: Delivery) -> dict[str, str]:
    """The id stays the same for every attempt, so that a receiver can drop duplicates."""
    # the receiver compares this with its own clock, so it is this machine's and not the database's
    now = datetime.now(UTC)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Handrail",
        "Webhook-Id": str(delivery.id),
        "Webhook-Timestamp": str(int(now.timestamp())),
        "Webhook-Signature": signer.sign(str(delivery.id), now, delivery.body),
    }
