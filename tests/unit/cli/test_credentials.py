"""The file of `handrail login`."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from handrail.cli import credentials
from handrail.cli.connection import Server
from handrail.cli.credentials import Credential
from handrail.cli.exits import Exit, Failure

HERE, THERE = "http://127.0.0.1:8400", "https://handrail.example"
FRESH = Credential("hr_fresh", "1", "Mara", "2999-01-01T00:00:00Z")
STALE = Credential("hr_stale", "2", "Mara", "2020-01-01T00:00:00Z")


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


def test_each_server_has_its_own():
    credentials.keep(HERE, FRESH)
    credentials.keep(THERE, STALE)
    credentials.drop(HERE)

    assert credentials.find(HERE) is None
    assert credentials.find(THERE) == STALE


def test_only_the_owner_can_read_it():
    credentials.keep(HERE, FRESH)

    assert stat.S_IMODE(credentials.path().stat().st_mode) == 0o600
    assert stat.S_IMODE(credentials.path().parent.stat().st_mode) == 0o700
    assert [file.name for file in credentials.path().parent.iterdir()] == ["credentials.json"]


def test_a_fresh_one_is_used_for_its_server_only():
    credentials.keep(HERE, FRESH)

    with Server(HERE).http() as http:
        assert http.headers["Authorization"] == "Bearer hr_fresh"
    with pytest.raises(Failure) as failure:
        Server(THERE).http()
    assert failure.value.exit is Exit.not_allowed


def test_an_expired_one_asks_to_sign_in_again():
    credentials.keep(HERE, STALE)

    with pytest.raises(Failure, match="expired") as failure:
        Server(HERE).http()
    assert failure.value.exit is Exit.not_allowed


def test_a_given_token_comes_first():
    credentials.keep(HERE, FRESH)

    with Server(HERE, "hr_given").http() as http:
        assert http.headers["Authorization"] == "Bearer hr_given"


@pytest.mark.parametrize("garbage", ["", "[]", '{"http://127.0.0.1:8400": {"token": 1}}'])
def test_a_damaged_file_says_what_to_do(garbage: str):
    credentials.path().parent.mkdir()
    credentials.path().write_text(garbage)

    with pytest.raises(Failure, match="handrail login"):
        credentials.find(HERE)
