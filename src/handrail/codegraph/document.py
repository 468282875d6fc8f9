"""The graph as a JSON document, by the published schema (`schema.json`)."""

import json
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from handrail.codegraph import features, metrics, stack
from handrail.codegraph.index import Index
from handrail.codegraph.metrics import Metrics
from handrail.codegraph.model import Edge, Endpoint, Feature, Module, Symbol

VERSION = "1"


@cache
def schema() -> dict[str, Any]:
    return json.loads((files("handrail.codegraph") / "schema.json").read_text())


def document(index: Index, fan_threshold: int = 0, include_features: bool = True) -> dict[str, Any]:
    """Symbols, and edges of symbols, are listed for modules whose fan-in and fan-out together reach the threshold."""
    graph = index.graph
    figures = metrics.module_metrics(graph)
    detailed = {m for m, found in figures.items() if found.fan_in + found.fan_out >= fan_threshold}
    symbols = [s for s in graph.symbols.values() if s.module_id in detailed]
    shown = {*graph.modules, *graph.endpoints, *(symbol.id for symbol in symbols)}
    edges = [e for e in graph.edges() if e.source in shown and (e.target in shown or e.target.startswith("table:"))]
    return {
        "version": VERSION,
        "generatedAt": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "gitSha": git_sha(index.root),
        "project": {
            "name": index.root.name,
            "languages": stack.languages_of(index),
            "frameworks": stack.frameworks_of(index),
            "buildTools": stack.build_tools_of(index),
        },
        "modules": [module_json(graph.modules[m], figures[m]) for m in sorted(graph.modules)],
        "symbols": [symbol_json(symbol) for symbol in symbols],
        "endpoints": [endpoint_json(endpoint) for endpoint in graph.endpoints.values()],
        "edges": [edge_json(edge) for edge in edges],
        "features": [feature_json(f) for f in features.features_of(graph)] if include_features else [],
        "skipped": [{"path": skipped.path, "reason": skipped.reason} for skipped in sorted(index.skipped)],
    }


def module_json(module: Module, figures: Metrics) -> dict[str, Any]:
    return {
        "id": module.id,
        "path": module.path,
        "name": module.name,
        "language": module.language,
        "kind": module.kind,
        "tags": list(module.tags),
        "loc": module.loc,
        "hash": module.hash,
        "exports": list(module.exports),
        "imports": list(module.imports),
        "externals": list(module.externals),
        "metrics": {
            "fanIn": figures.fan_in,
            "fanOut": figures.fan_out,
            "centrality": round(figures.centrality, 8),
            "complexity": module.complexity,
        },
        "calls": {
            "resolved": module.calls.resolved,
            "external": module.calls.external,
            "unresolved": module.calls.unresolved,
        },
        "hasErrors": module.has_errors,
    }


def symbol_json(symbol: Symbol) -> dict[str, Any]:
    return {
        "id": symbol.id,
        "moduleId": symbol.module_id,
        "name": symbol.name,
        "qualifiedName": symbol.qualname,
        "kind": symbol.kind,
        "signature": symbol.signature,
        "parameters": [{"name": p.name, "type": p.annotation, "default": p.default} for p in symbol.parameters],
        "returnType": symbol.returns,
        "decorators": list(symbol.decorators),
        "visibility": symbol.visibility,
        "isAsync": symbol.is_async,
        "doc": symbol.doc,
        "startLine": symbol.start_line,
        "endLine": symbol.end_line,
        "complexity": symbol.complexity,
        "tags": list(symbol.tags),
    }


def endpoint_json(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "id": endpoint.id,
        "method": endpoint.method,
        "path": endpoint.path,
        "framework": endpoint.framework,
        "handlerModuleId": endpoint.handler_module_id,
        "handlerSymbolId": endpoint.handler_symbol_id,
        "line": endpoint.line,
        "confidence": endpoint.confidence,
    }


def edge_json(edge: Edge) -> dict[str, Any]:
    return {"from": edge.source, "to": edge.target, "type": edge.type, "confidence": edge.confidence}


def feature_json(feature: Feature) -> dict[str, Any]:
    return {
        "name": feature.name,
        "path": feature.path,
        "modules": list(feature.modules),
        "endpoints": list(feature.endpoints),
    }


def git_sha(root: Path) -> str | None:
    """The commit checked out at the root; None outside a repository, before its first commit, or without git."""
    command = ["git", "-C", str(root), "rev-parse", "--verify", "--quiet", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603 - no shell
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
