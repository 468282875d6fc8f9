"""Full endpoints: routes joined with the prefixes of their routers and of every place these are mounted."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from handrail.codegraph.facts import MODULE_SCOPE, Definition, FileFacts, Mount, Route, Router
from handrail.codegraph.resolve.module import Target
from handrail.codegraph.resolve.names import CLASSES, enclosing_class
from handrail.codegraph.resolve.values import Evaluator, Kind, Tables

_VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "trace")
_QUOTED = re.compile(r"[\"'](\w+)[\"']")
_OPEN = re.compile(r"\{=([\w.]+)\}")
_MAX_MOUNTS = 20
EVERY = "every:"
"""A mount's child: all root routers of that framework in the mounting file's folder and below."""
METHOD = "method:"
"""A mount's child: the router that the method of that name gets as its argument."""
_UNMOUNTED = 0.5
"""A router that nothing here mounts: served only if some other repository does."""
_UNKNOWN_PARENT = 0.8
"""Mounted on an application that arrives as an argument."""
_UNKNOWN_ROUTER = 0.6


class ServedEndpoint(NamedTuple):
    method: str
    path: str
    framework: str
    module: str
    handler: Target | None
    line: int
    confidence: float


class _Key(NamedTuple):
    """A router's place."""

    module: str
    scope: int
    name: str


class _Mounted(NamedTuple):
    parent: _Key | None
    """None where the parent is not known."""
    prefix: str
    replaces_prefix: bool


def serve(tables: Tables, modules: Iterable[str]) -> tuple[list[ServedEndpoint], set[str]]:
    """The endpoints of `modules` (those with routes, routers or mounts), and the modules that were looked into."""
    joiner = _Joiner(tables, list(modules))
    return joiner.endpoints(), joiner.touched


