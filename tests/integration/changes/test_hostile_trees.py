"""Repositories that mean harm, and commands that do harm to a tree: nothing of theirs runs, and nothing leads out."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import git_server
import pytest
from git_server import GitServer, git

from handrail.changes.trees import Author, Grove, Tree, open_tree
from handrail.changes.trees.errors import ChangeRefused, RepositoryUnreachable, RepositoryUnsafe
from handrail.changes.trees.laying import stays_inside
from handrail.sandbox import Bind, Limits, Place, choose
from handrail.sandbox.cloning import CloneLimits
from handrail.sandbox.repositories import RepositoryAccess

ALLOWED = RepositoryAccess(CloneLimits(seconds=30, private_hosts=frozenset({"127.0.0.1"})))
AUTHOR = Author("Handrail", "handrail@example.org")
# bytes that git would write otherwise, if the repository's own attributes had a say
ATTRIBUTES = b"""*.bat text eol=crlf
*.id ident
*.u16 working-tree-encoding=UTF-16
*.mine filter=mine diff=mine merge=mine
*.lfs filter=lfs diff=lfs merge=lfs -text
[attr]mine filter=mine
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[GitServer]:
    with git_server.serving(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture
def grove(tmp_path: Path) -> Grove:
    return Grove(tmp_path / "trees", tmp_path / "mirrors", ALLOWED)


async def worked_on(tree: Tree, script: str) -> None:
    """By a command in the sandbox, as the repository's tests would be."""
    place = Place((Bind(tree.path, "/workspace", writable=True),))
    result = await choose().run_in(place, ["sh", "-c", script], Limits(seconds=20))
    assert result.exit_code == 0, result


def objects(folder: Path, entries: dict[str, tuple[str, bytes]]) -> str:
    """A commit with entries that git itself would not add: its tree is written by hand."""
    tree = b""
    for name, (mode, content) in sorted(entries.items()):
        made = written(folder, "tree" if mode == "40000" else "blob", content)
        tree += f"{mode} {name}".encode() + b"\0" + bytes.fromhex(made)
    made = written(folder, "tree", tree)
    return git(folder, "commit-tree", "-m", "change", made).strip()


def written(folder: Path, kind: str, content: bytes) -> str:
    command = ["git", "hash-object", "-t", kind, "-w", "--stdin", "--literally"]
    return subprocess.run(command, input=content, cwd=folder, capture_output=True, check=True).stdout.decode().strip()


async def test_hooks_filters_drivers_and_submodules_do_nothing(server: GitServer, grove: Grove, tmp_path: Path) -> None:
    files: dict[str, bytes | Path] = {
        ".gitmodules": b'[submodule "x"]\n\tpath = module\n\turl = /etc\n',
        ".gitconfig": b"[core]\n\tfsmonitor = touch owned\n\thooksPath = hooks\n",
        ".lfsconfig": b"[lfs]\n\turl = http://127.0.0.1:1/\n",
        "hooks/post-checkout": b"#!/bin/sh\ntouch owned\n",
        "a.bat": b"one\ntwo\n",
        "a.id": b"$Id$\n",
        "a.u16": b"plain\n",
        "a.mine": b"mine\n",
        "a.lfs": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    }
    url = server.repository("drivers", files)
    # past the index: git would follow the attributes when it adds files
    attributes = written(server.folder / "drivers", "blob", ATTRIBUTES)
    for entry in (f"160000,{'1' * 40},module", f"100644,{attributes},.gitattributes"):
        git(server.folder / "drivers", "update-index", "--add", "--cacheinfo", entry)
    git(server.folder / "drivers", "commit", "--quiet", "-m", "a submodule")
    tree = await open_tree(grove, "r", url)
    for name, content in {**files, ".gitattributes": ATTRIBUTES}.items():
        assert (tree.path / name).read_bytes() == content, f"{name} is not what git has"
    assert list((tree.path / "module").iterdir()) == []
    (tree.path / "a.bat").write_bytes(b"three\r\n")
    (tree.path / "a.mine").write_bytes(b"changed\n")
    await tree.commit("fix: it", AUTHOR)
    assert await tree.read("a.bat") == b"three\r\n"
    await tree.restore()
    assert list(tmp_path.rglob("owned")) == []  # noqa: ASYNC240 - a handful of files
    assert git(tree.repository, "ls-tree", await tree.head(), "module").startswith("160000 commit 1111")


@pytest.mark.parametrize("name", [".git", ".GIT", ".giT", "git~1", ".git ", ".git\u200c", ".."])
async def test_a_tree_with_git_s_own_folder_in_any_spelling_is_refused(
    name: str, server: GitServer, grove: Grove
) -> None:
    folder = server.folder / f"spelled{abs(hash(name))}"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    blob = written(folder, "blob", b"[core]\n\tfsmonitor = touch owned\n")
    inner = b"100644 config\0" + bytes.fromhex(blob)
    commit = objects(folder, {name: ("40000", inner), "a.py": ("100644", b"x\n")})
    git(folder, "update-ref", "refs/heads/main", commit)
    with pytest.raises((RepositoryUnsafe, RepositoryUnreachable)):
        await open_tree(grove, "r", f"{server.url}/{folder.name}")
    assert list(grove.folder.iterdir()) == []


async def test_a_submodule_that_brings_a_command_is_refused(server: GitServer, grove: Grove) -> None:
    modules = b'[submodule "x"]\n\tpath = x\n\turl = https://example.org/x\n\tupdate = !touch owned\n'
    with pytest.raises(RepositoryUnsafe, match="gitmodulesUpdate"):
        await open_tree(grove, "r", server.repository("commanding", {".gitmodules": modules}))


async def test_links_are_real_where_they_stay_inside_and_text_where_they_lead_out(
    server: GitServer, grove: Grove, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("sesame")
    inside = {"docs/readme": Path("../readme.md"), "here": Path("docs"), "docs/deep/top": Path("../..")}
    outside = {
        "passwd": Path("/etc/passwd"),
        "docs/up": Path("../../../secret"),
        "docs/deep/bend": Path("top/../../secret"),
        "absolute": Path("/"),
    }
    url = server.repository("links", {"readme.md": b"hello\n", "docs/deep/x": b"x", **inside, **outside})
    tree = await open_tree(grove, "r", url)
    assert {path: (tree.path / path).readlink() for path in inside} == inside
    assert (tree.path / "docs" / "readme").read_text() == "hello\n"
    assert {path: (tree.path / path).is_symlink() for path in outside} == dict.fromkeys(outside, False)
    assert (tree.path / "passwd").read_text() == "/etc/passwd"
    assert await tree.changed() == []
    (tree.path / "new").symlink_to("readme.md")
    await tree.commit("feat: a link", AUTHOR)
    listed = git(tree.repository, "ls-tree", "-r", await tree.head())
    assert listed.count("120000 blob") == len(inside) + len(outside) + 1
    (tree.path / "here").unlink()
    (tree.path / "here").symlink_to("/etc")
    await tree.restore()
    assert (tree.path / "here").readlink() == Path("docs")


@pytest.mark.parametrize(
    ("path", "target", "stays"),
    [
        ("a", "b", True),
        ("a/b", "../c", True),
        ("a/b", "../../c", False),
        ("a", "..", False),
        ("a/b", "x/../y", False),
        ("a", "/a", False),
        ("a", "", False),
        ("a", "./b//c", True),
    ],
)
def test_which_links_stay_inside(path: str, target: str, stays: bool) -> None:
    assert stays_inside(path, target) == stays


async def test_what_ran_over_a_tree_cannot_get_at_git_nor_out_of_it(
    server: GitServer, grove: Grove, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("sesame")
    url = server.repository("worked", {"src/app.py": b"x = 1\n", "test.sh": b"exit 0\n", ".gitignore": b"cache/\n"})
    tree = await open_tree(grove, "r", url)
    await worked_on(
        tree,
        f"""
        [ ! -e .git ] || exit 1
        mkdir .git evil evil/.git && printf '[core]\\n\\tfsmonitor = touch {tmp_path}/owned\\n' > .git/config
        cp .git/config evil/.git/config; echo 'ref: refs/heads/main' > evil/.git/HEAD
        mkdir evil/.git/objects evil/.git/refs
        rm -r src && ln -s {tmp_path} src
        echo '* filter=evil' > .gitattributes
        mkdir cache; echo junk > cache/file; mkfifo pipe; echo x > 'new
line'
        """,
    )
    assert "src/app.py" in await tree.changed()
    with pytest.raises(ChangeRefused, match="src"):
        await tree.commit("fix: harm", AUTHOR)
    assert await tree.head() == tree.base_commit
    await tree.restore()
    assert (tree.path / "src" / "app.py").read_text() == "x = 1\n"
    assert not (tree.path / "src").is_symlink()
    assert {path.name for path in tree.path.iterdir()} == {"src", "test.sh", ".gitignore"}
    assert (secret.read_text(), (tmp_path / "owned").exists()) == ("sesame", False)


async def test_a_path_of_git_s_own_cannot_be_committed(server: GitServer, grove: Grove) -> None:
    tree = await open_tree(grove, "r", server.repository("own", {"a": b"a"}))
    (tree.path / "GIT~1").write_text("x")
    with pytest.raises(ChangeRefused, match="GIT~1"):
        await tree.commit("fix: harm", AUTHOR)
    assert await tree.head() == tree.base_commit


async def test_a_mess_that_git_cannot_clear_away_is_cleared_away(server: GitServer, grove: Grove) -> None:
    tree = await open_tree(grove, "r", server.repository("mess", {"a": b"a"}))
    deep = "import os\nfor n in range(150):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)"
    await worked_on(tree, f'mkdir closed && touch closed/x && chmod 000 closed; rm a; python3 -c "{deep}"')
    await tree.restore()
    assert [path.name for path in tree.path.iterdir()] == ["a"]
    await worked_on(tree, "touch it-can-still-be-worked-on")
    assert await tree.changed() == ["it-can-still-be-worked-on"], "a file's owner is not part of it"
    await tree.close()
    assert list(grove.folder.iterdir()) == []


async def test_a_folder_that_borrows_from_elsewhere_is_not_read(tmp_path: Path, grove: Grove) -> None:
    private, root = tmp_path / "private", tmp_path / "root"
    private.mkdir()
    git(private, "init", "--quiet", "--initial-branch", "main")
    (private / "secret").write_text("sesame")
    git(private, "add", "--all")
    git(private, "commit", "--quiet", "-m", "secret")
    mine = replace(grove, allowed=replace(ALLOWED, roots=(root,)))
    for name in ("link", "file", "alternates"):
        (root / name).mkdir(parents=True)
    (root / "link" / ".git").symlink_to(private / ".git")
    (root / "file" / ".git").write_text(f"gitdir: {private / '.git'}\n")
    git(root / "alternates", "init", "--quiet", "--initial-branch", "main")
    (root / "alternates" / ".git" / "objects" / "info" / "alternates").write_text(f"{private}/.git/objects\n")
    (root / "alternates" / ".git" / "refs" / "heads" / "main").write_text(git(private, "rev-parse", "HEAD"))
    for name in ("link", "file", "alternates"):
        with pytest.raises((RepositoryUnsafe, RepositoryUnreachable)):
            await open_tree(mine, "r", str(root / name))


async def test_a_folder_s_own_settings_and_hooks_run_nothing(tmp_path: Path, grove: Grove) -> None:
    root = tmp_path / "root"
    folder = root / "shop"
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    (folder / "a").write_text("a")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "first")
    owned = tmp_path / "owned"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\ntouch {owned}\nexec "$@"\n')
    program.chmod(0o755)
    for name in ("post-upload-pack", "pre-upload", "reference-transaction", "post-checkout", "pre-auto-gc"):
        (folder / ".git" / "hooks").mkdir(exist_ok=True)
        (folder / ".git" / "hooks" / name).symlink_to(program)
    for key in (
        "core.fsmonitor",
        "uploadpack.packObjectsHook",
        "core.sshCommand",
        "core.pager",
        "core.alternateRefsCommand",
    ):
        git(folder, "config", key, str(program))
    mine = replace(grove, allowed=replace(ALLOWED, roots=(root,)))
    tree = await open_tree(mine, "r", str(folder))
    (tree.path / "a").write_text("b")
    await tree.commit("fix: it", AUTHOR)
    await tree.drift()
    assert not owned.exists()


@pytest.mark.soak
@pytest.mark.timeout(1200)
async def test_a_hundred_thousand_files_are_fine(server: GitServer, tmp_path: Path) -> None:
    folder = server.folder / "huge"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    lines = [b"commit refs/heads/main\ncommitter T <t@example.org> 0 +0000\ndata 1\nx\n"]
    for number in range(100_000):
        body = f"file {number}\n".encode()
        lines.append(b"M 644 inline d%d/f%d\ndata %d\n%s\n" % (number % 500, number, len(body), body))
    command = ["git", "fast-import", "--quiet"]
    await asyncio.to_thread(subprocess.run, command, input=b"".join(lines), cwd=folder, check=True)
    grove = Grove(
        tmp_path / "trees", tmp_path / "mirrors", replace(ALLOWED, limits=replace(ALLOWED.limits, seconds=300))
    )
    tree = await open_tree(grove, "r", f"{server.url}/huge")
    (tree.path / "d7" / "f7").write_text("changed\n")
    await worked_on(tree, "echo new > new")
    assert await tree.changed() == ["d7/f7", "new"]
    await tree.commit("fix: one of many", AUTHOR)
    await tree.restore()
    assert len(list(tree.path.iterdir())) == 501
    await tree.close()
