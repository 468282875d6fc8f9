"""ASP.NET controllers: routes by their attributes."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from handrail.codegraph.facts import MODULE_SCOPE, Route, Router
from handrail.codegraph.languages.csharp.definitions import attributes
from handrail.codegraph.languages.nodes import nth
from handrail.codegraph.languages.source_file import Web

if TYPE_CHECKING:
    from handrail.codegraph.languages.csharp.extract import File

FRAMEWORK = "aspnet"
_METHODS = {
    "HttpGet": "GET",
    "HttpPost": "POST",
    "HttpPut": "PUT",
    "HttpPatch": "PATCH",
    "HttpDelete": "DELETE",
    "HttpHead": "HEAD",
    "HttpOptions": "OPTIONS",
}

_ACTION = "[action]"


def read(file: "File", web: Web) -> None:
    if b"[Http" not in file.source and b"[Route" not in file.source and b"[AcceptVerbs" not in file.source:
        return
    for index, definition in enumerate(file.definitions.found):
        if file.definitions.is_type(index) and (
            "controller" in definition.tags or definition.name.endswith("Controller")
        ):
            _controller(file, index, web)


def _controller(file: "File", index: int, web: Web) -> None:
    definition = file.definitions.found[index]
    marks = attributes(file.definitions.nodes[index])
    area = next((_template(file, mark) for mark in marks if _name(file, mark) == "Area"), "")
    prefixes = [_template(file, mark) for mark in marks if _name(file, mark) == "Route"]
    for number, prefix in enumerate(prefixes or [""]):
        name = definition.qualname if number == 0 else f"{definition.qualname}#{number}"
        tokens = {"controller": definition.name.removesuffix("Controller"), "area": area}
        is_whole = _ACTION not in prefix  # else each method gives the prefix its own name
        web.routers.append(Router(name, MODULE_SCOPE, _filled(prefix, tokens) if is_whole else "", FRAMEWORK, True))
        for member in range(len(file.definitions.nodes)):
            if file.definitions.nesting.parents[member] == index:
                found = _routes(file, name, index, member, tokens, number == 0)
                web.routes += found if is_whole else [_below(r, prefix, tokens) for r in found]


def _below(route: Route, prefix: str, tokens: dict[str, str]) -> Route:
    if not route.router:
        return route
    return route._replace(path=f"{_filled(prefix, {**tokens, 'action': route.handler})}/{route.path}")


def _routes(file: "File", router: str, scope: int, member: int, tokens: dict[str, str], is_first: bool) -> list[Route]:
    definition = file.definitions.found[member]
    marks = [(_name(file, mark), mark) for mark in attributes(file.definitions.nodes[member])]
    own = [_template(file, mark) for name, mark in marks if name == "Route"]
    found: list[Route] = []
    for name, mark in marks:
        methods = _verbs(file, name, mark)
        template = _template(file, mark) if name in _METHODS else ""
        for path in [template] if template or not own else own:
            text = _filled(path, {**tokens, "action": definition.name}) if methods else ""
            is_absolute = text.startswith(("/", "~"))
            if methods and (is_first or not is_absolute):
                place = "" if is_absolute else router
                line = definition.start_line
                found.append(Route(place, methods, text.lstrip("~"), definition.name, member, scope, line, FRAMEWORK))
    return found


def _verbs(file: "File", name: str, mark: Node) -> tuple[str, ...]:
    if name in _METHODS:
        return (_METHODS[name],)
    if name != "AcceptVerbs":
        return ()
    texts = (file.string(nth(argument)) for argument in _arguments(mark))
    return tuple(text.upper() for text in texts if text)


def _name(file: "File", mark: Node) -> str:
    return file.text(mark.child_by_field_name("name")).rpartition(".")[2].removesuffix("Attribute")


def _template(file: "File", mark: Node) -> str:
    """The attribute's first argument without a name."""
    for argument in _arguments(mark):
        if argument.named_child_count == 1:
            return file.path_of(nth(argument))
    return ""


def _arguments(mark: Node) -> list[Node]:
    listed = next((child for child in mark.named_children if child.type == "attribute_argument_list"), None)
    return listed.named_children if listed is not None else []


def _filled(template: str, tokens: dict[str, str]) -> str:
    for name, value in tokens.items():
        template = template.replace(f"[{name}]", value)
    return template
