"""A host's REST API: patient within limits, and nothing that it says repeats the token."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from pydantic import TypeAdapter, ValidationError

from handrail.changes.publishing import errors
from handrail.changes.publishing.pulls import Pause
from handrail.changes.publishing.secrets import Token
from handrail.core.sizes import MIB

T = TypeVar("T")

SECONDS = 30.0
LARGEST = 4 * MIB
# a host that wants us to wait longer is for the run to come back to
LONGEST_WAIT = 60.0
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    data: Any

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def read(self, kind: type[T]) -> T:
        """The content as this type; `HostUnavailable` where it is something else, such as a page of a proxy."""
        try:
            return TypeAdapter(kind).validate_python(self.data)
        except ValidationError:
            raise errors.HostUnavailable("the host's answer is not what its API promises") from None


class Api:
    """`authorised` makes the header of a token; `renew` brings another token where the host no longer takes this."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        host: str,
        token: Token,
        authorised: Callable[[Token], Mapping[str, str]],
        pause: Pause,
        renew: Callable[[], Awaitable[Token]] | None = None,
    ) -> None:
        self.host = host
        self.token = token
        self.pause = pause
        self._client = client
        self._authorised = authorised
        self._renew = renew

    async def get(self, path: str, **params: str | int) -> Answer:
        return await self.ask("GET", path, params=params)

    async def ask(
        self, method: str, path: str, data: object = None, params: Mapping[str, str | int] | None = None
    ) -> Answer:
        """Any answer but those that say nothing of the request: 401, redirects, limits, failures of the host.

        A question is asked again after a failure. A command is not: it may have had its effect.
        """
        renewed = False
        for attempt in range(1, ATTEMPTS + 1):
            last = attempt == ATTEMPTS
            try:
                answer = await self._exchanged(method, path, data, params)
            except errors.HostUnavailable:
                if method != "GET" or last:
                    raise
                await self.pause(attempt)
                continue
            wait = _wait(answer)
            if wait is not None:
                if wait > LONGEST_WAIT or last:
                    raise errors.HostBusy(f"{self.host} limits how often it may be asked", retry_after=wait)
                await self.pause(wait)
            elif answer.status == 401 and self._renew is not None and not renewed:
                self.token, renewed = await self._renew(), True
            else:
                return self._judged(answer)
        raise errors.HostUnavailable(f"{self.host} did not take the token")

    async def _exchanged(self, method: str, path: str, data: object, params: Mapping[str, str | int] | None) -> Answer:
        try:
            async with asyncio.timeout(SECONDS):
                request = self._client.build_request(
                    method,
                    path,
                    json=data,
                    params=dict(params or {}),
                    headers={"User-Agent": "Handrail", "Accept": "application/json", **self._authorised(self.token)},
                )
                answer = await self._client.send(request, stream=True)
                try:
                    content = await _read(answer)
                finally:
                    await answer.aclose()
        except TimeoutError:
            raise errors.HostUnavailable(f"{self.host} did not answer within {SECONDS:g} s") from None
        except httpx.HTTPError as error:
            raise errors.HostUnavailable(f"{self.host} could not be reached ({type(error).__name__})") from None
        if answer.status_code >= 500:
            raise errors.HostUnavailable(f"{self.host} answered {answer.status_code}")
        return Answer(answer.status_code, answer.headers, content)

    def _judged(self, answer: Answer) -> Answer:
        if answer.status == 401:
            raise errors.TokenInvalid(f"{self.host} does not accept the token: it is wrong, expired or revoked")
        if 300 <= answer.status < 400:
            raise errors.RepositoryMoved(
                f"{self.host} sends us elsewhere ({answer.status}), which is not followed with a token: "
                "has the repository been renamed? Use its present address"
            )
        return answer

    def said(self, answer: Answer) -> str:
        """What a host says of a refusal, without the token."""
        return self.token.hidden(json.dumps(answer.data, ensure_ascii=False)) if answer.data else str(answer.status)

    def refusal(self, answer: Answer) -> errors.NotPublished:
        """Of a refusal that the caller has no other word for."""
        kind = errors.TokenLacksScope if answer.status == 403 else errors.HostRefused
        return kind(f"{self.host} refused ({answer.status}): {self.said(answer)}")


async def _read(answer: httpx.Response) -> Any:
    content = b""
    async for part in answer.aiter_bytes():
        content += part
        if len(content) > LARGEST:
            raise errors.HostUnavailable("the host's answer is too large")
    try:
        return json.loads(content) if content else None
    except (ValueError, RecursionError):
        return None


def _wait(answer: Answer) -> float | None:
    """Seconds until the host may be asked again, where it refused for that reason."""
    if answer.status not in {403, 429}:
        return None
    after = answer.headers.get("retry-after")
    if after is not None:
        return max(float(after), 0.0) if after.replace(".", "", 1).isdigit() else LONGEST_WAIT
    if answer.headers.get("x-ratelimit-remaining") == "0":
        reset = answer.headers.get("x-ratelimit-reset", "")
        return max(float(reset) - time.time(), 1.0) if reset.isdigit() else LONGEST_WAIT
    # GitHub's word for limits that it gives no time for is to wait for a minute
    return LONGEST_WAIT if answer.status == 429 or "rate limit" in str(answer.data).lower() else None
