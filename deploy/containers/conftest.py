"""One Docker for all tests, with an empty cache, and the images in it."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from deploy.containers import daemon
from deploy.containers.daemon import Docker
from deploy.tests.places import ROOT, TOOLS
from scripts.shipping.pins import locked, pins

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def docker() -> Generator[Docker]:
    with daemon.running() as docker:
        daemon.bring_base(docker)
        yield docker


@pytest.fixture(scope="session")
def image(docker: Docker) -> str:
    docker.build_image("handrail:of-these-tests")
    return "handrail:of-these-tests"


@pytest.fixture(scope="session")
def services_image(docker: Docker) -> str:
    docker.build("services:of-these-tests", HERE / "services.Dockerfile", HERE)
    return "services:of-these-tests"


@pytest.fixture(scope="session")
def tests_image(docker: Docker, image: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The image with this checkout, and of the lock file what the image itself does not have."""
    context = tmp_path_factory.mktemp("tests")
    copy_checkout(context / "checkout")
    install_tools(context / "tools", context / "pins.txt")
    docker.build("tests:of-these-tests", HERE / "tests.Dockerfile", context, IMAGE=image)
    return "tests:of-these-tests"


def copy_checkout(folder: Path) -> None:
    """What git has of it, as it is now; the pages are built."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in names:
        if (ROOT / name).is_file() or (ROOT / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name, follow_symlinks=False)
    shutil.copytree(ROOT / "src" / "handrail" / "web", folder / "src" / "handrail" / "web")


def install_tools(folder: Path, file: Path) -> None:
    there = set(pins(platform.machine()))
    file.write_text("".join(pin for pin in locked() if pin not in there))
    words = ["pip", "install", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    # of Debian 12, whatever Python this machine has
    where = ["--python-version", "3.11", "--target", folder, "--requirement", file]
    subprocess.run([TOOLS / "bin" / "uv", *words, *where], check=True)
