"""A change of a repository on a host: from a sentence to a pull request whose attestation can be proved offline."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import change_scripts
import pytest
from change_scripts import FINISHED, INTENDED, PLANNED, ROUNDED, call
from change_world import ChangeWorld
from engine_world import principal
from git_server import git
from hosted_world import TOKEN, decided, finished
from hosting_stub import Fault, Repository
from hosting_stub.server import Faulty

from handrail.changes.prompts import version
from handrail.changes.publishing.verification import verify
from handrail.core.errors import Forbidden
from handrail.core.runs import RunStatus
from handrail.store.audit_files import KeyFile


async def test_an_approved_change_becomes_a_pull_request_that_can_be_proved(
    stub: Faulty, world: ChangeWorld, hosted: Repository, source: Path
) -> None:
    """S2.11."""
    world.script(intent=INTENDED, plan=PLANNED, edit=[call("apply_patch", patch=ROUNDED), FINISHED])
    run = await decided(world, f"{stub.url}/{hosted.path}.git", labels=["bug"], draft=True)
    assert hosted.pulls == [], "nothing leaves before people have approved it"
    # somebody else's commit on the base while people think: the approval stands, for the same change upon it
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
    # what the models were told stands in the log and in the text, which the attestation covers
    told = ", ".join(f"{name} {version(name)}" for name in ("edit", "intent", "plan"))
    assert f"Versions of the prompts: {told}." in pull.body
    events = await world.events(run)
    begun = {data["prompt"] for type_, data in events if type_ == "change.stage_began" and "prompt" in data}
    assert begun == set(told.split(", "))
    assert TOKEN not in str(events) + pull.body


@pytest.mark.parametrize("kind", ["gitea"])
@pytest.mark.soak
async def test_an_answer_that_is_lost_on_the_way_leaves_one_pull_request(
    stub: Faulty, world: ChangeWorld, hosted: Repository
) -> None:
    world.script(intent=INTENDED, plan=PLANNED, edit=[call("apply_patch", patch=ROUNDED), FINISHED])
    run = await decided(world, f"{stub.url}/{hosted.path}.git")
    stub.faults += [Fault("POST .*git-receive-pack", 502, after=True), Fault("POST .*pulls$", 502, after=True)]
    await world.decide(run)
    run = await finished(world, run)
    assert run.status is RunStatus.completed, run.error
    assert isinstance(run.result, dict)
    [pull] = hosted.pulls
    assert hosted.commit(str(run.result["branch"])) == run.result["commit"] and pull.title == "fix: round prices"


@pytest.mark.parametrize("kind", ["gitea"])
@pytest.mark.soak
async def test_a_branch_that_turns_out_to_be_protected_publishes_nothing(
    stub: Faulty, world: ChangeWorld, hosted: Repository
) -> None:
    """Gitea tells administrators alone, so the push finds out."""
    hosted.protect("handrail/*")
    world.script(intent=INTENDED, plan=PLANNED, edit=[call("apply_patch", patch=ROUNDED), FINISHED])
    run = await decided(world, f"{stub.url}/{hosted.path}.git")
    hold = await world.decide(run)
    run = await finished(world, run)
    assert run.error is not None and run.error["code"] == "branch_protected"
    assert await world.came_of(hold) == ("failed", "branch_protected")
    assert hosted.pulls == [] and git(hosted.folder, "branch", "--list", "handrail/*") == ""


def scopeless(stub: Faulty, _: Repository) -> None:
    stub.tokens[TOKEN].scopes = ("read:user",)


def expired(stub: Faulty, _: Repository) -> None:
    stub.tokens[TOKEN].expires = 0


def readable(_: Faulty, hosted: Repository) -> None:
    hosted.may_push = {"ada"}


def protected(_: Faulty, hosted: Repository) -> None:
    hosted.protect("handrail/*")


@pytest.mark.parametrize(
    ("kind", "spoil", "code"),
    [
        ("github", scopeless, "token_lacks_scope"),
        ("gitlab", expired, "token_invalid"),
        ("gitea", readable, "no_push_rights"),
        ("gitlab", protected, "branch_protected"),
    ],
)
async def test_what_could_not_be_published_is_found_out_before_any_work(
    stub: Faulty, world: ChangeWorld, hosted: Repository, spoil: Callable[[Faulty, Repository], object], code: str
) -> None:
    spoil(stub, hosted)
    run = await world.work(await world.start("Round prices.", f"{stub.url}/{hosted.path}.git"))
    assert run.error is not None and run.error["code"] == code
    assert TOKEN not in str(run.error)
    assert "change.stage_began" not in [type_ for type_, _ in await world.events(run)]


async def test_a_draft_that_the_host_does_not_take_is_asked_again_and_not_of_who_requested_it(
    stub: Faulty, world: ChangeWorld, hosted: Repository
) -> None:
    """Who asked may approve a draft alone, and nothing that is ready for review."""
    await principal(world.context.database, "sam", "team_lead")
    hosted.takes_drafts = False
    world.script(intent=INTENDED, plan=PLANNED, edit=[call("apply_patch", patch=ROUNDED), FINISHED])
    run = await decided(world, f"{stub.url}/{hosted.path}.git", draft=True)
    draft = await world.decide(run, who="sam", role="team_lead")
    run = await finished(world, run)
    assert (run.status, hosted.pulls) == (RunStatus.paused, []), run.error
    again = await world.hold(run)
    assert again.id != draft.id and again.question.action is not None
    assert again.question.action.args["draft"] is False
    assert "does not take" in str(again.question.evidence)
    with pytest.raises(Forbidden):
        await world.decide(run, who="sam", role="team_lead")
    await world.decide(run)
    run = await finished(world, run)
    assert run.status is RunStatus.completed, run.error
    [pull] = hosted.pulls
    assert not pull.draft
