"""The parts a product falls into, read off its folders."""

from collections import Counter, defaultdict

from handrail.codegraph.graph import Graph
from handrail.codegraph.model import Feature

_MOST = 0.7
"""A folder that holds more than this share of the code is the product itself: its own folders are the features."""


def features_of(graph: Graph) -> list[Feature]:
    modules = [module for module in sorted(graph.modules) if "test" not in graph.modules[module].tags]
    home = _home(modules)
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for module in modules:
        groups[_group(home, module)].append(module)
    endpoints: defaultdict[str, list[str]] = defaultdict(list)
    for endpoint in graph.endpoints.values():
        endpoints[_group(home, endpoint.handler_module_id)].append(endpoint.id)
    return [
        Feature(path.rstrip("/").rpartition("/")[2] or "root", path or ".", tuple(found), tuple(endpoints[path]))
        for path, found in sorted(groups.items())
    ]


def _home(modules: list[str]) -> str:
    """The folder (with a slash) in which most modules lie, as deep as that holds."""
    home = ""
    while True:
        below = Counter(_group(home, module) for module in modules if module.startswith(home))
        below.pop(home, None)
        if not below:
            return home
        folder, count = below.most_common(1)[0]
        if count <= _MOST * len(modules) or not folder.startswith(home) or folder == home:
            return home
        home = folder


def _group(home: str, module: str) -> str:
    """The folder below `home` that a module lies in; outside `home` its topmost folder."""
    inside = home if module.startswith(home) else ""
    folder, slash, _ = module[len(inside) :].partition("/")
    return f"{inside}{folder}/" if slash else inside
