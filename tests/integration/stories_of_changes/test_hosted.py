"""A change of a repository on a host: from a sentence to a pull request whose attestation can be proved offline."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from itertools import count

import change_scripts
import hosting_stub
import pytest
from change_scripts import FINISHED, INTENDED, PLANNED, ROUNDED, call
from change_world import ChangeWorld
from git_server import git
from hosting_stub import Grant, Repository
from hosting_stub.server import Faulty

from handrail.changes.publishing.verification import verify
from handrail.core.runs import Run, RunStatus
from handrail.holds.attesting import keep_attesting
from handrail.store.audit_files import KeyFile

TOKEN = "secret-token-of-the-operator"
NUMBERS = count(1)


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Generator[Faulty]:
    with hosting_stub.serving(tmp_path_factory.mktemp("hosted")) as stub:
        yield stub


@pytest.fixture
def hosted(stub: Faulty, world: ChangeWorld, monkeypatch: pytest.MonkeyPatch) -> Repository:
    source = change_scripts.repository(world.folder / "source")
    monkeypatch.setenv("HANDRAIL_CODE_HOSTS", '{"127.0.0.1": "github"}')
    monkeypatch.setenv("HANDRAIL_GIT_PRIVATE_HOSTS", "127.0.0.1")
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    stub.tokens[TOKEN] = Grant(scopes=("repo",))
    return stub.repository(f"team/shop{next(NUMBERS)}", source)


async def finished(world: ChangeWorld, run: Run) -> Run:
    """The run to its end, while a server that has the audit key is running."""
    keys = KeyFile(world.folder / "key.pem")
    keys.create()
    signing = asyncio.create_task(keep_attesting(world.context.database, keys))
    try:
        return await world.work(run)
    finally:
        signing.cancel()


async def test_an_approved_change_becomes_a_pull_request_that_can_be_proved(
    stub: Faulty, world: ChangeWorld, hosted: Repository
) -> None:
    world.script(intent=INTENDED, plan=PLANNED, edit=[call("apply_patch", patch=ROUNDED), FINISHED])
    address = f"{stub.url}/{hosted.path}.git"
    run = await world.work(await world.start("Round prices.", address, labels=["bug"], draft=True))
    assert run.status is RunStatus.paused, run.error
    await world.decide(run)
    run = await world.work(run)
    assert run.status is RunStatus.paused, run.error
    assert hosted.pulls == [], "nothing leaves before people have approved it"
    # somebody else's commit on the base while people think: the approval stands, for the same change upon it
    source = world.folder / "source"
    change_scripts.commit(str(source), "other.py", "X = 1\n")
    git(source, "push", "--quiet", str(hosted.folder), "main")
    await world.decide(run)
    run = await finished(world, run)
    assert run.status is RunStatus.completed, run.error
    assert isinstance(run.result, dict)
    [pull] = hosted.pulls
    assert run.result["url"] and (pull.title, pull.draft, [*pull.labels]) == ("fix: round prices", True, ["bug"])
    assert hosted.commit(str(run.result["branch"])) == run.result["commit"]
    verdict = await verify(pull.body, KeyFile(world.folder / "key.pem").publics(), hosted.folder)
    assert verdict.faults == ()
    assert verdict.attestation is not None and verdict.attestation.published["base_commit"] == hosted.commit("main")
    assert verdict.attestation.moved is not None
    assert TOKEN not in str(await world.events(run)) + pull.body


async def test_a_token_that_may_not_push_is_found_out_before_any_work(
    stub: Faulty, world: ChangeWorld, hosted: Repository
) -> None:
    stub.tokens[TOKEN] = Grant(scopes=("read:user",))
    world.script(intent=INTENDED)
    run = await world.work(await world.start("Round prices.", f"{stub.url}/{hosted.path}.git"))
    assert run.error is not None and run.error["code"] == "token_lacks_scope"
    assert TOKEN not in str(run.error)
