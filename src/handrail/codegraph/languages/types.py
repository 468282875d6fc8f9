"""Type names of languages with `Name<Argument>`: Java and C#."""

import re
from collections.abc import Iterator
from functools import lru_cache

_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*\Z")
_CAPITAL = re.compile(r"\b[A-Z]\w*")
_TRANSPARENT = frozenset(
    {
        "Optional", "CompletableFuture", "CompletionStage", "Future", "Mono", "ResponseEntity", "Supplier", "Provider",
        "Task", "ValueTask", "ActionResult", "Nullable", "DbSet", "Lazy",
    }
)  # fmt: skip
"""Types that stand for their argument."""
_LONGEST = 200
_PRIMITIVES = {"string": "String", "object": "Object", "decimal": "Decimal"}
_NO_CLASS = frozenset(
    [
        "void",
        "int",
        "long",
        "short",
        "byte",
        "char",
        "float",
        "double",
        "boolean",
        "bool",
        "var",
        "dynamic",
        "uint",
        "ulong",
        "ushort",
        "sbyte",
        "nint",
    ]
)


@lru_cache(maxsize=20_000)
def type_name(text: str) -> str:
    """The one class a type names: `Optional<Foo>`, `Task<Foo>` and `Foo?` are `Foo`, `List<Foo>` is `List`."""
    text = text.strip().rstrip("?")
    if len(text) > _LONGEST or text.endswith("]"):
        return ""
    head, bracket, rest = text.partition("<")
    head = head.strip()
    if bracket and head.rpartition(".")[2] in _TRANSPARENT:
        return type_name(rest.rpartition(">")[0])
    name = _PRIMITIVES.get(head, head)
    return name if _NAME.match(name) and name not in _NO_CLASS else ""


def type_argument(text: str) -> str:
    """The first argument: `User` in `JpaRepository<User, Long>`."""
    inner = text.partition("<")[2].rpartition(">")[0]
    return type_name(inner.partition(",")[0])


def names_in(text: str) -> Iterator[str]:
    """Every name with a capital in a type, its arguments too."""
    return (found.group() for found in _CAPITAL.finditer(text[:_LONGEST]))
