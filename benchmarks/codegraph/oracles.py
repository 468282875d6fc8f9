"""How well the graph agrees with tools that know better: grimp and the TypeScript compiler for imports, jedi for
calls, applications for routes."""

import fcntl
import json
import os
import random
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import grimp
import jedi

from handrail.codegraph.index import Options, build
from handrail.codegraph.model import Call, Symbol

NODE = Path(__file__).parent / "node"
"""The TypeScript compiler and packages to read, installed by `install_node_packages`."""
APPLICATIONS = Path(__file__).parents[2] / "tests" / "codegraph" / "fixtures"
_ROUTES = {
    "fastapi_app": """
import json
from starlette.routing import Mount
from shop.main import app
def walk(app, prefix):
    for path, methods in app.openapi()["paths"].items():
        yield from ((method.upper(), prefix + path) for method in methods)
    for route in app.routes:
        if isinstance(route, Mount):
            yield from walk(route.app, prefix + route.path)
print(json.dumps(sorted(walk(app, ""))))
""",
    "flask_app": """
import json
from blog import create_app
rules = [rule for rule in create_app().url_map.iter_rules() if rule.endpoint != "static"]
print(json.dumps(sorted((method, rule.rule) for rule in rules for method in rule.methods - {"HEAD", "OPTIONS"})))
""",
    "django_app": """
import json, os
os.environ["DJANGO_SETTINGS_MODULE"] = "site_.settings"
import django
django.setup()
from django.urls import URLResolver, get_resolver
def walk(patterns, prefix):
    for pattern in patterns:
        path = prefix + str(pattern.pattern).removeprefix("^").removesuffix("$")
        if isinstance(pattern, URLResolver):
            yield from walk(pattern.url_patterns, path)
        else:
            yield path
print(json.dumps(sorted(("*", "/" + path) for path in walk(get_resolver().url_patterns, ""))))
""",
}
"""A program for each application that prints the routes it serves; Django's know no methods, and
FastAPI's no WebSockets."""


_NODE_APPLICATIONS = {"express_app": ("express", "src/app.ts"), "nest_app": ("nestjs", "src/main.ts")}
_IMPLEMENTED = {".d.ts": ".js", ".d.mts": ".mjs", ".d.cts": ".cjs"}


class Agreement(NamedTuple):
    """`expected` are the oracle's answers, `found` ours, `agreed` those of both."""

    expected: int
    found: int
    agreed: int

    @property
    def precision(self) -> float:
        return self.agreed / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.agreed / self.expected if self.expected else 1.0


