"""Whom our clients trust."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from handrail.certificates import trusted


@pytest.fixture(autouse=True)
def fresh() -> Generator[None]:
    trusted.cache_clear()
    yield
    trusted.cache_clear()


@pytest.mark.parametrize("by_environment", [True, False])
def test_the_authorities_are_read_once(by_environment: bool) -> None:
    assert trusted(by_environment=by_environment) is trusted(by_environment=by_environment)


def test_the_environment_names_others_where_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = tmp_path / "none.pem"
    nobody.touch()
    monkeypatch.setenv("SSL_CERT_FILE", str(nobody))
    with pytest.raises(OSError):
        trusted(by_environment=True)
    assert trusted(by_environment=False).get_ca_certs()
