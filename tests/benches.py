"""Real tools for the tests of repositories: a virtual environment and Node.js packages, as a preparation would leave
them, from what this checkout has installed."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path
from uuid import uuid4

from repositories import repository

from handrail.changes.environments.instructions import Instructions
from handrail.changes.environments.layers import PLACE, WITHIN, Layer
from handrail.changes.environments.model import Command, Environment
from handrail.changes.environments.sources import Sources
from handrail.changes.running.choosing import choose
from handrail.changes.running.executing import Tree
from handrail.changes.running.model import Call
from handrail.sandbox.places import share

ROOT = Path(__file__).parents[1]
MADE = (Command(("true",)),)
PACKAGES = ("pytest", "pluggy", "iniconfig", "packaging", "pygments", "coverage")


def python_layer(folder: Path) -> Layer:
    """pytest, coverage.py and ruff in a virtual environment."""
    place = folder / PLACE
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    site = next((place / "lib").glob("python*")) / "site-packages"
    for name in PACKAGES:
        for file in distribution(name).files or ():
            source = Path(str(file.locate()))
            if ".." not in file.parts and "__pycache__" not in file.parts and source.is_file():
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, site / file)
    _linked(Path(sysconfig.get_path("scripts")) / "ruff", place / "bin" / "ruff")
    compileall.compile_dir(site, quiet=1)
    share(folder)
    return Layer(Environment("uv", "python", "", {}, commands=MADE, programs=("/deps/python/bin",)), folder)


def node_layer(folder: Path) -> Layer:
    """The packages of the web pages, of which Vitest, ESLint and TypeScript are some."""
    (folder / PLACE).mkdir(parents=True)
    (folder / WITHIN).mkdir()
    (folder / WITHIN / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    environment = Environment("npm", "node", "", {}, commands=MADE, programs=("/workspace/node_modules/.bin",))
    return Layer(environment, folder, ("node_modules",))


def tree(root: Path, files: Mapping[str, str | bytes], *layers: Layer) -> Tree:
    """A tree that no other has the hash of."""
    repository(root, files)
    return Tree(root, uuid4().hex, layers)


def calls(given: Tree) -> list[Call]:
    return list(choose(Sources(given.path), Instructions()).tests)


def _linked(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)
