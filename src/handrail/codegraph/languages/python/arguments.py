"""The arguments of a Python call."""

from tree_sitter import Node


def positional(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.type != "argument_list":
        return []
    return [child for child in arguments.named_children if child.type not in {"keyword_argument", "comment"}]


def keyword(call: Node, name: str) -> Node | None:
    arguments = call.child_by_field_name("arguments")
    for child in arguments.named_children if arguments is not None else []:
        if child.type == "keyword_argument":
            key = child.child_by_field_name("name")
            if key is not None and key.text == name.encode():
                return child.child_by_field_name("value")
    return None


def argument(call: Node, index: int, *names: str) -> Node | None:
    """The argument at a position or under one of its keywords."""
    places = positional(call)
    if 0 <= index < len(places):
        return places[index]
    return next((found for name in names if (found := keyword(call, name)) is not None), None)
