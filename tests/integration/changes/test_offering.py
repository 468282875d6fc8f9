"""Without a remote: a branch in a developer's own folder, or files; the folder is otherwise as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import publishing_world as world
import pytest
from git_server import git
from publishing_world import Change

from handrail.changes.publishing import errors
from handrail.changes.publishing.offering import BUNDLE, PATCH, SUMMARY, as_files, offer
from handrail.changes.publishing.pushing import PushedBranch


@pytest.fixture(scope="module")
def change(tmp_path_factory: pytest.TempPathFactory) -> Change:
    return world.made(tmp_path_factory.mktemp("changes") / "shop")


@pytest.fixture
def folder(change: Change, tmp_path: Path) -> Path:
    """A developer's checkout in the middle of other work."""
    git(tmp_path, "clone", "--quiet", "--branch", "main", "--single-branch", str(change.folder), "mine")
    mine = tmp_path / "mine"
    (mine / "cart.py").write_text("half done\n")
    (mine / "new.py").write_text("new\n")
    git(mine, "add", "new.py")
    return mine


def as_it_is(folder: Path) -> tuple[str, str, bytes]:
    head = (folder / ".git" / "HEAD").read_text()
    return git(folder, "status", "--porcelain=v2", "--branch"), head, (folder / ".git" / "index").read_bytes()


async def test_the_branch_is_there_to_be_checked_out_and_nothing_else_changes(change: Change, folder: Path) -> None:
    ran = folder.parent / "ran"
    hook = folder / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    before = as_it_is(folder)
    offered = await offer(change.folder, change.evidence, change.evidence, folder)
    assert offered == PushedBranch(change.evidence.branch, change.evidence.head, fresh=True)
    assert not ran.exists()
    assert as_it_is(folder) == before
    assert git(folder, "rev-parse", change.evidence.branch).strip() == change.evidence.head
    assert "round" in git(folder, "show", f"{change.evidence.branch}:cart.py")
    assert not (folder / ".git" / "FETCH_HEAD").exists()
    again = await offer(change.folder, change.evidence, change.evidence, folder)
    assert again == PushedBranch(change.evidence.branch, change.evidence.head, fresh=False)


async def test_a_branch_of_that_name_stays_as_it_is(change: Change, folder: Path) -> None:
    git(folder, "branch", change.evidence.branch, "main")
    with pytest.raises(errors.BranchTaken):
        await offer(change.folder, change.evidence, change.evidence, folder)
    assert git(folder, "rev-parse", change.evidence.branch).strip() == change.evidence.base_commit


async def test_only_what_was_approved_is_offered(change: Change, folder: Path) -> None:
    lie = replace(change.evidence, head_tree="1" * 40)
    with pytest.raises(errors.EvidenceMismatch):
        await offer(change.folder, lie, lie, folder)
    with pytest.raises(errors.EvidenceMismatch):
        await as_files(change.folder, change.evidence, replace(change.evidence, plan_digest="0" * 64), world.TEXT)
    assert change.evidence.branch not in git(folder, "branch", "--list")


async def test_a_folder_that_is_no_repository_is_refused(change: Change, tmp_path: Path) -> None:
    with pytest.raises(errors.HostRefused):
        await offer(change.folder, change.evidence, change.evidence, tmp_path)


async def test_as_files_it_is_a_bundle_a_patch_and_a_summary_that_git_takes(change: Change, tmp_path: Path) -> None:
    """S2.11: Binary files too, and the commits one by one."""
    files = await as_files(change.folder, change.evidence, change.evidence, world.TEXT)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    assert files[SUMMARY] == world.TEXT.encode()
    git(tmp_path, "clone", "--quiet", "--branch", "main", "--single-branch", str(change.folder), "mine")
    mine = tmp_path / "mine"
    git(mine, "fetch", "--quiet", str(tmp_path / BUNDLE), f"{change.evidence.branch}:fetched")
    assert git(mine, "rev-parse", "fetched").strip() == change.evidence.head
    git(mine, "am", "--quiet", str(tmp_path / PATCH))
    assert git(mine, "rev-parse", "HEAD^{tree}").strip() == change.evidence.head_tree
    assert len(git(mine, "rev-list", "origin/main..HEAD").split()) == len(change.evidence.commits)
