"""Methods that are the only ones of their name: the last resort for a call on an unknown object."""

from collections.abc import Iterator

from handrail.codegraph.facts import FileFacts
from handrail.codegraph.resolve.module import Target

_EVERYDAY = frozenset(
    {
        "add", "all", "append", "apply", "build", "call", "clear", "close", "configure", "configureservices",
        "contains", "copy", "count", "create", "decode", "delete", "discard", "dispose", "emit", "encode",
        "endswith", "entries", "equals", "error", "execute", "exists", "exit", "extend", "filter", "find",
        "first", "flush", "foreach", "format", "from", "get", "getattr", "gethashcode", "group", "has",
        "hashcode", "index", "info", "init", "insert", "is_valid", "items", "iter", "join", "keys", "last",
        "length", "list", "load", "log", "lower", "map", "match", "next", "of", "open", "order_by", "parse",
        "pop", "post", "print", "push", "put", "read", "reduce", "remove", "render", "replace", "reset",
        "reverse", "run", "save", "search", "send", "set", "size", "slice", "sort", "split", "start",
        "startswith", "status", "stop", "strip", "sub", "test", "then", "to_dict", "tolist", "tostring",
        "union", "update", "upper", "use", "validate", "value", "values", "wait", "warning", "write",
    }
)  # fmt: skip
"""Names in lower case that objects outside the repository have too: being the only one here proves nothing."""


class Methods:
    """Counts methods by name over all modules; `get` answers with the only one of a name."""

    def __init__(self) -> None:
        self._by_name: dict[str, set[Target]] = {}

    def get(self, name: str) -> Target | None:
        found = self._by_name.get(name)
        return next(iter(found)) if found is not None and len(found) == 1 else None

    def add(self, path: str, facts: FileFacts) -> None:
        for name, target in _methods(path, facts):
            self._by_name.setdefault(name, set()).add(target)

    def remove(self, path: str, facts: FileFacts) -> None:
        for name, target in _methods(path, facts):
            self._by_name.get(name, set[Target]()).discard(target)


def _methods(path: str, facts: FileFacts) -> Iterator[tuple[str, Target]]:
    for index, definition in enumerate(facts.definitions):
        name = definition.name.rpartition(".")[2]  # one that stands apart from its type is called `Type.name`
        if definition.kind == "method" and name.lower() not in _EVERYDAY and not name.startswith("__"):
            yield name, Target(path, index)
