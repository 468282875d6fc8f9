"""What files of languages have in common whose routes, queries and constants are not read: Go, Rust, C and C++."""

from collections.abc import Iterable, Mapping

from tree_sitter import Node

from handrail.codegraph.facts import Ancestor, DatabaseUse, Definition, Parameter
from handrail.codegraph.languages.expressions import Lookup
from handrail.codegraph.languages.outline import Outline
from handrail.codegraph.languages.source_file import SourceFile, Web
from handrail.codegraph.languages.text import comment_before, signature

TYPES = "types"
"""The kind of the import that lists names which a file uses and does not define: they may need no import."""


class PlainFile(SourceFile[Outline]):
    frameworks: Mapping[str, str] = {}  # pyright: ignore[reportIncompatibleVariableOverride] - none of them is known

    def string_value(self, node: Node | None, lookup: Lookup) -> str | None:
        return None

    def read_constants(self) -> Mapping[str, str]:
        return {}

    def web(self) -> Web:
        return Web()

    def database(self) -> Iterable[DatabaseUse]:
        return ()

    def paths(self) -> Iterable[tuple[str, str]]:
        return ()

    def packages_of(self, target: str) -> Iterable[str]:
        return ()


def definition(
    outline: Outline,
    index: int,
    name: str,
    kind: str,
    *,
    owner: str = "",
    parent: int | None = None,
    parameters: Iterable[Parameter] = (),
    returns: str = "",
    return_type: str = "",
    decorators: tuple[str, ...] = (),
    visibility: str = "public",
    is_async: bool = False,
    ancestors: Iterable[str] = (),
    tags: tuple[str, ...] = (),
) -> Definition:
    """The definition of the outline's node at `index`. `owner` is the qualified name of a type that it belongs to and
    does not stand in; with `parent` that type is of the same file."""
    node = outline.nodes[index]
    around = outline.nesting.parents[index]
    body = node.child_by_field_name("body")
    qualname = f"{owner}.{name}" if owner else outline.qualname(around, name)
    return Definition(
        name=name if not owner or parent is not None else f"{owner}.{name}",
        qualname=qualname,
        kind=kind,
        parent=around if parent is None else parent,
        start_line=node.start_point[0] + 1,
        end_line=node.end_point[0] + 1,
        signature=signature(outline.source, node.start_byte, body.start_byte if body is not None else node.end_byte),
        parameters=tuple(parameters),
        returns=returns,
        return_type=return_type,
        decorators=decorators,
        visibility=visibility,
        is_async=is_async,
        doc=comment_before(outline.source, node.start_byte),
        ancestors=tuple(Ancestor("extends", ancestor) for ancestor in ancestors if ancestor),
        complexity=outline.complexity[index],
        tags=tags,
    )
