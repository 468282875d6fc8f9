"""Types as JSON schemas, and JSON as values of those types: pydantic models by their own means, dataclasses by ours."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Mapping
from typing import Any, Union, cast

from .canonical import plain

_SCALARS: Mapping[type, str] = {str: "string", bool: "boolean", int: "integer", float: "number"}


def json_of(value: object, where: str) -> Any:
    """The value as JSON: a pydantic model, a dataclass, or anything that is JSON already."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return plain(dump(mode="json"), where)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: json_of(getattr(value, field.name), where) for field in dataclasses.fields(value)}
        return plain(fields, where)
    if isinstance(value, enum.Enum):
        return plain(value.value, where)
    if isinstance(value, list | tuple):
        return [json_of(item, where) for item in cast("list[object]", value)]
    if isinstance(value, Mapping):
        return {str(name): json_of(item, where) for name, item in cast("Mapping[object, object]", value).items()}
    return plain(value, where)


def schema_of(kind: Any) -> Any:
    """The JSON schema of the values of a type; TypeError if it has none."""
    make = getattr(kind, "model_json_schema", None)
    if callable(make):
        return make()
    if isinstance(kind, Mapping):
        return dict(cast("Mapping[str, object]", kind))
    if _is_enum(kind):
        return {"enum": [member.value for member in kind]}
    found = {"type": _SCALARS[kind]} if kind in _SCALARS else _of_parts(kind, typing.get_args(kind))
    if found is None:
        raise TypeError(f"{kind!r} has no JSON schema: use a pydantic model, a dataclass, or a schema as a dict")
    return found


def _of_parts(kind: Any, inner: tuple[Any, ...]) -> dict[str, Any] | None:
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [{"type": "null"} if one is types.NoneType else schema_of(one) for one in inner]}
    if origin is list:
        return {"type": "array", "items": schema_of(inner[0])}
    return _object(kind) if dataclasses.is_dataclass(kind) else None


def _is_enum(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(cast("type[object]", kind), enum.Enum)


def value_of(kind: Any, said: Any) -> Any:
    """JSON that fits the schema of the type, as a value of it."""
    validate = getattr(kind, "model_validate", None)
    if callable(validate):
        return validate(said)
    if _is_enum(kind):
        return kind(said)
    if dataclasses.is_dataclass(kind) and isinstance(said, dict):
        hints = typing.get_type_hints(kind)
        given = cast("dict[str, Any]", said)
        return cast("Any", kind)(**{name: value_of(hints[name], value) for name, value in given.items()})
    if typing.get_origin(kind) in (Union, types.UnionType):
        fitting = [one for one in typing.get_args(kind) if _fits(one, said)]
        return value_of(fitting[0], said) if fitting else said
    if typing.get_origin(kind) is list and isinstance(said, list):
        return [value_of(typing.get_args(kind)[0], item) for item in cast("list[Any]", said)]
    return float(said) if kind is float else said


def _object(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)
    missing = dataclasses.MISSING
    needed = [one.name for one in fields if one.default is missing and one.default_factory is missing]
    return {
        "type": "object",
        "title": kind.__name__,
        "properties": {one.name: schema_of(hints[one.name]) for one in fields},
        "required": needed,
        "additionalProperties": False,
    }


def _fits(kind: Any, said: Any) -> bool:
    if kind is types.NoneType:
        return said is None
    if kind in _SCALARS:
        return type(said) is kind or (kind is float and type(said) is int)
    return said is not None
