"""Cloning what is not trusted, from a real git server on loopback."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import git_server
import pytest
from git_server import GitServer

from handrail.core.errors import CloneRefused, InvalidField
from handrail.sandbox.cloning import CloneLimits, Link, clone, parse

LOCAL = CloneLimits(seconds=20, private_hosts=frozenset({"127.0.0.1"}))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[GitServer]:
    with git_server.serving(tmp_path_factory.mktemp("repositories")) as server:
        yield server


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://github.com/o/r", Link("https://github.com/o/r")),
        ("https://github.com/o/r.git/", Link("https://github.com/o/r.git")),
        ("https://github.com/o/r/tree/main/skills/pdf", Link("https://github.com/o/r", "main/skills/pdf")),
        ("https://github.com/o/r/blob/v1/a/SKILL.md", Link("https://github.com/o/r", "v1/a/SKILL.md", is_file=True)),
        ("https://gitlab.com/a/b/c/-/tree/main/x%20y", Link("https://gitlab.com/a/b/c", "main/x y")),
    ],
)
def test_addresses_and_deep_links_are_understood(address: str, link: Link) -> None:
    assert parse(address) == link


@pytest.mark.parametrize(
    "address",
    [
        "git@github.com:o/r.git",
        "ssh://git@example.org/r",
        "file:///etc",
        "ext::sh -c id",
        "/etc",
        "--upload-pack=touch x",
        "https://user:word@example.org/r",
        "https://example.org/r?x=1",
        "https://example.org/r\nx",
    ],
)
def test_other_ways_in_are_refused(address: str) -> None:
    with pytest.raises(InvalidField):
        parse(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/o/r",
        "https://localhost/o/r",
        "https://[::1]/o/r",
        "https://169.254.169.254/o/r",
        "https://10.0.0.7/o/r",
        "https://[::ffff:10.0.0.7]/o/r",
        "http://192.0.2.1/o/r",
        "https://0/o/r",
    ],
)
async def test_private_networks_are_closed(address: str, tmp_path: Path) -> None:
    with pytest.raises(CloneRefused, match=r"an address of a private network|must be reached over https"):
        await clone(address, tmp_path, CloneLimits())


async def test_a_branch_with_slashes_and_a_folder_of_it(server: GitServer, tmp_path: Path) -> None:
    url = server.repository("o/deep", {"a.txt": b"1"})
    server.repository("o/deep", {"x/y/SKILL.md": b"here"}, branch="feature/one")
    cloned = await clone(f"{url}/blob/feature/one/x/y/SKILL.md", tmp_path, LOCAL)
    assert (cloned.url, cloned.ref, cloned.path) == (url, "feature/one", "x/y")
    assert (tmp_path / "x/y/SKILL.md").read_bytes() == b"here"
    assert cloned.commit == git_server.git(server.folder / "o/deep", "rev-parse", "feature/one").strip()


async def test_a_commit_can_be_meant(server: GitServer, tmp_path: Path) -> None:
    url = server.repository("o/commits", {"a.txt": b"old"})
    commit = git_server.git(server.folder / "o/commits", "rev-parse", "HEAD").strip()
    server.repository("o/commits", {"a.txt": b"new"})
    assert (await clone(f"{url}/tree/{commit}", tmp_path, LOCAL)).commit == commit
    assert (tmp_path / "a.txt").read_bytes() == b"old"


async def test_nothing_of_it_runs_and_links_are_only_text(
    server: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S2.14: Hooks of a template, filters of attributes, submodules: each would leave a file."""
    mark, home = tmp_path / "ran", tmp_path / "home"
    (home / "template/hooks").mkdir(parents=True)
    hook = home / "template/hooks/post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    (home / ".gitconfig").write_text(
        f'[init]\n\ttemplateDir = {home}/template\n[filter "evil"]\n\tsmudge = touch {mark}; cat\n'
        f"[core]\n\tfsmonitor = touch {mark}\n"
    )
    files: dict[str, bytes | Path] = {
        ".gitattributes": b"* filter=evil\n*.bin filter=lfs\n",
        ".gitmodules": f'[submodule "s"]\n\tpath = s\n\turl = {server.url}/o/other\n'.encode(),
        "a.txt": b"plain",
        "link": Path("/etc/passwd"),
    }
    url = server.repository("o/hostile", files)
    into = tmp_path / "into"
    into.mkdir()
    monkeypatch.setenv("HOME", str(home))
    server.requests.clear()
    await clone(url, into, LOCAL)
    assert not mark.exists()
    assert (into / "link").read_text() == "/etc/passwd"
    assert not (into / "link").is_symlink()
    assert {request.split("/")[2] for request in server.requests} == {"hostile"}


async def test_what_is_too_large_is_left(server: GitServer, tmp_path: Path) -> None:
    """One that is small when packed, and one that is not."""
    zeros = server.repository("o/zeros", {"zeros": bytes(3 * 1024 * 1024)})
    limits = CloneLimits(20, 2 * 1024 * 1024, LOCAL.private_hosts)
    with pytest.raises(CloneRefused, match="larger than 2 MiB"):
        await clone(zeros, tmp_path, limits)
    assert not (tmp_path / "zeros").exists()
    noise = server.repository("o/noise", {f"noise{n}": os.urandom(999_999) for n in range(4)})
    (tmp_path / "second").mkdir()
    with pytest.raises(CloneRefused, match="larger than 2 MiB"):
        await clone(noise, tmp_path / "second", limits)


async def test_a_server_that_does_not_answer_is_left(server: GitServer, tmp_path: Path) -> None:
    url = server.repository("o/slow", {"a": b"1"})
    server.silent.set()
    try:
        with pytest.raises(CloneRefused, match=r"not cloned within 0\.5 seconds"):
            await clone(url, tmp_path, CloneLimits(0.5, private_hosts=LOCAL.private_hosts))
    finally:
        server.silent.clear()


async def test_what_is_not_there_is_said(server: GitServer, tmp_path: Path) -> None:
    with pytest.raises(CloneRefused, match="not found"):
        await clone(f"{server.url}/o/none", tmp_path, LOCAL)
    url = server.repository("o/one", {"a": b"1"})
    with pytest.raises(CloneRefused, match="no branch or tag 'nowhere'"):
        await clone(f"{url}/tree/nowhere/x", tmp_path, LOCAL)
