"""Work trees of runs: made from a repository that is elsewhere, changed, kept, built again, and gone at the end."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import time
from collections.abc import Generator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import git_server
import pytest
from git_server import GitServer, git

from handrail.changes.trees import Author, Grove, LeftOut, Tree, TreeError, open_tree, rebuild, sweep
from handrail.changes.trees.errors import (
    BadMessage,
    BadName,
    BaseBranchMissing,
    BundleBroken,
    ChangeRefused,
    ChangeTooLarge,
    DiskFull,
    NoSuchHunk,
    NothingToCommit,
    RepositoryEmpty,
    RepositoryTooLarge,
    RepositoryUnreachable,
    TreeMissing,
)
from handrail.changes.trees.groves import failure
from handrail.changes.trees.leaving_out import without
from handrail.core.sizes import MIB
from handrail.sandbox import processes
from handrail.sandbox.cloning import CloneLimits
from handrail.sandbox.repositories import RepositoryAccess

ALLOWED = RepositoryAccess(CloneLimits(seconds=30, size=20 * MIB, private_hosts=frozenset({"127.0.0.1"})))
AUTHOR = Author("Handrail", "handrail@example.org")
WHEN = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
LINES = "".join(f"line {number}\n" for number in range(1, 41))
FILES = {"cart.py": b"def total(x):\n    return sum(x)\n", "notes/list.txt": LINES.encode(), "run.sh": b"#!/bin/sh\n"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[GitServer]:
    with git_server.serving(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture
def shop(server: GitServer, request: pytest.FixtureRequest) -> str:
    return server.repository(re.sub(r"\W", "", request.node.name), dict(FILES))


@pytest.fixture
def grove(tmp_path: Path) -> Grove:
    return Grove(tmp_path / "trees", tmp_path / "mirrors", ALLOWED)


def edit(tree: Tree, path: str, text: str) -> None:
    (tree.path / path).parent.mkdir(parents=True, exist_ok=True)
    (tree.path / path).write_text(text)


async def committed(tree: Tree, message: str = "fix: round totals") -> str:
    return await tree.commit(message, AUTHOR, when=WHEN)


async def test_a_tree_is_the_newest_commit_on_a_branch_of_its_own(shop: str, grove: Grove) -> None:
    tree = await open_tree(grove, "R-77", shop)
    assert (tree.branch, tree.base_branch) == ("handrail/r-77", "main")
    assert {path.relative_to(tree.path).as_posix() for path in tree.path.rglob("*") if path.is_file()} == set(FILES)
    assert (tree.path / "cart.py").read_bytes() == FILES["cart.py"]
    assert await tree.head() == tree.base_commit
    assert stat.S_IMODE(tree.folder.stat().st_mode) == 0o700
    assert (await tree.changed(), await tree.diff(), await tree.bundle()) == ([], [], b"")


async def test_a_commit_is_what_was_given_and_always_the_same(shop: str, grove: Grove) -> None:
    made: list[str] = []
    for run in ("a", "b"):
        tree = await open_tree(grove, run, shop, "main", branch="handrail/same")
        edit(tree, "cart.py", "def total(x):\n    return round(sum(x), 2)\n")
        edit(tree, "new/deep/file.txt", "new\n")
        edit(tree, 'odd "name"\\ with\ttab é.txt', "odd\n")
        (tree.path / "notes" / "list.txt").unlink()
        (tree.path / "run.sh").chmod(0o755)
        assert len(await tree.changed()) == 5
        made.append(await committed(tree))
        assert await tree.changed() == []
    assert made[0] == made[1]
    shown = git(tree.repository, "show", "--format=%an <%ae> %aI %cn|%s|%P", "--no-patch", made[0])
    assert (
        shown.strip()
        == f"Handrail <handrail@example.org> 2026-11-16T08:00:00+00:00 Handrail|fix: round totals|{tree.base_commit}"
    )
    assert {file.path: file.status for file in await tree.diff()} == {
        "cart.py": "modified",
        "new/deep/file.txt": "added",
        'odd "name"\\ with\ttab é.txt': "added",
        "notes/list.txt": "deleted",
        "run.sh": "modified",
    }


async def test_only_the_paths_that_are_named_are_committed(shop: str, grove: Grove) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(tree, "cart.py", "total = sum\n")
    edit(tree, "stray.txt", "left by a test\n")
    edit(tree, ".gitignore", "*.gen.py\n")
    edit(tree, "api.gen.py", "made = 1\n")
    await tree.commit("refactor: shorter", AUTHOR, paths={"cart.py", "api.gen.py", "run.sh", "nowhere.py"})
    assert [file.path for file in await tree.diff()] == ["api.gen.py", "cart.py"]
    assert await tree.changed() == [".gitignore", "stray.txt"]
    with pytest.raises(NothingToCommit):
        await tree.commit("refactor: again", AUTHOR, paths={"cart.py"})


@pytest.mark.parametrize(
    "message",
    [
        "",
        "Round totals",
        "fix:round",
        "fixes: x",
        "fix: \u202ex",
        "fix: x\nno blank",
        "feat: " + "x" * 200,
        "fix: a\0b",
    ],
)
async def test_a_message_that_is_not_conventional_commits_nothing(message: str, shop: str, grove: Grove) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(tree, "cart.py", "x = 1\n")
    with pytest.raises(BadMessage):
        await committed(tree, message)
    assert await tree.head() == tree.base_commit


async def test_the_diff_is_by_file_and_hunk_with_binaries_and_renames_marked(shop: str, grove: Grove) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(tree, "notes/list.txt", LINES.replace("line 2\n", "two\n").replace("line 39\n", ""))
    (tree.path / "image.png").write_bytes(b"\x89PNG\0\xff\n")
    (tree.path / "cart.py").rename(tree.path / "basket.py")
    await committed(tree)
    basket, image, notes = await tree.diff()
    assert (basket.status, basket.old_path, basket.path, basket.hunks) == ("renamed", "cart.py", "basket.py", ())
    assert (image.status, image.is_binary, image.hunks) == ("added", True, ())
    assert (notes.added, notes.deleted, len(notes.hunks)) == (1, 2, 2)
    assert notes.text.startswith("diff --git a/notes/list.txt b/notes/list.txt\n")
    assert "-line 2\n+two\n" in notes.as_data()["diff"]
    patch = tree.folder / "p.diff"
    patch.write_text(notes.text)
    git(tree.path, "apply", "-R", "--check", str(patch))


async def test_the_same_tree_is_built_from_base_and_bundle_on_another_machine(
    shop: str, server: GitServer, grove: Grove, tmp_path: Path
) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(tree, "cart.py", "one = 1\n")
    await committed(tree, "feat: one")
    (tree.path / "run.sh").chmod(0o755)
    head = await committed(tree, "chore: two")
    bundle, hashed = await tree.bundle(), await tree.head_tree()
    # the base has moved on meanwhile, so its old commit is no branch's any more
    server.repository(shop.rpartition("/")[2], {"later.txt": b"later"})
    there = replace(tree, grove=replace(grove, folder=tmp_path / "there" / "trees", mirrors=tmp_path / "there" / "m"))
    again = await rebuild(there, bundle, head)
    assert (await again.head(), await again.head_tree()) == (head, hashed)
    assert (again.path / "cart.py").read_text() == "one = 1\n"
    assert os.access(again.path / "run.sh", os.X_OK)
    assert not (again.path / "later.txt").exists()
    for broken, wanted in ((bundle[:-30], head), (b"nonsense", head), (bundle, "0" * 40), (b"", head)):
        with pytest.raises(BundleBroken):
            await rebuild(replace(there, run="other"), broken, wanted)
    assert not there.grove.of("other").exists()


async def test_a_tree_that_is_still_here_is_used_again_as_it_was_committed(shop: str, grove: Grove) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(tree, "cart.py", "one = 1\n")
    head, bundle = await committed(tree), await tree.bundle()
    inode = tree.path.stat().st_ino
    edit(tree, "cart.py", "half an edit")
    edit(tree, "junk.pyc", "junk")
    await rebuild(tree, bundle, head)
    assert (await tree.changed(), tree.path.stat().st_ino) == ([], inode)
    assert (tree.path / "cart.py").read_text() == "one = 1\n"
    assert not (tree.path / "junk.pyc").exists()


async def test_a_git_that_was_killed_does_not_lock_the_tree_for_ever(shop: str, grove: Grove) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(tree, "cart.py", "one = 1\n")
    head, bundle = await committed(tree), await tree.bundle()
    (tree.repository / "index.lock").touch()
    (tree.repository / "refs" / "heads" / "handrail" / "r.lock").touch()
    await rebuild(tree, bundle, head)
    edit(tree, "cart.py", "two = 2\n")
    assert await committed(tree) != head


async def test_a_full_disk_is_said_and_leaves_nothing_behind(
    shop: str, grove: Grove, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = shutil.disk_usage("/")._replace(free=1)
    monkeypatch.setattr(shutil, "disk_usage", Mock(return_value=full))
    with pytest.raises(DiskFull):
        await open_tree(grove, "r", shop)
    assert list(grove.folder.iterdir()) == []
    # as git says it in the middle of its work
    said = b"error: unable to write file cart.py: No space left on device\nfatal: unable to checkout\n"
    assert isinstance(failure("checkout-index", processes.Completion(128, b"", said)), DiskFull)


KILLED = """
import asyncio, sys
from datetime import UTC, datetime
from pathlib import Path
from handrail.changes.trees import Author, Grove, open_tree
from handrail.sandbox.cloning import CloneLimits
from handrail.sandbox.repositories import RepositoryAccess

