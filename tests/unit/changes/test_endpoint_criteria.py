"""A criterion that names an endpoint is checked against the code of the change."""

from __future__ import annotations

from pathlib import Path

import pytest

from handrail.changes.stages.verify import serves
from handrail.codegraph.graph import Graph
from handrail.codegraph.index import Options, build

SOURCE = """from flask import Flask

app = Flask("shop")


@app.get("/orders/<int:number>")
def order(number):
    return {}
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder: Path = tmp_path_factory.mktemp("shop")
    (folder / "app.py").write_text(SOURCE)
    return build(folder, Options(workers=1)).graph


@pytest.mark.parametrize(
    ("method", "path", "is_there"),
    [
        ("GET", "/orders/7", True),
        ("GET", "/orders/{id}", True),
        ("POST", "/orders/7", False),
        ("GET", "/orders", False),
    ],
)
def test_an_endpoint_is_there_by_method_and_path(graph: Graph, method: str, path: str, *, is_there: bool) -> None:
    assert serves(graph, method, path) is is_there
