"""The operator's token: for publishing where people approved it, and for reading only what the operator names."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from handrail import settings
from handrail.changes import hosting
from handrail.engine.repositories import allowed_by

TOKEN = "ghp_of_the_operator"


def options(address: str, **given: Any) -> dict[str, str]:
    known = settings.load(github_token=TOKEN, **given)
    return asyncio.run(hosting.reading(address, allowed_by(known), known))


def test_a_caller_cannot_read_a_private_repository_with_the_operators_token() -> None:
    assert options("https://github.com/acme/payroll") == {}
    assert options("https://github.com/acme/payroll", change_repositories=("github.com/acme/shop",)) == {}


@pytest.mark.parametrize("address", ["https://github.com/acme/shop", "https://github.com/acme/shop.git"])
def test_what_the_operator_names_is_read_with_it(address: str) -> None:
    found = options(address, change_repositories=("github.com/acme/*",))
    assert list(found) == ["http.https://github.com/.extraHeader"]


@pytest.mark.parametrize(
    "address", ["https://github.com.evil.example/acme/shop", "https://evil.example/github.com/acme/shop"]
)
def test_another_host_never_gets_it(address: str) -> None:
    assert options(address, change_repositories=("*",), code_hosts={}) == {}


def test_a_folder_needs_none(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    given: dict[str, Any] = {"repository_roots": (tmp_path,), "change_repositories": ("*",)}
    assert options(str(tmp_path / "shop"), **given) == {}