async def main():
    address, folder = sys.argv[1:]
    allowed = RepositoryAccess(CloneLimits(private_hosts=frozenset({"127.0.0.1"})))
    tree = await open_tree(Grove(Path(folder) / "trees", Path(folder) / "mirrors", allowed), "r", address)
    for number in range(10**6):
        for file in range(200):
            (tree.path / f"file{file}").write_text(f"{number}\\n" * 500)
        await tree.commit("feat: more", Author("Handrail", "handrail@example.org"))
        print(await tree.head(), (await tree.bundle()).hex(), tree.base_commit, flush=True)

asyncio.run(main())
"""


async def test_killed_in_the_middle_of_a_commit_it_is_built_again_as_it_was_kept(
    shop: str, grove: Grove, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", textwrap.dedent(KILLED), shop, str(tmp_path)]
    with subprocess.Popen(  # noqa: ASYNC220 - it is killed in a moment
        command, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        kept = [await asyncio.to_thread(process.stdout.readline) for _ in range(2)][-1]
        # it is at its next commit by now, or about to be
        process.send_signal(signal.SIGKILL)
    head, bundle, base = kept.split()
    tree = await rebuild(Tree(grove, "r", shop, "main", base, "handrail/r"), bytes.fromhex(bundle), head)
    assert (await tree.head(), await tree.changed()) == (head, [])
    assert (tree.path / "file7").read_text() == "1\n" * 500


async def test_hunks_and_files_that_a_person_left_out_are_gone_and_the_rest_is_as_it_was(
    shop: str, grove: Grove
) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(
        tree, "notes/list.txt", LINES.replace("line 2\n", "two\n").replace("line 20\n", "").removesuffix("\n") + " end"
    )
    edit(tree, "cart.py", "x = 1\r\ny = 2")
    edit(tree, "new.txt", "new\n")
    (tree.path / "run.sh").unlink()
    await committed(tree)
    files = {file.path: file for file in await tree.diff()}
    hunks = files["notes/list.txt"].hunks
    assert len(hunks) == 3
    with pytest.raises(NoSuchHunk, match="no hunk 0000"):
        await tree.drop([LeftOut("notes/list.txt", ("0000",))], "fix: less", AUTHOR)
    with pytest.raises(NoSuchHunk, match="no file"):
        await tree.drop([LeftOut("nowhere")], "fix: less", AUTHOR)
    before = await tree.head()
    await tree.drop(
        [LeftOut("notes/list.txt", (hunks[1].id,)), LeftOut("new.txt"), LeftOut("run.sh")], "fix: less", AUTHOR
    )
    expected = LINES.replace("line 2\n", "two\n").removesuffix("\n") + " end"
    assert (tree.path / "notes" / "list.txt").read_text() == expected
    assert (tree.path / "cart.py").read_bytes() == b"x = 1\r\ny = 2"
    assert not (tree.path / "new.txt").exists()
    assert (tree.path / "run.sh").exists()
    assert {file.path for file in await tree.diff()} == {"notes/list.txt", "cart.py"}
    assert await tree.head() != before
    with pytest.raises(NothingToCommit):
        await tree.drop([LeftOut("notes/list.txt"), LeftOut("cart.py")], "fix: nothing", AUTHOR)


async def test_every_choice_of_hunks_is_what_git_would_make_of_it(shop: str, grove: Grove, tmp_path: Path) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(
        tree,
        "notes/list.txt",
        "first\n" + LINES.replace("line 9\n", "").replace("line 30\n", "30\nand more\n") + "last",
    )
    await committed(tree)
    (file,) = await tree.diff()
    assert len(file.hunks) == 4
    oracle = tmp_path / "oracle" / "notes" / "list.txt"
    oracle.parent.mkdir(parents=True)
    for choice in range(1, 15):
        out = frozenset(hunk.id for bit, hunk in enumerate(file.hunks) if choice >> bit & 1)
        oracle.write_text(LINES)
        (tmp_path / "p.diff").write_text(file.header + "".join(h.text for h in file.hunks if h.id not in out))
        git(tmp_path / "oracle", "apply", "--recount", str(tmp_path / "p.diff"))
        assert without(LINES.encode(), file.hunks, out) == oracle.read_bytes()


async def test_a_base_that_moved_is_seen_and_the_change_goes_on_top_of_it(
    shop: str, server: GitServer, grove: Grove
) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(tree, "notes/list.txt", LINES.replace("line 2\n", "two\n"))
    await committed(tree, "fix: two")
    edit(tree, "cart.py", "x = 1\n")
    await committed(tree, "feat: x")
    assert (await tree.drift()).kind == "same"
    name = shop.rpartition("/")[2]
    server.repository(name, {"notes/list.txt": LINES.replace("line 39\n", "39\n").encode(), "later.txt": b"later\n"})
    drift = await tree.drift()
    assert drift.kind == "moved"
    assert drift.commit is not None
    moved = await tree.rebase(drift.commit)
    assert isinstance(moved, Tree)
    assert (moved.base_commit, moved.branch) == (drift.commit, tree.branch)
    assert (moved.path / "notes" / "list.txt").read_text() == LINES.replace("line 2\n", "two\n").replace(
        "line 39", "39"
    )
    assert (moved.path / "later.txt").exists()
    assert {file.path for file in await moved.diff()} == {"notes/list.txt", "cart.py"}
    shown = git(moved.repository, "log", "--format=%s %an %at", f"{moved.base_commit}..{await moved.head()}")
    assert shown.splitlines() == [
        f"feat: x Handrail {WHEN.timestamp():.0f}",
        f"fix: two Handrail {WHEN.timestamp():.0f}",
    ]
    # the bundle of the moved branch stands upon its new base
    again = await rebuild(replace(moved, run="again"), await moved.bundle(), await moved.head())
    assert await again.head_tree() == await moved.head_tree()


async def test_conflicts_are_named_by_file_and_nothing_is_changed(shop: str, server: GitServer, grove: Grove) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(tree, "cart.py", "mine = 1\n")
    edit(tree, "run.sh", "echo mine\n")
    head = await committed(tree)
    name = shop.rpartition("/")[2]
    (server.folder / name / "run.sh").unlink()
    server.repository(name, {"cart.py": b"theirs = 2\n"})
    drift = await tree.drift()
    assert drift.commit is not None
    conflicts = await tree.rebase(drift.commit)
    assert isinstance(conflicts, list)
    assert [(each.path, each.reason) for each in conflicts] == [("cart.py", "contents"), ("run.sh", "modify/delete")]
    assert (await tree.head(), await tree.changed()) == (head, [])
    assert (tree.path / "cart.py").read_text() == "mine = 1\n"


async def test_a_base_branch_that_was_deleted_is_seen(shop: str, server: GitServer, grove: Grove) -> None:
    name = shop.rpartition("/")[2]
    server.repository(name, {"x": b"x"}, branch="release/1.x")
    tree = await open_tree(grove, "r", shop, "release/1.x")
    git(server.folder / name, "checkout", "--quiet", "main")
    git(server.folder / name, "branch", "--quiet", "-D", "release/1.x")
    assert (await tree.drift()).kind == "deleted"


async def test_two_runs_on_one_repository_do_not_disturb_each_other(shop: str, grove: Grove) -> None:
    trees = await asyncio.gather(*(open_tree(grove, f"r{number}", shop) for number in range(4)))

    async def work(number: int, tree: Tree) -> str:
        for step in range(3):
            edit(tree, "cart.py", f"x = {number} + {step}\n")
            await committed(tree, f"feat: step {step}")
        await tree.restore()
        return (tree.path / "cart.py").read_text()

    texts = await asyncio.gather(*(work(number, tree) for number, tree in enumerate(trees)))
    assert texts == [f"x = {number} + 2\n" for number in range(4)]
    await trees[0].close()
    assert (await trees[1].head(), trees[1].path.exists()) != (trees[1].base_commit, False)


async def test_the_base_lies_beside_the_tree_for_comparing(shop: str, grove: Grove) -> None:
    tree = await open_tree(grove, "r", shop)
    edit(tree, "cart.py", "x = 1\n")
    await committed(tree)
    base = await tree.base_checkout()
    assert (base / "cart.py").read_bytes() == FILES["cart.py"]
    (base / "left-over").touch()
    (base / "run.sh").write_text("changed")
    before = (base / "cart.py").stat().st_ino
    assert not ((await tree.base_checkout()) / "left-over").exists()
    assert (base / "run.sh").read_bytes() == FILES["run.sh"]
    assert (base / "cart.py").stat().st_ino == before, "what is as it was is not written again"
    assert (await tree.checkout(await tree.head(), "base") / "cart.py").read_text() == "x = 1\n"
    assert await tree.changed() == []


async def test_it_is_gone_at_the_end_and_the_mirror_stays(shop: str, grove: Grove) -> None:
    tree = await open_tree(grove, "r", shop)
    (tree.path / "closed").mkdir(mode=0o000)
    await tree.close()
    assert list(grove.folder.iterdir()) == []
    assert any(path.is_dir() for path in grove.mirrors.iterdir())
    with pytest.raises(TreeMissing):
        await tree.head()
    await tree.close()


async def test_what_dead_runs_left_is_swept_away_and_young_ones_are_not(shop: str, grove: Grove) -> None:
    alive, dead = await open_tree(grove, "alive", shop), await open_tree(grove, "dead", shop)
    half = grove.folder / ".new-0123"
    half.mkdir()
    assert await sweep(grove, {"alive"}) == []
    for folder in (alive.folder, dead.folder, half):
        os.utime(folder, (0, 0))
    assert await sweep(grove, {"alive"}) == ["dead"]
    assert [path.name for path in grove.folder.iterdir()] == ["alive"]


async def test_a_checkout_of_a_developer_is_read_and_never_touched(tmp_path: Path, grove: Grove) -> None:
    checkout = tmp_path / "home" / "shop"
    checkout.mkdir(parents=True)
    git(checkout, "init", "--quiet", "--initial-branch", "main")
    (checkout / "a.py").write_text("one\n")
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "-m", "first")
    (checkout / "a.py").write_text("not committed\n")
    mine = replace(grove, allowed=replace(ALLOWED, roots=(tmp_path / "home",)))
    before = snapshot(checkout)
    tree = await open_tree(mine, "r", str(checkout))
    assert (tree.path / "a.py").read_text() == "one\n"
    edit(tree, "a.py", "two\n")
    head, bundle = await committed(tree), await tree.bundle()
    assert (await tree.drift()).kind == "same"
    assert await (await rebuild(replace(tree, run="again"), bundle, head)).head() == head
    file, command = await tree.offer(tmp_path)
    assert snapshot(checkout) == before
    assert command == f"git fetch {file} handrail/r:handrail/r"
    git(checkout, *command.split()[1:])
    assert git(checkout, "show", "handrail/r:a.py") == "two\n"
    assert (checkout / "a.py").read_text() == "not committed\n"


def snapshot(folder: Path) -> dict[str, tuple[float, int]]:
    return {str(path): (path.lstat().st_mtime, path.lstat().st_size) for path in [folder, *folder.rglob("*")]}


async def test_repositories_that_cannot_be_used_say_why_with_a_code(
    server: GitServer, grove: Grove, tmp_path: Path
) -> None:
    url = server.repository("plain", {"a": b"a"})
    empty = server.folder / "empty"
    empty.mkdir()
    git(empty, "init", "--quiet", "--initial-branch", "main")
    wrong = replace(grove, most_files=1)
    server.repository("many", {"a": b"a", "b": b"b"})
    server.repository("large", {"a": os.urandom(MIB)})
    server.repository("bomb", {"a": bytes(3 * MIB)})
    small = replace(grove, allowed=replace(ALLOWED, limits=replace(ALLOWED.limits, size=MIB // 2)))
    cases: list[tuple[Grove, str, str | None, type[TreeError], str]] = [
        (grove, f"{server.url}/nowhere", None, RepositoryUnreachable, "nowhere does not exist"),
        (grove, "http://127.0.0.1:1/x", None, RepositoryUnreachable, "x cannot be read"),
        (grove, "https://192.168.0.1/x", None, RepositoryUnreachable, "private network"),
        (grove, "/etc", None, RepositoryUnreachable, "no such folder"),
        (grove, f"{server.url}/empty", None, RepositoryEmpty, "no commits yet"),
        (grove, f"{server.url}/empty", "main", RepositoryEmpty, "no commits yet"),
        (grove, url, "no-such-branch", BaseBranchMissing, "no branch 'no-such-branch'"),
        (grove, url, "--upload-pack=id", BadName, "not the name of a branch"),
        (grove, url, "a..b", BadName, "not the name of a branch"),
        (wrong, f"{server.url}/many", None, RepositoryTooLarge, "2 files; at most 1"),
        (small, f"{server.url}/large", None, RepositoryTooLarge, "HANDRAIL_GIT_MEGABYTES"),
        (small, f"{server.url}/bomb", None, RepositoryTooLarge, "take 3 MiB"),
    ]
    for place, address, branch, kind, words in cases:
        with pytest.raises(kind, match=words) as refused:
            await open_tree(place, "r", address, branch)
        assert refused.value.code == kind.code
    assert list(grove.folder.iterdir()) == [], "nothing is left of what was not made"
    for run in ("", "../x", "a/b", ".hidden", "x" * 65):
        with pytest.raises(BadName):
            await open_tree(grove, run, url)


async def test_cancelled_while_it_fetches_it_leaves_nothing_behind(shop: str, server: GitServer, grove: Grove) -> None:
    server.requests.clear()
    server.silent.set()
    task = asyncio.create_task(open_tree(grove, "r", shop))
    async with asyncio.timeout(60):
        while not server.requests:  # noqa: ASYNC110 - the server's thread says it
            await asyncio.sleep(0.01)
    began = time.monotonic()
    task.cancel()
    await asyncio.wait({task})
    # the fetch itself would take the 300 s that it may; how soon it is, the benchmark of changes says
    assert (task.cancelled(), time.monotonic() - began < 30) == (True, True)
    assert list(grove.folder.iterdir()) == []
    server.silent.clear()
    assert (await open_tree(grove, "r", shop)).path.exists()


async def test_a_change_that_is_too_large_or_no_file_is_refused(shop: str, grove: Grove) -> None:
    tree = await open_tree(replace(grove, largest_change=1000), "r", shop)
    edit(tree, "big.txt", "x" * 1001)
    with pytest.raises(ChangeTooLarge, match=r"big\.txt"):
        await committed(tree)
    (tree.path / "big.txt").unlink()
    (tree.path / "link").symlink_to("/etc/passwd")
    with pytest.raises(ChangeRefused, match="link that leads out"):
        await committed(tree)
    assert await tree.head() == tree.base_commit
