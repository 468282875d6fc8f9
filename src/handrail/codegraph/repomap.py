"""A ranked map of a repository for a model's context: the symbols that matter most, within a budget of tokens."""

from collections.abc import Iterable

from handrail.codegraph.graph import Graph
from handrail.codegraph.metrics import symbol_ranks
from handrail.codegraph.model import Symbol

_CHARS_A_TOKEN = 3.5
"""Code in tokens of common models: 3 to 4 characters. The low end, so that a budget is kept rather than met."""
_SHOWN = frozenset(
    {"class", "interface", "enum", "struct", "record", "type", "function", "method", "constructor", "constant"}
)
_LONGEST = 160
_FOCUS = 50.0


def repository_map(graph: Graph, budget: int, focus: Iterable[str] = ()) -> str:
    """Files with their most important symbols, most important files first, in at most `budget` tokens. `focus` names
    ids that the reader works on: what they need ranks higher."""
    around = dict.fromkeys(focus, _FOCUS)
    ranks = symbol_ranks(graph, around | dict.fromkeys(graph.modules, 1.0) if around else {})
    ranked = sorted(
        (s for s in graph.symbols.values() if s.kind in _SHOWN and "test" not in graph.modules[s.module_id].tags),
        key=lambda s: (-_weight(s, ranks), s.id),
    )
    low, high = 0, len(ranked)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens(_render(ranked[:middle])) <= budget:
            low = middle
        else:
            high = middle - 1
    return _render(ranked[:low])


def tokens(text: str) -> int:
    """An estimate, on the high side."""
    return int(len(text) / _CHARS_A_TOKEN) + 1 if text else 0


def _weight(symbol: Symbol, ranks: dict[str, float]) -> float:
    rank = ranks.get(symbol.id, 0.0)
    if symbol.visibility != "public" or symbol.name.startswith("__"):
        rank *= 0.3
    return rank + 0.05 * ranks.get(symbol.module_id, 0.0)


def _render(symbols: list[Symbol]) -> str:
    files: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        files.setdefault(symbol.module_id, []).append(symbol)
    lines: list[str] = []
    for path, found in files.items():
        lines.append(f"{path}:")
        for symbol in sorted(found, key=lambda s: s.start_line):
            indent = "  " * (symbol.qualname.count(".") + 1)
            lines.append(f"{indent}{symbol.signature[:_LONGEST]}")
    return "\n".join(lines) + "\n" if lines else ""
