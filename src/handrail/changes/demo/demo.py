"""The demo's repository, made on this machine when it is first asked for, and the model that follows a script."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from ruamel.yaml import YAML

from handrail.models.scripted import ScriptedModel
from handrail.sandbox import processes
from handrail.sandbox.repositories import RepositoryAccess
from handrail.settings import Settings

CONTEXT: Final = 100_000
# seconds between two words, so that the text is seen as it comes
PACE: Final = 0.02
_DATE: Final = "2026-01-05T09:00:00Z"


@cache
def model() -> ScriptedModel:
    with as_file(files(__package__ or __name__) / "scripts") as folder:
        return ScriptedModel.from_file(folder, pace=PACE)


def root(settings: Settings) -> Path:
    return settings.data / "changes" / "demo"


def allowed(others: RepositoryAccess, settings: Settings) -> RepositoryAccess:
    """What may be read by the settings, and the demo's own repository."""
    return replace(others, roots=(*others.roots, root(settings)))


async def repository(settings: Settings) -> Path:
    """A repository with one commit. One that is there is left as it is: branches may have been offered to it."""
    place = root(settings) / "lamp-shop"
    if place.exists():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=place.parent))
    await asyncio.to_thread(_write, fresh)
    who = ("-c", "user.name=Lamp shop", "-c", "user.email=shop@example.org", "-c", "commit.gpgSign=false")
    environment = {"GIT_AUTHOR_DATE": _DATE, "GIT_COMMITTER_DATE": _DATE, "GIT_CONFIG_NOSYSTEM": "1"}
    for command in (
        ("init", "--quiet", "--initial-branch=main", "--template="),
        ("add", "--all"),
        (*who, "commit", "--quiet", "--no-verify", "-m", "feat: a cart that adds up"),
    ):
        ended = await processes.run(["git", *command], fresh, environment)
        assert ended.code == 0, ended.stderr.decode(errors="replace")
    await asyncio.to_thread(_put, fresh, place)
    return place


def _write(folder: Path) -> None:
    reader: Any = YAML(typ="safe")
    text = (files(__package__ or __name__) / "repository.yaml").read_text(encoding="utf-8")
    for path, content in reader.load(text).items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")


def _put(fresh: Path, place: Path) -> None:
    try:
        fresh.rename(place)
    except OSError:
        # another process was first
        shutil.rmtree(fresh)
