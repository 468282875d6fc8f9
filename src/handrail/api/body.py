"""Strict JSON bodies, read and parsed once: size, encoding, nesting, numbers and keys are checked before any model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute

from handrail.api import queries
from handrail.core import canonical, errors

LARGEST = 1 << 20
LARGE = 1 << 15


def parse(raw: bytes) -> canonical.Json:
    """The JSON value of a body; an error with its own code for each way in which it is not acceptable."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise errors.BadUtf8(f"The body is not valid UTF-8 at byte {error.start}") from None
    try:
        value = json.loads(text, object_pairs_hook=_without_twins, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise errors.NotJson(
            f"The body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise errors.TooDeep from None
    except ValueError:
        # Python's limit on the digits of an integer
        raise errors.NumberOutOfRange from None
    return canonical.check(value, "")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twin = _first_twin([name for name, _ in pairs])[:200]
        raise errors.InvalidField(f"`{twin}` appears twice in one object", field=twin)
    return found


def _first_twin(names: list[str]) -> str:
    seen: set[str] = set()
    return next(name for name in names if name in seen or seen.add(name))


def _refuse_constant(name: str) -> NoReturn:
    raise errors.NumberOutOfRange(f"{name} is not a JSON number")


class StrictRequest(Request):
    """A request whose body was taken by `take`: FastAPI finds the bytes and the value there."""

    async def take(self) -> None:
        self._body = await self._limited()
        if self._body:
            self._check_type()
            # a large one of small values takes half a second: others are served meanwhile
            large = len(self._body) > LARGE
            self._json = await asyncio.to_thread(parse, self._body) if large else parse(self._body)

    async def raw(self) -> bytes:
        """The bytes as they came, where a signature is over them."""
        self._body = await self._limited()
        return self._body

    async def _limited(self) -> bytes:
        declared = self.headers.get("content-length", "0")
        if declared.isdecimal() and int(declared[:20]) > LARGEST:
            raise errors.BodyTooLarge
        chunks: list[bytes] = []
        size = 0
        async for chunk in self.stream():
            size += len(chunk)
            if size > LARGEST:
                raise errors.BodyTooLarge
            chunks.append(chunk)
        return b"".join(chunks)

    def _check_type(self) -> None:
        kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise errors.NotJson("The body must be JSON: send it with `Content-Type: application/json`")


class StrictRoute(APIRoute):
    """A route that takes its query and its body strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        known = queries.parameters(self.dependant)

        async def taken(request: Request) -> Response:
            queries.check(request.query_params, known)
            strict = StrictRequest(request.scope, request.receive)
            if self.body_field:
                await strict.take()
            return await handle(strict)

        return taken
