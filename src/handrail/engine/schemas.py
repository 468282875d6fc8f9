"""The JSON schema of what a graph is started with."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import json
from types import GenericAlias, UnionType
from typing import Annotated, Any, NotRequired, Required, Union, cast, get_args, get_origin

from langgraph.graph.state import CompiledStateGraph
from langgraph.pregel import Pregel
from pydantic import TypeAdapter
from typing_extensions import TypedDict, get_type_hints, is_typeddict

from handrail.core.canonical import JsonObject


def input_schema(graph: Pregel[Any, Any, Any, Any]) -> JsonObject | None:
    """Nothing where a state of arbitrary types has none."""
    try:
        schema = _of_typed_dict(graph) or graph.get_input_jsonschema()
        return cast("JsonObject", json.loads(json.dumps(schema)))
    except Exception:  # whatever types a state has
        return None


def _of_typed_dict(graph: Pregel[Any, Any, Any, Any]) -> dict[str, Any] | None:
    if not isinstance(graph, CompiledStateGraph):
        return None
    kind: Any = graph.builder.input_schema
    if not is_typeddict(kind):
        return None
    schema = TypeAdapter(renewed(kind)).json_schema()
    if kind is graph.builder.state_schema and len(schema.get("required", ())) == len(schema["properties"]):
        # a state that says nothing about it: LangGraph begins with any part, and nodes make the rest
        del schema["required"]
    return schema


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
