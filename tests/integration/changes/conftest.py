from pathlib import Path

import pytest
from benches import node_layer, python_layer

from handrail.changes.environments.layers import Layer
from handrail.changes.running.executing import Bench
from handrail.sandbox import choose


@pytest.fixture(scope="package")
def python(tmp_path_factory: pytest.TempPathFactory) -> Layer:
    return python_layer(tmp_path_factory.mktemp("python") / "layer")


@pytest.fixture(scope="package")
def node(tmp_path_factory: pytest.TempPathFactory) -> Layer:
    return node_layer(tmp_path_factory.mktemp("node") / "layer")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(choose(), tmp_path / "scratch")
