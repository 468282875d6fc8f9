"""The server at the other end: requests, and the problems it answers as one clear failure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from handrail.cli import credentials, wording
from handrail.cli.exits import Exit, Failure, of_status

if TYPE_CHECKING:
    import httpx
    from websockets.sync.client import ClientConnection

DEFAULT_URL = "http://127.0.0.1:8400"
PATIENCE_SECONDS = 30.0
LARGEST_MESSAGE = 16 << 20

Json = dict[str, Any]


class Server:
    """One Handrail server, spoken to as one principal."""

    def __init__(self, url: str | None = None, token: str | None = None, *, as_json: bool = False) -> None:
        self.url = (url or DEFAULT_URL).rstrip("/")
        if urlsplit(self.url).scheme not in {"http", "https"} or not urlsplit(self.url).netloc:
            raise Failure(Exit.usage, f"{self.url} is not a server URL. Write it like {DEFAULT_URL}.")
        self.as_json = as_json
        self._token = token

    def at(self, url: str) -> Server:
        """Another server, spoken to in the same way."""
        return Server(url, self._token, as_json=self.as_json)

    def get(self, path: str, **query: Any) -> Json:
        return self._ask("GET", path, params={name: value for name, value in query.items() if value is not None})

    def whole(self, path: str, name: str) -> Json:
        """All pages of a list as one."""
        page = self.get(path)
        while page["next"] is not None:
            more = self.get(path, cursor=page["next"])
            page = {name: page[name] + more[name], "next": more["next"]}
        return page

    def post(self, path: str, body: Json | None = None, key: str | None = None) -> Json:
        """`key` is an idempotency key."""
        return self._ask("POST", path, json=body, headers={"Idempotency-Key": key} if key else None)

    def patch(self, path: str, body: Json) -> Json:
        return self._ask("PATCH", path, json=body)

    def put(self, path: str, body: Json) -> Json:
        return self._ask("PUT", path, json=body)

    def delete(self, path: str) -> None:
        self._ask("DELETE", path)

    def http(self, *, signed_in: bool = True) -> httpx.Client:
        """A client for this server, with the token where there is one."""
        import httpx

        headers = {"Authorization": f"Bearer {self._bearer()}"} if signed_in else {}
        return httpx.Client(
            base_url=self.url,
            headers=headers,
            timeout=PATIENCE_SECONDS,
            trust_env=not self._local,
            # reading the trusted certificates takes 0.1 s, and plain HTTP has no use for them
            verify=urlsplit(self.url).scheme == "https",
        )

    def socket(self, path: str) -> ClientConnection:
        """A WebSocket to this server, with the token."""
        from websockets.sync.client import connect

        return connect(
            f"ws{self.url.removeprefix('http')}{path}",
            additional_headers={"Authorization": f"Bearer {self._bearer()}"},
            proxy=None if self._local else True,
            max_size=LARGEST_MESSAGE,
        )

    @property
    def _local(self) -> bool:
        # a proxy for the outside world must not be used for a server on this machine
        return urlsplit(self.url).hostname in {"127.0.0.1", "localhost", "::1"}

    def _bearer(self) -> str:
        if self._token:
            return self._token
        found = credentials.find(self.url)
        if found is None or found.expired:
            state = "Your sign-in has expired" if found else "You are not signed in"
            raise Failure(
                Exit.not_allowed,
                f"{state} at {self.url}: run `handrail login`, or give a token with --token or HANDRAIL_TOKEN.",
                {"code": "unauthenticated", "detail": f"{state} at {self.url}."},
            )
        return found.token

    def _ask(self, method: str, path: str, **request: Any) -> Json:
        import httpx

        try:
            with self.http() as http:
                return self.answer(http.request(method, path, **request))
        except httpx.TransportError as error:
            raise self.unreachable(error) from error

    def answer(self, response: httpx.Response) -> Json:
        """The body of a good answer; a failure made of the problem otherwise."""
        if response.status_code == 204:
            return {}
        body = _object(response.content)
        if response.is_success and body is not None:
            return body
        if body is not None and body.keys() >= {"code", "detail"}:
            raise Failure(of_status(response.status_code), wording.problem(body), body)
        raise Failure(
            of_status(response.status_code),
            f"{self.url} answered {response.status_code}, but not like a Handrail server. Check --url or HANDRAIL_URL.",
        )

    def unreachable(self, error: Exception) -> Failure:
        import httpx

        reason = str(error) or type(error).__name__
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
            return Failure(
                Exit.unreachable,
                f"No Handrail server answers at {self.url} ({reason}). "
                "Start one with `handrail up`, or name another with --url or HANDRAIL_URL.",
            )
        return Failure(
            Exit.unreachable,
            f"The answer of {self.url} was lost ({reason}): it may have been done. Look before you repeat.",
        )


def _object(content: bytes) -> Json | None:
    try:
        found = json.loads(content)
    except ValueError:
        return None
    return cast(Json, found) if isinstance(found, dict) else None
