"""What the servers have apart from tools: prompts, resources and completions, each asked where it belongs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Any, cast

from . import names
from .messages import Json
from .peers import INVALID, NO_METHOD, Incoming, Refused
from .upstreams import CALL_SECONDS, Upstream

_LISTS = {
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
_ABOUT_RESOURCES = ("resources/read", "resources/subscribe", "resources/unsubscribe")
_TASKS = ("tasks/get", "tasks/list", "tasks/result", "tasks/cancel")


class Routes:
    """With `prefixed`, prompts are `SERVER__NAME`; without, there is one server, and it gets everything as it is."""

    def __init__(self, upstreams: Sequence[Upstream], say: Callable[[str], None], *, prefixed: bool) -> None:
        self._upstreams, self._say, self._prefixed = upstreams, say, prefixed
        self._owners: dict[str, Upstream] = {}
        """Of resources, by their addresses, once they have been listed."""

    async def ask(self, asked: Incoming) -> Json:
        """The result. A method that is not known here might do something that nobody has approved."""
        method, params = asked.method, asked.params
        if method in _LISTS:
            return await self._listed(asked, _LISTS[method])
        if method in _ABOUT_RESOURCES:
            return await forward(await self._owner(params.get("uri")), asked, params)
        if method == "prompts/get":
            upstream, name = await self._prompt(params.get("name"))
            return await forward(upstream, asked, {**params, "name": name})
        if method == "completion/complete":
            return await self._complete(asked)
        if method == "logging/setLevel":
            able = [one for one in self._upstreams if one.can("logging")]
            await asyncio.gather(*(one.request(method, params) for one in able))
            return {}
        if method in _TASKS and not self._prefixed:
            return await forward(self._upstreams[0], asked, params)
        raise Refused(NO_METHOD, f"There is no method {method:.80} here")

    async def _listed(self, asked: Incoming, what: str) -> Json:
        if not self._prefixed:
            return await forward(self._upstreams[0], asked, asked.params)
        able = [one for one in self._upstreams if one.can("prompts" if what == "prompts" else "resources")]
        listed = await asyncio.gather(*(one.listed(asked.method, what) for one in able), return_exceptions=True)
        found: list[Json] = []
        for upstream, entries in zip(able, listed, strict=True):
            if isinstance(entries, Refused):
                self._say(f"{entries.error.get('message')}.")
            elif isinstance(entries, BaseException):
                raise entries
            else:
                found += [self._entry(upstream, entry, what) for entry in entries]
        return {what: found}

    def _entry(self, upstream: Upstream, entry: Json, what: str) -> Json:
        if what == "prompts":
            return {**entry, "name": names.joined(upstream.name, str(entry.get("name")))}
        address = entry.get("uri") or entry.get("uriTemplate")
        if isinstance(address, str):
            # of two servers with the same address, the first in the file
            self._owners.setdefault(address, upstream)
        return entry

    async def _prompt(self, shown: object) -> tuple[Upstream, object]:
        if not self._prefixed:
            return self._upstreams[0], shown
        for upstream in self._upstreams:
            if isinstance(shown, str) and shown.startswith(f"{upstream.name}__") and upstream.can("prompts"):
                for entry in await upstream.listed("prompts/list", "prompts"):
                    if names.joined(upstream.name, str(entry.get("name"))) == shown:
                        return upstream, entry.get("name")
        raise Refused(INVALID, f"There is no prompt {shown!s:.80}")

    async def _owner(self, address: object) -> Upstream:
        """Whose resource it is: listed as such, of a template that fits, or of the only server that has any."""
        able = [one for one in self._upstreams if one.can("resources")]
        if len(able) == 1 or not self._prefixed:
            return able[0] if able else self._upstreams[0]
        if isinstance(address, str):
            if not self._owners:
                for method in ("resources/list", "resources/templates/list"):
                    await self._listed(Incoming(method, {}), _LISTS[method])
            for known, upstream in self._owners.items():
                pattern = ".+".join(map(re.escape, re.split(r"\{[^}]*\}", known)))
                if known == address or re.fullmatch(pattern, address):
                    return upstream
        raise Refused(INVALID, f"There is no resource {address!s:.200}")

    async def _complete(self, asked: Incoming) -> Json:
        reference: Any = asked.params.get("ref")
        ref: Json = cast(Json, reference) if isinstance(reference, dict) else {}
        if ref.get("type") == "ref/resource":
            return await forward(await self._owner(ref.get("uri")), asked, asked.params)
        upstream, name = await self._prompt(ref.get("name"))
        return await forward(upstream, asked, {**asked.params, "ref": {**ref, "name": name}})


async def forward(upstream: Upstream, asked: Incoming, params: Json) -> Json:
    """The server's own answer; its progress reaches the client meanwhile."""
    token = asked.progress_token
    if token is not None:
        upstream.tokens.add(token)
    try:
        return await upstream.request(asked.method, params, CALL_SECONDS)
    finally:
        if token is not None:
            upstream.tokens.discard(token)
