"""The graph against tools that know better. The same measurements, on larger samples, are in `benchmarks/codegraph`."""

import pytest

from benchmarks.codegraph import oracles


@pytest.mark.parametrize("package", ["django", "pydantic", "rich", "httpx"])
def test_import_edges_agree_with_grimp(package: str) -> None:
    found = oracles.imports_against_grimp(package)
    assert found.expected > 50
    assert found.precision >= 0.99
    assert found.recall >= 0.99


@pytest.mark.parametrize("application", ["fastapi_app", "flask_app", "django_app"])
def test_endpoints_are_those_that_the_running_application_reports(application: str) -> None:
    found = oracles.routes_against_application(application)
    assert found.expected > 10
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_call_targets_agree_with_jedi() -> None:
    found = oracles.calls_against_jedi("httpx", 24)
    assert found.expected >= 5
    assert found.precision >= 0.95
    assert found.recall >= 0.8
