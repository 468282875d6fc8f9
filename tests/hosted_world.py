"""What stories of changes on a host share: its repository, by the operator's token, and the two approvals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from itertools import count
from pathlib import Path
from typing import Any

import change_scripts
import hosting_stub
import pytest
from change_world import ChangeWorld
from hosting_stub import Grant, Repository
from hosting_stub.server import Faulty

from handrail.core.runs import Run, RunStatus
from handrail.holds.attesting import keep_attesting
from handrail.holds.rounds import Rounds
from handrail.store.audit_files import KeyFile

TOKEN = "secret-token-of-the-operator"
SCOPES = {"github": ("repo",), "gitlab": ("api",), "gitea": ("write:repository",)}
NUMBERS = count(1)


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Generator[Faulty]:
    with hosting_stub.serving(tmp_path_factory.mktemp("hosted")) as stub:
        yield stub


@pytest.fixture
def kind() -> str:
    return "github"


@pytest.fixture
def source(world: ChangeWorld) -> Path:
    return change_scripts.repository(world.folder / "source")


@pytest.fixture
def hosted(stub: Faulty, source: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("HANDRAIL_CODE_HOSTS", json.dumps({"127.0.0.1": kind}))
    monkeypatch.setenv("HANDRAIL_GIT_PRIVATE_HOSTS", "127.0.0.1")
    monkeypatch.setenv(f"{kind.upper()}_TOKEN", TOKEN)
    stub.tokens[TOKEN] = Grant(scopes=SCOPES[kind])
    stub.faults.clear()
    return stub.repository(f"team/shop{next(NUMBERS)}", source)


async def decided(world: ChangeWorld, address: str, **more: Any) -> Run:
    """A run whose plan was approved, and whose result waits for people."""
    run = await world.work(await world.start("Round prices.", address, **more))
    assert run.status is RunStatus.paused, run.error
    await world.decide(run)
    run = await world.work(run)
    assert run.status is RunStatus.paused, run.error
    return run


async def finished(world: ChangeWorld, run: Run) -> Run:
    """The run to its end, while a server that has the audit key is running."""
    keys = KeyFile(world.folder / "key.pem")
    keys.create()
    rounds = Rounds(world.context)
    signing = asyncio.gather(rounds.keep_looking(), keep_attesting(rounds, world.context.database, keys))
    try:
        return await world.work(run)
    finally:
        signing.cancel()
