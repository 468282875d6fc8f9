"""Slack's Web API, as far as it is used: one call, and what its refusals mean."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from handrail.certificates import trusted
from handrail.channels.channel import NotSent
from handrail.channels.pauses import FIRST_PAUSE_SECONDS, asked_for
from handrail.settings import Settings

# for the whole exchange
LONGEST_SECONDS = 10.0
TOO_MANY = 429
# Slack's own trouble: another attempt may succeed
PASSING = frozenset(
    {"fatal_error", "internal_error", "ratelimited", "request_timeout", "rollup_error", "service_unavailable"}
)


class Refused(NotSent):
    """Slack's own error code."""

    def __init__(self, code: str) -> None:
        wait = FIRST_PAUSE_SECONDS if code == "ratelimited" else None
        super().__init__(f"Slack refused it ({code[:60]})", final=code not in PASSING, wait=wait)
        self.code = code


class Api:
    """Calls as the app's bot."""

    def __init__(self, client: httpx.AsyncClient, token: str) -> None:
        self._client = client
        self._token = token

    async def call(self, method: str, token: str | None = None, **body: Any) -> dict[str, Any]:
        """What Slack answers; `Refused` with its error code, or NotSent where there was no answer."""
        headers = {"Authorization": f"Bearer {token or self._token}"}
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                answer = await self._client.post(method, json=body, headers=headers)
        except TimeoutError:
            raise NotSent(f"Slack did not answer within {LONGEST_SECONDS:.0f} seconds") from None
        except httpx.HTTPError as error:
            raise NotSent(f"Slack could not be reached ({type(error).__name__})") from None
        if answer.status_code == TOO_MANY:
            raise NotSent("Slack asks us to wait", wait=asked_for(answer.headers.get("retry-after")))
        if not answer.is_success:
            raise NotSent(f"Slack answered {answer.status_code}")
        try:
            said: Any = answer.json()
        except ValueError:
            raise NotSent("Slack's answer is not JSON") from None
        if not isinstance(said, dict) or said.get("ok") is not True:  # pyright: ignore[reportUnknownMemberType] - JSON
            raise Refused(str(said.get("error", "unknown")) if isinstance(said, dict) else "unknown")  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] - JSON
        return said  # pyright: ignore[reportUnknownVariableType] - JSON


@asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Api]:
    assert settings.slack_bot_token is not None
    base = settings.slack_url.rstrip("/") + "/"
    async with httpx.AsyncClient(
        base_url=base, follow_redirects=False, timeout=LONGEST_SECONDS, verify=trusted()
    ) as client:
        yield Api(client, settings.slack_bot_token.get_secret_value())
