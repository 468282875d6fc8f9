"""Django's url lists: `urlpatterns` and every other list of `path()`, `re_path()` and `include()`."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import Mount, Route, Router
from handrail.codegraph.languages.python.arguments import argument, positional
from handrail.codegraph.languages.source_file import Web

if TYPE_CHECKING:
    from handrail.codegraph.languages.python.extract import File

_PATTERNS = frozenset({"path", "re_path", "url"})
_TRANSPARENT = frozenset(
    {"list", "tuple", "binary_operator", "parenthesized_expression", "argument_list", "list_splat"}
)
URLPATTERNS = "urlpatterns"


def read(file: "File", web: Web) -> None:
    if not (file.called.keys() & _PATTERNS) and b"urlpatterns" not in file.source:
        return
    if (
        b"urlpatterns" not in file.source
        and b"django.urls" not in file.source
        and b"django.conf.urls" not in file.source
    ):
        return
    lists = [(assignment.scope, assignment.name, assignment.value) for assignment in file.assignments]
    for node in file.captured.of("augmented"):
        name = file.text(node.child_by_field_name("left"))
        lists.append((file.scope(node), name, node.child_by_field_name("right")))
    known: set[tuple[str, int]] = set()
    for scope, name, right in lists:
        if right is None or not name.isidentifier() or not (name == URLPATTERNS or _holds_patterns(file, right)):
            continue
        if (name, scope) not in known:
            known.add((name, scope))
            web.routers.append(Router(name, scope, "", "django", name == URLPATTERNS))
        _List(file, name, scope, web).read(right, "")


def view(file: "File", node: Node) -> str:
    """The view that a handler expression leads to: through `as_view()` and wrapping decorators."""
    if node.type != "call":
        return file.expression(node)
    callee = file.expression(node).removesuffix("()")
    if callee.endswith(".as_view"):
        return callee.removesuffix(".as_view")
    wrapped = positional(node)
    if len(wrapped) == 1 and wrapped[0].type in {"identifier", "attribute", "call"}:
        return view(file, wrapped[0])
    return callee


def _holds_patterns(file: "File", node: Node) -> bool:
    if node.type != "list" or not node.named_children:
        return False
    first = node.named_children[0]
    return first.type == "call" and file.expression(first).removesuffix("()").rpartition(".")[2] in _PATTERNS


class _List:
    """Reads one url list into routes and mounts of the router `name`."""

    def __init__(self, file: "File", name: str, scope: int, web: Web) -> None:
        self.file, self.name, self.scope, self.web = file, name, scope, web

    def read(self, node: Node, prefix: str) -> None:
        if node.type in {"identifier", "attribute"}:
            self.web.mounts.append(Mount(self.name, self.file.expression(node), prefix, self.scope, False))
        elif node.type in _TRANSPARENT:
            for child in node.named_children:
                self.read(child, prefix)
        elif node.type == "call":
            callee = self.file.expression(node).removesuffix("()").rpartition(".")[2]
            if callee in _PATTERNS:
                self._pattern(node, prefix)
            elif callee != "static":
                for child in positional(node):
                    if child.type in {"list", "call"}:
                        self.read(child, prefix)

    def _pattern(self, node: Node, prefix: str) -> None:
        route, target = argument(node, 0, "route", "regex"), argument(node, 1, "view")
        text = self.file.path_of(route)
        if target is None:
            return
        path = prefix + text.removeprefix("^").removesuffix("$")
        if target.type == "call" and self.file.expression(target).removesuffix("()").rpartition(".")[2] == "include":
            self._include(target, path)
        elif not self.file.text(target).endswith("site.urls"):
            handler = view(self.file, target)
            self.web.routes.append(
                Route(self.name, (), path, handler, -1, self.scope, node.start_point[0] + 1, "django")
            )

    def _include(self, node: Node, prefix: str) -> None:
        target = argument(node, 0, "arg")
        if target is not None and target.type == "tuple" and target.named_children:
            target = target.named_children[0]
        if target is None:
            return
        module = self.file.string(target) if target.type != "identifier" else None
        if module is not None:
            self.web.mounts.append(Mount(self.name, f"module:{module}#{URLPATTERNS}", prefix, self.scope, False))
        elif target.type == "list":
            self.read(target, prefix)
        else:
            child = self.file.expression(target).removesuffix(".urls")
            self.web.mounts.append(Mount(self.name, child, prefix, self.scope, False))