class _Joiner:
    def __init__(self, tables: Tables, modules: list[str]) -> None:
        self._tables = tables
        self._modules = [module for module in modules if tables.of(module) is not None]
        self._evaluators = {module: Evaluator(tables, module) for module in self._modules}
        self._routers: dict[_Key, Router] = {}
        self._mounts: dict[_Key, list[_Mounted]] = {}
        for module in self._modules:
            for router in self._facts(module).routers:
                prefix = self._filled(module, router.scope, router.prefix)
                self._routers[_Key(module, router.scope, router.name)] = router._replace(prefix=prefix)
        self._everywhere: list[tuple[str, str, str]] = []
        for module in self._modules:
            for mount in self._facts(module).mounts:
                self._mount(module, mount)

    def _mount(self, module: str, mount: Mount) -> None:
        prefix = self._filled(module, mount.scope, mount.prefix)
        if mount.child.startswith(EVERY):
            folder = module.rpartition("/")[0]
            self._everywhere.append((folder and f"{folder}/", mount.child.removeprefix(EVERY), prefix))
            return
        child = self._find(module, mount.scope, mount.child)
        if child is not None:
            parent = self._find(module, mount.scope, mount.parent)
            self._mounts.setdefault(child, []).append(_Mounted(parent, prefix, mount.replaces_prefix))

    @property
    def touched(self) -> set[str]:
        return {module for evaluator in self._evaluators.values() for module in evaluator.touched}

    def endpoints(self) -> list[ServedEndpoint]:
        return [
            served
            for module in self._modules
            for route in self._facts(module).routes
            for served in self._served(module, route)
        ]

    def _facts(self, module: str) -> FileFacts:
        return self._tables.project.modules[module]

    def _served(self, module: str, route: Route) -> Iterable[ServedEndpoint]:
        key = self._find(module, route.scope, route.router) if route.router else None
        router = self._routers.get(key) if key is not None else None
        if route.router and router is None and not route.path.startswith("/"):
            return
        framework = router.framework if router is not None else route.framework or self._guess(module)
        if key is not None and router is not None:
            prefixes = self._prefixes(key, ())
        else:
            prefixes = [("", 1.0 if not route.router else _UNKNOWN_ROUTER)]
        handler = self._handler(module, route)
        for prefix, confidence in prefixes:
            path = join(framework, prefix, self._filled(module, route.scope, route.path))
            for method in route.methods or self._methods(handler):
                yield ServedEndpoint(method, path, framework, module, handler, route.line, confidence)

    def _guess(self, module: str) -> str:
        frameworks = [f for f in self._facts(module).frameworks if f in {"fastapi", "flask", "express", "nestjs"}]
        return frameworks[0] if frameworks else "unknown"

    def _filled(self, module: str, scope: int, text: str) -> str:
        """A path with the constants of other files in their places."""
        if "{=" not in text:
            return text
        return _OPEN.sub(lambda found: self._constant(module, scope, found.group(1)), text)

    def _constant(self, module: str, scope: int, expression: str) -> str:
        """A constant by its name, or by that of the module, class or object it belongs to."""
        owner, _, name = expression.rpartition(".")
        names = self._tables.of(module)
        reference = names.bindings.get(owner or name) if names is not None else None
        if reference is not None and reference.name:
            name = f"{reference.name}.{name}" if owner else reference.name
            found = dict(self._paths(reference.module)).get(name)
            if found is not None or not owner:
                return "?" if found is None else found
        value = self._evaluators[module].evaluate(module, scope, owner) if owner else None
        if value is None or value.module not in self._tables.project.modules:
            return "?"
        name = expression.rpartition(".")[2]
        if value.kind in {Kind.CLASS, Kind.INSTANCE}:
            name = f"{self._facts(value.module).definitions[value.definition].qualname}.{name}"
        return dict(self._paths(value.module)).get(name, "?")

    def _paths(self, module: str) -> tuple[tuple[str, str], ...]:
        facts = self._tables.project.modules.get(module)
        return facts.paths if facts is not None else ()

    def _find(self, module: str, scope: int, expression: str) -> _Key | None:
        """The router that an expression means."""
        if expression.startswith("module:"):
            target, _, name = expression.removeprefix("module:").partition("#")
            found = self._tables.project.resolver_of(module).module_named(module, target)
            return self._origin(found, name) if found is not None else None
        if expression.startswith(METHOD):
            return self._of_method(expression.removeprefix(METHOD))
        around = scope
        while True:
            key = _Key(module, around, expression)
            if key in self._routers:
                return key
            if around == MODULE_SCOPE:
                break
            around = self._facts(module).definitions[around].parent
        if expression.startswith("this."):
            return self._attribute(module, scope, expression)
        owner, _, name = expression.rpartition(".")
        if expression.endswith("()"):
            return self._made(module, scope, expression.removesuffix("()"))
        return self._elsewhere(module, scope, owner, name)

    def _of_method(self, name: str) -> _Key | None:
        """The router that the first method of that name takes as its argument."""
        for key in (key for key in self._routers if key.scope != MODULE_SCOPE):
            definition = self._facts(key.module).definitions[key.scope]
            if definition.name == name and any(parameter.name == key.name for parameter in definition.parameters):
                return key
        return None

    def _attribute(self, module: str, scope: int, expression: str) -> _Key | None:
        """`this.app`, made in another method of the class."""
        return self._attribute_of(module, enclosing_class(self._facts(module), scope), expression)

    def _attribute_of(self, module: str, owner: int, expression: str) -> _Key | None:
        facts = self._facts(module)
        keys = [k for k in self._routers if k.module == module and k.name == expression]
        return next((k for k in keys if enclosing_class(facts, k.scope) == owner), None)

    def _made(self, module: str, scope: int, function: str) -> _Key | None:
        """`create_app()`: the router made in that function."""
        value = self._evaluators[module].evaluate(module, scope, function)
        if value is None or value.kind is not Kind.FUNCTION:
            return None
        made = [k for k in self._routers if k.module == value.module and k.scope == value.definition]
        return made[0] if made else None

    def _elsewhere(self, module: str, scope: int, owner: str, name: str) -> _Key | None:
        """A router of another module: `users.router`, or `router` by import."""
        evaluator = self._evaluators[module]
        if owner:
            value = evaluator.evaluate(module, scope, owner)
            if value is not None and value.kind is Kind.INSTANCE:
                return self._attribute_of(value.module, value.definition, f"this.{name}")
            return self._origin(value.module, name) if value is not None and value.kind is Kind.MODULE else None
        key = self._origin(module, name)
        if key is not None:
            return key
        value = evaluator.evaluate(module, scope, name)
        if value is not None and value.kind is Kind.MODULE:
            return self._existing(_Key(value.module, MODULE_SCOPE, "urlpatterns"))
        if value is not None and value.kind is Kind.CLASS:
            definition = evaluator.definition(value)
            return self._existing(_Key(value.module, definition.parent, definition.qualname))
        return None

    def _origin(self, module: str, name: str) -> _Key | None:
        """Follow imports and re-exports of a name to the module that makes the router."""
        for _ in range(_MAX_MOUNTS):
            key = _Key(module, MODULE_SCOPE, name)
            names = self._tables.of(module)
            if key in self._routers or names is None:
                return self._existing(key)
            name = names.exports.get(name, name)
            reference = names.bindings.get(name)
            if reference is None:
                return self._existing(_Key(module, MODULE_SCOPE, name)) or self._variable(module, name)
            module, name = reference.module, reference.name
            if not name:
                return self._existing(_Key(module, MODULE_SCOPE, "urlpatterns"))
        return None

    def _variable(self, module: str, name: str) -> _Key | None:
        """`router = make_router()` or `app = other`."""
        names = self._tables.of(module)
        for variable in names.variables.get((MODULE_SCOPE, name), ()) if names is not None else ():
            if variable.value.endswith("()") and module in self._evaluators:
                return self._made(module, MODULE_SCOPE, variable.value.removesuffix("()"))
        return None

    def _existing(self, key: _Key) -> _Key | None:
        return key if key in self._routers else None

    def _prefixes(self, key: _Key, above: tuple[_Key, ...]) -> list[tuple[str, float]]:
        """Every prefix a router is served under, with a confidence."""
        router = self._routers[key]
        if key in above or len(above) > _MAX_MOUNTS:
            return []
        mounts = self._mounts.get(key)
        if not mounts:
            prefix = self._application_prefix(key, router)
            return [(prefix, 1.0 if router.is_root else _UNMOUNTED)]
        found: dict[str, float] = {}
        for mount in mounts:
            own = (
                mount.prefix
                if mount.replaces_prefix
                else join(router.framework, mount.prefix, router.prefix, partial=True)
            )
            parents = [("", _UNKNOWN_PARENT)] if mount.parent is None else self._prefixes(mount.parent, (*above, key))
            for prefix, confidence in parents:
                path = join(router.framework, prefix, own, partial=True)
                found[path] = max(confidence, found.get(path, 0.0))
        return list(found.items())

    def _application_prefix(self, key: _Key, router: Router) -> str:
        """A router's prefix below the one that its application gives to all."""
        for folder, framework, prefix in self._everywhere:
            if router.is_root and router.framework == framework and key.module.startswith(folder):
                return join(framework, prefix, router.prefix, partial=True)
        return router.prefix

    def _handler(self, module: str, route: Route) -> Target | None:
        if route.handler_definition >= 0:
            return Target(module, route.handler_definition)
        value = self._evaluators[module].evaluate(module, route.scope, route.handler)
        if value is None or value.kind not in {Kind.FUNCTION, Kind.CLASS, Kind.INSTANCE}:
            return None
        return Target(value.module, value.definition)

    def _methods(self, handler: Target | None) -> tuple[str, ...]:
        """The methods that a handler takes: its verbs where it is a class, those of its decorators, else any."""
        if handler is None:
            return ("ANY",)
        facts = self._facts(handler.module)
        definition = facts.definitions[handler.definition]
        if definition.kind in CLASSES:
            own = {d.name for d in facts.definitions if d.parent == handler.definition}
            return tuple(verb.upper() for verb in _VERBS if verb in own) or ("ANY",)
        return _decorated_methods(definition) or ("ANY",)


def _decorated_methods(definition: Definition) -> tuple[str, ...]:
    for decorator in definition.decorators:
        name = decorator.partition("(")[0].rpartition(".")[2]
        if name in {"require_http_methods", "api_view"}:
            return tuple(method.upper() for method in _QUOTED.findall(decorator))
        if name in {"require_GET", "require_POST", "require_safe"}:
            return {"require_GET": ("GET",), "require_POST": ("POST",)}.get(name, ("GET", "HEAD"))
    return ()


def join(framework: str, prefix: str, path: str, partial: bool = False) -> str:
    """Two parts of a path, as the framework puts them together; `partial` where more follows."""
    if framework in {"fastapi", "django"}:
        joined = prefix + path
    elif framework == "flask":
        joined = f"{prefix.rstrip('/')}/{path.lstrip('/')}" if prefix and path else prefix or path
    else:
        parts = [part.strip("/") for part in (prefix, path) if part.strip("/")]
        joined = "/" + "/".join(parts) if parts else ""
    return joined if partial or joined.startswith("/") else f"/{joined}"
