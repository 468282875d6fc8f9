"""Connections to a host's API: to the address that was checked, and without following redirects."""

from __future__ import annotations

import ssl
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from handrail.changes.publishing import errors
from handrail.core.errors import CloneRefused
from handrail.sandbox import cloning
from handrail.sandbox.cloning import CloneLimits


@asynccontextmanager
async def connected(base: str, limits: CloneLimits) -> AsyncGenerator[httpx.AsyncClient]:
    """A client for that address alone; `AddressRefused` where it lies in a private network that nobody allowed."""
    host, port = cloning.host_and_port(base)
    is_safe = base.startswith("https:")
    try:
        places = await cloning.resolved(host, port, limits, is_safe=is_safe)
    except CloneRefused as error:
        raise errors.AddressRefused(error.message) from None
    async with httpx.AsyncClient(
        base_url=base, transport=_transport(base, host, places), follow_redirects=False, trust_env=False
    ) as client:
        yield client


def _transport(base: str, host: str, places: Sequence[str]) -> httpx.AsyncBaseTransport:
    """By way of the machine's proxy, as git goes; else to the addresses that were looked at, under the host's name."""
    trusted = ssl.create_default_context() if base.startswith("https:") else False
    proxy = getproxies().get(urlsplit(base).scheme)
    if proxy and not proxy_bypass(host):
        return httpx.AsyncHTTPTransport(verify=trusted, proxy=proxy)
    return _Pinned(places, httpx.AsyncHTTPTransport(verify=trusted))


class _Pinned(httpx.AsyncBaseTransport):
    def __init__(self, places: Sequence[str], transport: httpx.AsyncBaseTransport) -> None:
        self._places = [place.strip("[]") for place in places]
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        # the header `Host` is made already, and the certificate must be for the name
        request.extensions = {**request.extensions, "sni_hostname": request.url.host}
        *others, last = self._places
        for place in others:
            request.url = request.url.copy_with(host=place)
            with suppress(httpx.ConnectError, httpx.ConnectTimeout):
                return await self._transport.handle_async_request(request)
        request.url = request.url.copy_with(host=last)
        return await self._transport.handle_async_request(request)

    async def aclose(self) -> None:
        await self._transport.aclose()
