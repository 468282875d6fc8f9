"""Talking to a provider: its description, its keys, its tokens, and what it knows of a person."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast
from urllib.parse import quote, urlencode, urlsplit

import httpx

from handrail.certificates import trusted
from handrail.core.errors import SsoRefused, SsoUnreachable
from handrail.people.sso import proving
from handrail.people.sso.providers import Provider, is_loopback
from handrail.people.sso.proving import Claims, Jwk, UnknownKey

SECONDS = 5.0
LARGEST = 1 << 20
# a description and keys are read again after this long; keys also where a token names a new one, but not more often
# than this: anybody can send such a token
KEPT_SECONDS = 3600.0
SOONEST_SECONDS = 10.0

Json = dict[str, Any]


class Refused(Exception):
    """The provider said no; the text is its error code."""


@dataclass(frozen=True, slots=True)
class Tokens:
    access_token: str = field(repr=False)
    id_token: str | None = field(repr=False)
    refresh_token: str | None = field(repr=False)


@dataclass(slots=True)
class _Known:
    """What was read at this moment of a clock that only runs forward."""

    value: Any
    at: float


class Client:
    """One provider as this process knows it. Everything that it cannot reach is `SsoUnreachable`."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self._description: _Known | None = None
        self._keys: _Known | None = None
        self._renewed = -SOONEST_SECONDS

    async def authorization_url(self, redirect_uri: str, **asked: str) -> str:
        description = await self._described()
        query = urlencode(
            {
                "response_type": "code",
                "client_id": self.provider.client_id,
                "redirect_uri": redirect_uri,
                "scope": " ".join(self.provider.scopes),
                # without it some providers give no refresh token
                **({"prompt": "consent"} if "offline_access" in self.provider.scopes else {}),
                **asked,
            },
            quote_via=quote,
        )
        address: str = description["authorization_endpoint"]
        return f"{address}{'&' if urlsplit(address).query else '?'}{query}"

    async def names_itself(self) -> bool:
        """Whether it promises to say who it is when it sends people back."""
        return (await self._described()).get("authorization_response_iss_parameter_supported") is True

    async def redeem(self, code: str, redirect_uri: str, verifier: str) -> Tokens:
        return await self._tokens(
            {
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": redirect_uri,
                "code_verifier": verifier,
            }
        )

    async def refresh(self, refresh_token: str) -> Tokens:
        return await self._tokens({"grant_type": "refresh_token", "refresh_token": refresh_token})

    async def identity(self, token: str, nonce: str | None, now: datetime) -> Claims:
        return await self._proven(lambda keys: proving.identity(token, keys, self.provider, nonce, now))

    async def logout(self, token: str, now: datetime) -> Claims:
        return await self._proven(lambda keys: proving.logout(token, keys, self.provider, now))

    async def knows(self, access_token: str) -> Json:
        """What it says of the person; nothing where it does not say."""
        address = (await self._described()).get("userinfo_endpoint")
        if not isinstance(address, str):
            return {}
        return await self._ask("GET", address, headers={"Authorization": f"Bearer {access_token}"})

    async def _proven(self, prove: Callable[[Sequence[Jwk]], Claims]) -> Claims:
        try:
            return prove(await self._signing_keys())
        except UnknownKey:
            # the provider may have new keys since
            try:
                return prove(await self._signing_keys(newer=True))
            except UnknownKey:
                raise SsoRefused("The token is signed with a key that the provider does not have.") from None

    async def _tokens(self, form: Mapping[str, str]) -> Tokens:
        description = await self._described()
        headers, fields = self._authenticated(description, form)
        said = await self._ask("POST", description["token_endpoint"], headers=headers, data=fields)
        access, identity, refresh = (said.get(name) for name in ("access_token", "id_token", "refresh_token"))
        if not isinstance(access, str):
            raise Refused("no_access_token")
        return Tokens(
            access,
            identity if isinstance(identity, str) else None,
            refresh if isinstance(refresh, str) else None,
        )

    def _authenticated(self, description: Json, form: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        secret, name = self.provider.client_secret, self.provider.client_id
        if secret is None:
            return {}, {**form, "client_id": name}
        ways = description.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        if "client_secret_basic" not in ways:
            return {}, {**form, "client_id": name, "client_secret": secret}
        pair = base64.b64encode(f"{quote(name, safe='')}:{quote(secret, safe='')}".encode()).decode()
        return {"Authorization": f"Basic {pair}"}, {**form}

    async def _described(self) -> Json:
        if self._description is None or time.monotonic() - self._description.at > KEPT_SECONDS:
            issuer = self.provider.issuer
            found = await self._ask("GET", f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            if found.get("issuer") != issuer:
                raise SsoUnreachable(f"The provider {self.provider.title} calls itself {found.get('issuer')!r}.")
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                self._check_address(name, found.get(name))
            if "userinfo_endpoint" in found:
                self._check_address("userinfo_endpoint", found["userinfo_endpoint"])
            self._description = _Known(found, time.monotonic())
        return self._description.value

    def _check_address(self, name: str, address: Any) -> None:
        parts = urlsplit(address) if isinstance(address, str) else None
        host = (parts.hostname if parts else None) or ""
        if parts is None or not (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))):
            raise SsoUnreachable(f"The provider {self.provider.title} names no usable `{name}`.")

    async def _signing_keys(self, *, newer: bool = False) -> Sequence[Jwk]:
        now = time.monotonic()
        renewing = newer and now - self._renewed > SOONEST_SECONDS
        if self._keys is None or now - self._keys.at > KEPT_SECONDS or renewing:
            self._renewed = now if renewing else self._renewed
            found = await self._ask("GET", (await self._described())["jwks_uri"])
            self._keys = _Known([key for key in found.get("keys", []) if isinstance(key, dict)], now)
        return self._keys.value

    async def _ask(self, method: str, address: str, **given: Any) -> Json:
        """Its answer as an object; `Refused` where it says no."""
        title = self.provider.title
        try:
            async with (
                httpx.AsyncClient(timeout=SECONDS, follow_redirects=False, verify=trusted()) as client,
                client.stream(method, address, **given) as answer,
            ):
                raw = b""
                async for part in answer.aiter_bytes():
                    raw += part
                    if len(raw) > LARGEST:
                        raise SsoUnreachable(f"The provider {title} answered with more than 1 MiB.")
        except httpx.HTTPError as error:
            raise SsoUnreachable(f"The provider {title} cannot be reached ({type(error).__name__}).") from error
        if answer.status_code >= 500 or answer.status_code == 429:
            raise SsoUnreachable(f"The provider {title} answered with status {answer.status_code}.")
        try:
            said: Any = json.loads(raw)
        except ValueError:
            said = None
        if answer.status_code >= 400:
            code = cast("Json", said).get("error") if isinstance(said, dict) else None
            raise Refused(code if isinstance(code, str) else f"status {answer.status_code}")
        if not isinstance(said, dict):
            raise SsoUnreachable(f"The provider {title} did not answer with JSON.")
        return cast("Json", said)
