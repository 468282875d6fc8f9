"""The folder of the embedded server, as several processes find and make it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from handrail.store.embedded.folder import Folder

AT_ONCE = 8


def test_those_that_prepare_it_at_once_all_have_one_password(tmp_path: Path) -> None:
    start = threading.Barrier(AT_ONCE)

    def password(_: int) -> str:
        folder = Folder(tmp_path)
        start.wait()
        folder.prepare()
        return folder.password.read_text()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        assert len(set(threads.map(password, range(AT_ONCE)))) == 1
    assert sorted(path.name for path in Folder(tmp_path).path.iterdir()) == ["password", "users"]