def folder_of(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None, f"{package} is not installed"
    return Path(spec.origin).parent


def imports_against_grimp(package: str) -> Agreement:
    """Import edges between the modules of an installed package."""
    graph = build(folder_of(package)).graph
    oracle = grimp.build_graph(package, cache_dir=None)
    expected = {(m, n) for m in oracle.modules for n in oracle.find_modules_directly_imported_by(m)}
    names = {module.id: module.name for module in graph.modules.values()}
    edges = {(names[edge.source], names[edge.target]) for edge in graph.edges() if edge.type == "imports"}
    found = {(m, n) for m, n in edges if m in oracle.modules and n in oracle.modules}
    return Agreement(len(expected), len(found), len(expected & found))


def install_node_packages() -> None:
    """`npm ci` where the packages of the lock file are not installed yet; several processes may ask at once."""
    done = NODE / "node_modules" / ".package-lock.json"
    lock = NODE / "package-lock.json"
    with lock.open() as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        if not done.is_file() or done.stat().st_mtime < lock.stat().st_mtime:
            subprocess.run(["npm", "ci", "--silent"], cwd=NODE, timeout=300, check=True)
            done.touch()


def imports_against_typescript(root: Path) -> Agreement:
    """Import edges between the files of a folder. A declaration file counts as the JavaScript that it describes."""
    done = _node("imports.cjs", str(root))
    graph = build(root, Options(workers=1)).graph
    expected = {(source, _described(root, target)) for source, target in json.loads(done) if source in graph.modules}
    edges = {(edge.source, _described(root, edge.target)) for edge in graph.edges() if edge.type == "imports"}
    expected, found = ({(source, target) for source, target in e if source != target} for e in (expected, edges))
    return Agreement(len(expected), len(found), len(expected & found))


def _described(root: Path, path: str) -> str:
    for declared, implemented in _IMPLEMENTED.items():
        if path.endswith(declared) and (root / path.replace(declared, implemented)).is_file():
            return path.replace(declared, implemented)
    return path


def _node(program: str, *arguments: str) -> str:
    environment = os.environ | {"NODE_PATH": str(NODE / "node_modules")}
    command = ["node", str(NODE / program), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True).stdout


def calls_against_jedi(package: str, size: int, seed: int = 7) -> Agreement:
    """The targets of a random sample of calls, where jedi finds one inside the package."""
    root = folder_of(package)
    graph = build(root, Options(workers=1)).graph
    calls = [(m, call) for m in sorted(graph.modules) for call in graph.calls_of(m) if "?" not in call.callee]
    project = jedi.Project(root.parent)
    expected = found = agreed = 0
    for module, call in random.Random(seed).sample(calls, min(size, len(calls))):
        targets = _jedi_targets(project, root, module, call)
        if targets:
            expected += 1
            found += call.target is not None
            agreed += call.target is not None and _is_one_of(graph.symbols[call.target], targets)
    return Agreement(expected, found, agreed)


def routes_against_application(name: str) -> Agreement:
    """Endpoints of an example application against the routes that it reports when it runs."""
    folder = APPLICATIONS / name
    expected = {(method, path) for method, path in json.loads(_routes_of(name, folder))}
    endpoints = build(folder, Options(workers=1)).graph.endpoints.values()
    with_methods = all(method != "*" for method, _ in expected)
    found = {(endpoint.method if with_methods else "*", endpoint.path) for endpoint in endpoints}
    found = {(method, path) for method, path in found if method != "WEBSOCKET"}
    return Agreement(len(expected), len(found), len(expected & found))


def _routes_of(name: str, folder: Path) -> str:
    if name in _NODE_APPLICATIONS:
        framework, entry = _NODE_APPLICATIONS[name]
        return _node("routes.cjs", framework, str(folder / entry))
    command = [sys.executable, "-c", _ROUTES[name]]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=True).stdout


def _jedi_targets(project: jedi.Project, root: Path, module: str, call: Call) -> list[tuple[str, str, int]]:
    """(path, name, line) of every definition inside the package that jedi gives for a call."""
    path = root / module
    lines = path.read_text("utf-8").splitlines()
    place = _place(lines, call.line, call.callee.rpartition(".")[2].removesuffix("()"))
    if place is None:
        return []
    script: Any = jedi.Script(path=path, project=project)  # jedi has no types
    inside: list[tuple[str, str, int]] = []
    for name in script.goto(*place, follow_imports=True):
        if name.module_path is not None and name.line and name.type in {"function", "class"}:
            target = Path(name.module_path)
            if target.is_relative_to(root):
                inside.append((target.relative_to(root).as_posix(), name.name, name.line))
    return inside


def _place(lines: list[str], first: int, name: str) -> tuple[int, int] | None:
    pattern = re.compile(rf"(?<![\w]){re.escape(name)}\s*\(")
    for line in range(first, min(first + 6, len(lines) + 1)):
        found = pattern.search(lines[line - 1])
        if found is not None:
            return line, found.start()
    return None


def _is_one_of(symbol: Symbol, targets: list[tuple[str, str, int]]) -> bool:
    return any(
        symbol.module_id == path and symbol.name == name and symbol.start_line <= line <= symbol.end_line
        for path, name, line in targets
    )
