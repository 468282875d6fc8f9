"""Folders that hold what repositories left."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path


def remove(folder: Path) -> None:
    """The folder and all that is in it, whatever modes were given to it. What is gone already is no error."""

    def again(function: object, path: str, error: object) -> None:
        with suppress(OSError):
            Path(path).parent.chmod(0o700)
            if Path(path).is_dir() and not Path(path).is_symlink():
                Path(path).chmod(0o700)
                shutil.rmtree(path, ignore_errors=True)
            else:
                Path(path).unlink(missing_ok=True)

    shutil.rmtree(folder, onerror=again)
