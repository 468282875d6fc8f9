"""Answers to values: a dataclass from a JSON object, driven by its fields.

Fields that this version does not know are ignored, and texts are not checked against a list of known ones, so that an
older program keeps working against a newer server.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from datetime import datetime
from typing import Any, TypeVar, cast

from .errors import UnexpectedAnswer

T = TypeVar("T")


def decode(kind: type[T], value: object, where: str = "answer") -> T:
    """An instance of the dataclass; UnexpectedAnswer names the place that does not fit."""
    fields = _object(value, where)
    given: dict[str, Any] = {}
    for name, (hint, optional) in _fields(kind).items():
        if name in fields:
            given[name] = _convert(hint, fields[name], f"{where}.{name}")
        elif not optional:
            raise UnexpectedAnswer(f"the server's {where} lacks `{name}`; is HANDRAIL_URL a Handrail server?")
    return kind(**given)


def decode_list(kind: type[T], value: object, name: str) -> tuple[T, ...]:
    """The instances under one name of a JSON object."""
    return _convert(tuple[kind, ...], _object(value, "answer").get(name), f"answer.{name}")


@functools.cache
def _fields(kind: type[Any]) -> dict[str, tuple[Any, bool]]:
    hints = typing.get_type_hints(kind)
    missing = dataclasses.MISSING
    return {
        f.name: (hints[f.name], f.default is not missing or f.default_factory is not missing)
        for f in dataclasses.fields(kind)
    }


def _convert(hint: Any, value: object, where: str) -> Any:
    origin = typing.get_origin(hint)
    if hint is Any or origin is typing.Literal:
        return value
    if origin is types.UnionType:
        inner = next(arm for arm in typing.get_args(hint) if arm is not types.NoneType)
        return None if value is None else _convert(inner, value, where)
    if origin is tuple:
        item, values = typing.get_args(hint)[0], cast("list[object]", _expect(list, value, where))
        return tuple(_convert(item, each, f"{where}[{n}]") for n, each in enumerate(values))
    if dataclasses.is_dataclass(hint):
        return decode(cast("type[Any]", hint), value, where)
    return _time(value, where) if hint is datetime else _expect(origin or hint, value, where)


def _time(value: object, where: str) -> datetime:
    try:
        return datetime.fromisoformat(_expect(str, value, where))
    except ValueError:
        raise UnexpectedAnswer(f"the server's {where} is {value!r}, which is not a time") from None


def _object(value: object, where: str) -> dict[str, Any]:
    return cast("dict[str, Any]", _expect(dict, value, where))


def _expect(kind: type[T], value: object, where: str) -> T:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise UnexpectedAnswer(f"the server's {where} is a {type(value).__name__} instead of a {kind.__name__}")
    return value
