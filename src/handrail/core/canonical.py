"""JSON as a value: what may be in it, its canonical bytes (RFC 8785) and their SHA-256."""

from __future__ import annotations

import hashlib
import math
from typing import TypeAlias, cast

import rfc8785
from pydantic import JsonValue

from . import errors

Json: TypeAlias = JsonValue
JsonObject: TypeAlias = dict[str, Json]

MAX_DEPTH = 64
MAX_NUMBER = 2**53 - 1


def check(value: object, where: str = "value") -> Json:
    """The value itself where it is JSON that keeps its meaning everywhere; Rejected names the place otherwise.

    `where` begins the names of places: "action" gives `action.args`; "" is for a whole document.
    """
    stack: list[tuple[object, str, int]] = [(value, where, 1)]
    while stack:
        item, path, depth = stack.pop()
        if isinstance(item, dict | list):
            if depth > MAX_DEPTH:
                raise errors.TooDeep(f"`{where or 'body'}` is nested deeper than {MAX_DEPTH} levels")
            if isinstance(item, dict):
                for key, inner in cast("dict[object, object]", item).items():
                    _check_text(key, path)
                    stack.append((inner, f"{path}.{key}" if path else f"{key}", depth + 1))
            else:
                inners = cast("list[object]", item)
                stack.extend((inner, f"{path}[{n}]", depth + 1) for n, inner in enumerate(inners))
        else:
            _check_scalar(item, path)
    return cast("Json", value)


def _check_scalar(item: object, path: str) -> None:
    if item is None or isinstance(item, bool):
        return
    if isinstance(item, int | float):
        if isinstance(item, float) and not math.isfinite(item):
            raise errors.NumberOutOfRange(f"`{path}` is not a finite number", field=path)
        if abs(item) > MAX_NUMBER:
            raise errors.NumberOutOfRange(f"`{path}` is beyond ±(2^53 − 1); send it as text", field=path)
    else:
        _check_text(item, path)


def _check_text(item: object, path: str) -> None:
    if not isinstance(item, str):
        raise errors.InvalidField(f"`{path}` holds a {type(item).__name__}, which is not JSON", field=path)
    if "\x00" in item:
        raise errors.NulByte(f"`{path}` contains a NUL character", field=path)
    try:
        item.encode()
    except UnicodeEncodeError:
        raise errors.BadUtf8(f"`{path}` contains half of a surrogate pair", field=path) from None


def encode(value: Json) -> bytes:
    """Canonical bytes of a checked value."""
    return rfc8785.dumps(cast("rfc8785._impl._Value", value))  # pyright: ignore[reportPrivateUsage] - the library exports no name for its value type


def sha256(value: Json) -> str:
    """Hex SHA-256 of the canonical bytes."""
    return hashlib.sha256(encode(value)).hexdigest()
