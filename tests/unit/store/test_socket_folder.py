"""Where the embedded server's socket lies if the data folder's path is too long for one."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from handrail.core.errors import Misconfigured
from handrail.store.embedded import folder as folders
from handrail.store.embedded.folder import Folder


@pytest.fixture(autouse=True)
def short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is short is measured from the test's own temporary folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(folders, "LONGEST_SOCKET_PATH", len(str(tmp_path)) + 40)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder(tmp_path / ("long" * 20))
    made.prepare()
    return made


def test_the_next_server_has_the_same(folder: Folder) -> None:
    first = folder.choose_socket()
    assert folder.choose_socket() == first
    folder.drop_socket()
    assert not first.exists()
    assert folder.choose_socket() == first


def test_only_what_a_dead_server_left_is_removed_before_the_next(folder: Folder) -> None:
    socket = folder.choose_socket()
    (socket / ".s.PGSQL.5432").touch()
    folder.clear_socket()
    assert list(socket.iterdir()) == []


def test_one_that_others_can_enter_is_not_taken(folder: Folder) -> None:
    first = folder.choose_socket()
    first.chmod(0o755)
    second = folder.choose_socket()
    assert second != first
    first.chmod(0o700)
    first.rmdir()
    first.symlink_to(second)
    assert folder.choose_socket() == second


def test_if_all_are_taken_it_says_what_to_do(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "SHORT_NAMES", 1)
    folder.choose_socket().chmod(0o777)
    with pytest.raises(Misconfigured, match="Set TMPDIR"):
        folder.choose_socket()


def test_a_copy_of_the_folder_leaves_the_sockets_of_the_original_alone(folder: Folder, tmp_path: Path) -> None:
    socket = folder.choose_socket()
    (socket / ".s.PGSQL.5432").touch()
    shutil.copytree(folder.path.parent, tmp_path / ("copy" * 20))
    copy = Folder(tmp_path / ("copy" * 20))
    copy.drop_socket()
    assert copy.choose_socket() != socket
    assert [file.name for file in socket.iterdir()] == [".s.PGSQL.5432"]
