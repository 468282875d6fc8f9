"""Where the embedded PostgreSQL cannot run, the error says why and names the ways out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from handrail.core.errors import Misconfigured
from handrail.store.embedded import Server, programs


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def ways_out(refused: pytest.ExceptionInfo[Misconfigured]) -> bool:
    return "as an ordinary user" in refused.value.message and "HANDRAIL_DATABASE_URL" in refused.value.message


@pytest.mark.usefixtures("root")
def test_root_without_user_namespaces_is_told_the_ways_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unshare = tmp_path / "unshare"
    unshare.write_text("#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1\n")
    unshare.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(Misconfigured, match="Operation not permitted") as refused:
        programs.run("initdb", "--version")
    assert "User namespaces are refused" in refused.value.message
    assert ways_out(refused)


@pytest.mark.usefixtures("root")
def test_root_without_unshare_is_told_the_ways_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(Misconfigured, match="needs `unshare`") as refused:
        programs.run("initdb", "--version")
    assert ways_out(refused)


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(Misconfigured, match="choose another data folder"):
        Server(tmp_path).start()


def test_a_data_path_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(Misconfigured, match=f"{tmp_path}/data/postgres cannot be used"):
        Server(tmp_path / "data").start()


def test_a_cluster_that_postgres_refuses_is_reported_in_its_words(tmp_path: Path) -> None:
    (tmp_path / "postgres/cluster").mkdir(parents=True, mode=0o700)
    with pytest.raises(Misconfigured, match=r"postgresql\.conf"):
        Server(tmp_path).start()
