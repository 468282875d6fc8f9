"""JSON as a value: plain copies of what a caller passes, canonical bytes (RFC 8785) and the digest of a question."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any, cast

import rfc8785

from .errors import NotJson
from .holds import Action

DIGEST_VERSION = 1
MAX_DEPTH = 64
MAX_NUMBER = 2**53 - 1


def plain(value: object, where: str = "value", depth: int = 1) -> Any:
    """A copy of the value in plain JSON types, which nobody else can change; NotJson names the place otherwise.

    Refused: anything that is not a dict with text keys, a list, text, a number, a boolean or None; NaN and infinities;
    numbers beyond ±(2^53 − 1), which other languages would round; NUL characters and halves of surrogate pairs.
    """
    if isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            raise NotJson(f"{where} is nested deeper than {MAX_DEPTH} levels")
        if isinstance(value, list):
            items = cast("list[object]", value)
            return [plain(item, f"{where}[{n}]", depth + 1) for n, item in enumerate(items)]
        fields = cast("dict[object, object]", value)
        return {_text(key, where): plain(item, f"{where}.{key}", depth + 1) for key, item in fields.items()}
    return _scalar(value, where)


def plain_object(value: Mapping[str, object], where: str) -> dict[str, Any]:
    """As `plain`, of any mapping with text keys."""
    return plain(dict(value), where)


def _scalar(value: object, where: str) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if isinstance(value, float) and not math.isfinite(value):
            raise NotJson(f"{where} is {value!r}, which JSON cannot represent")
        if abs(value) > MAX_NUMBER:
            raise NotJson(f"{where} is beyond ±(2^53 − 1), where JSON numbers lose digits; pass it as text")
        return int(value) if isinstance(value, int) else float(value)
    return _text(value, where)


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise NotJson(
            f"{where} holds a {type(value).__name__}, which is not JSON; pass plain data", data={"field": where}
        )
    if "\x00" in value:
        raise NotJson(f"{where} contains a NUL character")
    try:
        # a subclass, such as a member of StrEnum, is taken for the text that it is
        return value.encode().decode()
    except UnicodeEncodeError:
        raise NotJson(f"{where} contains half of a surrogate pair") from None


def digest(
    kind: str,
    title: str,
    action: Action | None,
    *,
    items: list[Any] | None = None,
    schema: Any = None,
    evidence: Any = None,
) -> str:
    """SHA-256 (hex) of exactly what people are shown: an approval is bound to it.

    Computed here, from the values that are about to be used, so that nothing which was changed meanwhile runs.
    """
    question = {
        "version": DIGEST_VERSION,
        "kind": kind,
        "title": title,
        "action": action and {"name": action.name, "args": action.args, "target": action.target},
        "items": items or [],
        "schema": schema,
        "evidence": evidence,
    }
    return hashlib.sha256(rfc8785.dumps(plain(question, "question"))).hexdigest()
