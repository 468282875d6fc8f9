"""Programs of Debian packages, unpacked into `.tools` and never installed."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import tempfile
from pathlib import Path

from deploy.tests.places import TOOLS

FOLDER = TOOLS / "debian"


def program(name: str, package: str) -> Path:
    """The machine's own, or that of the package; the packages that it needs must be there."""
    if found := shutil.which(name):
        return Path(found)
    unpack(package)
    [path] = [place / name for place in places() if (place / name).exists()]
    return path


def places() -> list[Path]:
    return [FOLDER / "usr" / "bin", FOLDER / "usr" / "sbin", FOLDER / "bin", FOLDER / "sbin"]


def unpack(*packages: str) -> Path:
    """The folder with everything that was unpacked so far."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        missing = [package for package in packages if not (FOLDER / f".{package}").exists()]
        if missing:
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(["apt-get", "download", "--quiet=2", *missing], cwd=folder, check=True)
                for file in Path(folder).glob("*.deb"):
                    subprocess.run(["dpkg", "-x", file, FOLDER], check=True)
        for package in missing:
            (FOLDER / f".{package}").touch()
    return FOLDER
