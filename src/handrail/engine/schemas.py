"""JSON schemas of types: what a run is started with, where a TypedDict says it."""

from __future__ import annotations

from types import GenericAlias, UnionType
from typing import Annotated, Any, NotRequired, Required, Union, get_args, get_origin

from pydantic import TypeAdapter
from typing_extensions import TypedDict, get_type_hints, is_typeddict

from handrail.core.canonical import JsonObject


def schema_of(kind: type[Any]) -> JsonObject:
    """Of a TypedDict."""
    return TypeAdapter(renewed(kind)).json_schema()


def renewed(kind: Any, within: tuple[Any, ...] = ()) -> Any:
    """The type with each `typing.TypedDict` in it as that of typing_extensions: pydantic knows the former only from
    Python 3.12 on. One that contains itself has anything in that place."""
    if kind in within:
        return Any
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        fields = {name: _field(kind, name, hint, (*within, kind)) for name, hint in hints.items()}
        return TypedDict(kind.__name__, fields)  # pyright: ignore[reportArgumentType] - made of another
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[renewed(args[0], within), *args[1:]]
    if origin in (Union, UnionType):
        return Union[tuple(renewed(each, within) for each in args)]  # noqa: UP007 - of any number
    if origin in (list, dict, tuple, set, frozenset):
        return GenericAlias(origin, tuple(renewed(each, within) for each in args))
    return kind


def _field(kind: Any, name: str, hint: Any, within: tuple[Any, ...]) -> Any:
    # under postponed annotations the class does not see these words in its own fields
    said = get_origin(hint)
    plain = renewed(get_args(hint)[0] if said in (Required, NotRequired) else hint, within)
    required = name in kind.__required_keys__ if said not in (Required, NotRequired) else said is Required
    return Required[plain] if required else NotRequired[plain]
