"""Linear's GraphQL API, as far as it is used, and what its refusals mean."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

import httpx

from handrail.certificates import trusted
from handrail.channels.channel import NotSent
from handrail.channels.pauses import asked_for
from handrail.settings import Settings

# for the whole exchange
LONGEST_SECONDS = 10.0
TOO_MANY = 429
NOT_KNOWN = 401
# how long the team's states are believed
KNOWN_SECONDS = 600.0
PERSONAL_KEY = "lin_api_"
INVALID = "INPUT_ERROR"
UNAUTHENTICATED = "AUTHENTICATION_ERROR"
LIMITED = "RATELIMITED"
# another attempt cannot help
FINAL = frozenset(
    {INVALID, UNAUTHENTICATED, "FORBIDDEN", "FEATURE_NOT_ACCESSIBLE", "USAGE_LIMIT_EXCEEDED", "BAD_USER_INPUT"}
    | {"GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"}
)

TEAM = """query($key: String!) {
  teams(filter: {key: {eq: $key}}) { nodes { id states { nodes { id type position } } } } }"""
USER = """query($email: String!) {
  users(filter: {email: {eqIgnoreCase: $email}, active: {eq: true}}) { nodes { id } } }"""
ISSUE = "query($id: String!) { issue(id: $id) { id } }"
COMMENT = "query($id: String!) { comment(id: $id) { id } }"
CREATE_ISSUE = "mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success } }"
UPDATE_ISSUE = """mutation($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success } }"""
CREATE_COMMENT = "mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success } }"


class Refused(NotSent):
    """Linear's own error code."""

    def __init__(self, code: str) -> None:
        super().__init__(f"Linear refused it ({code[:60]})", final=code in FINAL)
        self.code = code


@dataclass(frozen=True, slots=True)
class Team:
    """`states` has the first state of each type."""

    id: str
    states: Mapping[str, str]


class Api:
    """Calls with one key, for one team."""

    def __init__(self, client: httpx.AsyncClient, url: str, key: str, team: str) -> None:
        self._client = client
        self._url = url
        self._authorization = key if key.startswith(PERSONAL_KEY) else f"Bearer {key}"
        self._key = team
        self._team: Team | None = None
        self._known_until = 0.0

    async def call(self, document: str, **variables: Any) -> dict[str, Any]:
        """The data of the answer; `Refused` with Linear's code, or NotSent where there was none. An answer of 200 may
        be a refusal, and one of 400 a request to wait."""
        body, headers = {"query": document, "variables": variables}, {"Authorization": self._authorization}
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                answer = await self._client.post(self._url, json=body, headers=headers)
        except TimeoutError:
            raise NotSent(f"Linear did not answer within {LONGEST_SECONDS:.0f} seconds") from None
        except httpx.HTTPError as error:
            raise NotSent(f"Linear could not be reached ({type(error).__name__})") from None
        if answer.status_code == TOO_MANY:
            raise NotSent("Linear asks us to wait", wait=asked_for(answer.headers.get("retry-after")))
        if answer.status_code == NOT_KNOWN:
            raise Refused(UNAUTHENTICATED)
        said = _read(answer)
        if (code := _refusal(said)) is not None:
            if code == LIMITED:
                raise NotSent("Linear asks us to wait", wait=_until(answer.headers.get("x-ratelimit-requests-reset")))
            raise Refused(code)
        if not answer.is_success:
            raise NotSent(f"Linear answered {answer.status_code}")
        data = said.get("data")
        if not isinstance(data, dict):
            raise NotSent("Linear's answer has no data")
        return cast("dict[str, Any]", data)

    async def change(self, document: str, **variables: Any) -> None:
        """A mutation."""
        [done] = (await self.call(document, **variables)).values()
        if not isinstance(done, dict) or done.get("success") is not True:  # pyright: ignore[reportUnknownMemberType] - JSON
            raise NotSent("Linear did not do it")

    async def team(self) -> Team:
        if self._team is None or time.monotonic() > self._known_until:
            found = (await self.call(TEAM, key=self._key))["teams"]["nodes"]
            if not found:
                raise NotSent(f"Linear has no team {self._key!r}, or the key does not reach it", final=True)
            states = sorted(found[0]["states"]["nodes"], key=lambda one: one["position"], reverse=True)
            self._team = Team(found[0]["id"], {one["type"]: one["id"] for one in states})
            self._known_until = time.monotonic() + KNOWN_SECONDS
        return self._team

    def forget_team(self) -> bool:
        """Whether there was something to forget: its states may have changed."""
        known, self._team = self._team, None
        return known is not None

    async def exists(self, document: str, id_: str) -> bool:
        """Whether there is such an issue or comment."""
        try:
            await self.call(document, id=id_)
        except Refused as refusal:
            if refusal.code == INVALID:
                return False
            raise
        return True

    async def account(self, email: str) -> str | None:
        """The id of the active member who has this address."""
        found = (await self.call(USER, email=email))["users"]["nodes"]
        return str(found[0]["id"]) if len(found) == 1 else None


@asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Api]:
    assert settings.linear_api_key is not None
    assert settings.linear_team is not None
    async with httpx.AsyncClient(follow_redirects=False, timeout=LONGEST_SECONDS, verify=trusted()) as client:
        yield Api(client, settings.linear_url, settings.linear_api_key.get_secret_value(), settings.linear_team)


def made_id(*parts: object) -> str:
    """The same for the same parts, in the form that Linear takes: what is sent again is refused as a duplicate."""
    return str(UUID(bytes=hashlib.sha256(" ".join(map(str, parts)).encode()).digest()[:16], version=4))


def _read(answer: httpx.Response) -> dict[str, Any]:
    try:
        said: Any = answer.json()
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise NotSent(f"Linear answered {answer.status_code}, and not in JSON")
    return cast("dict[str, Any]", said)


def _refusal(said: dict[str, Any]) -> str | None:
    """The code of the first error."""
    found: Any = said.get("errors")
    if not found:
        return None
    first: Any = cast("list[Any]", found)[0] if isinstance(found, list) else {}
    extensions: Any = cast("dict[str, Any]", first).get("extensions") if isinstance(first, dict) else None
    return str(cast("dict[str, Any]", extensions).get("code", "unknown")) if isinstance(extensions, dict) else "unknown"


def _until(reset: str | None) -> float:
    """How long to wait for a moment in milliseconds."""
    if reset is None or not reset.isdecimal() or len(reset) > 15:
        return asked_for(None)
    return asked_for(str(max(int(int(reset) / 1000 - datetime.now(UTC).timestamp()) + 1, 0)))
