"""Repositories by address: what is refused, and that a mirror is kept, used again and never run."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import git_server
import pytest

from handrail.core.errors import CloneRefused, InvalidField
from handrail.core.sizes import MIB
from handrail.sandbox import repositories
from handrail.sandbox.cloning import CloneLimits
from handrail.sandbox.repositories import RepositoryAccess

STRICT = RepositoryAccess(CloneLimits(seconds=10))
LOOPBACK = RepositoryAccess(CloneLimits(seconds=20, size=MIB, private_hosts=frozenset({"127.0.0.1"})))

# of form, whatever the settings allow
MALFORMED = [
    "",
    "-oProxyCommand=id",
    "--upload-pack=id",
    "ext::sh -c id",
    "ext::id",
    "file:///etc",
    "git://example.org/x",
    "http://example.org/x",
    "ftp://example.org/x",
    "HTTPS//example.org",
    "https://",
    "https:///x",
    "https://user@example.org/x",
    "https://user:secret@example.org/x",
    "https://example.org/x?service=git",
    "https://example.org/x#main",
    "https://example.org/a b",
    "https://example.org/a\nb",
    "https://example.org/\x00",
    "https://example.org/a/b/tree/main/c",
    "https://example.org/" + "x" * 2000,
    "https://example.org:99999/x",
    "https://[::1/x",
    "https://exa\u2100mple.org/x",
    "ssh://-oProxyCommand=id/x",
    "ssh://git@-oProxyCommand=id/x",
    "ssh://git@example.org/-x",
    "ssh://git@example.org/$(id)",
    "ssh://git@example.org/x;id",
    "git@example.org:`id`",
    "git@-oProxyCommand=id:x",
    "-l@example.org:x",
    "../x",
    "C:\\x",
]
# well formed, and not to be reached
REFUSED = [
    "https://127.0.0.1/x",
    "https://localhost/x",
    "https://127.1/x",
    "https://2130706433/x",
    "https://0x7f000001/x",
    "https://0.0.0.0/x",
    "https://[::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://10.0.0.1/x",
    "https://172.16.0.1/x",
    "https://192.168.1.1/x",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/x",
    "https://[fd00::1]/x",
    "https://[fe80::1]/x",
    "https://224.0.0.1/x",
    "ssh://git@example.org/x",
    "/etc",
    "/etc/passwd",
    "/nowhere/at/all",
]


@pytest.mark.parametrize("address", MALFORMED, ids=range(len(MALFORMED)))
async def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(InvalidField):
        await repositories.check(address, replace(STRICT, ssh_key=Path("key"), known_hosts=Path("known")))


@pytest.mark.parametrize("address", REFUSED, ids=range(len(REFUSED)))
async def test_an_address_that_may_not_be_read(address: str) -> None:
    with pytest.raises(CloneRefused):
        await repositories.check(address, STRICT)


async def test_folders_only_under_the_roots_and_never_by_a_link(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "mine").mkdir(parents=True)
    outside.mkdir()
    (root / "link").symlink_to(outside)
    allowed = replace(STRICT, roots=(root,))
    async with repositories.laid_out(str(root / "mine"), None, allowed, tmp_path / "mirrors") as folder:
        assert folder == root / "mine"
    for address in (str(outside), str(root / "link"), f"{root}/mine/../../outside", f"{root}-other", "/"):
        with pytest.raises(CloneRefused, match="no such folder"):
            await repositories.check(address, allowed)


@pytest.fixture
def server(tmp_path: Path) -> Generator[git_server.GitServer]:
    with git_server.serving(tmp_path / "served") as server:
        yield server


async def test_a_mirror_is_kept_and_brought_up_to_date(server: git_server.GitServer, tmp_path: Path) -> None:
    url = server.repository("shop", {"a.py": b"one", "link": Path("/etc/passwd"), ".gitmodules": b"[submodule]"})
    mirrors = tmp_path / "mirrors"
    first = await repositories.fetch(url, LOOPBACK, mirrors)
    server.repository("shop", {"a.py": b"two"})
    second = await repositories.fetch(url, LOOPBACK, mirrors)
    assert first != second
    assert len([path for path in mirrors.iterdir() if path.is_dir()]) == 1
    server.requests.clear()
    async with repositories.laid_out(url, second, LOOPBACK, mirrors) as folder:
        assert (folder.name, (folder / "a.py").read_text()) == ("shop", "two")
        assert not (folder / "link").is_symlink()
        assert not (folder / ".git").exists()
        async with repositories.laid_out(url, first, LOOPBACK, mirrors) as earlier:
            assert (earlier / "a.py").read_text() == "one"
    assert server.requests == [], "what the mirror has is not fetched again"
    assert not folder.exists()


async def test_what_a_lost_mirror_had_is_fetched_again(server: git_server.GitServer, tmp_path: Path) -> None:
    url = server.repository("shop", {"a.py": b"one"})
    commit = await repositories.fetch(url, LOOPBACK, tmp_path / "here")
    async with repositories.laid_out(url, commit, LOOPBACK, tmp_path / "elsewhere") as folder:
        assert (folder / "a.py").read_text() == "one"


async def test_limits_of_time_and_size(server: git_server.GitServer, tmp_path: Path) -> None:
    large = server.repository("large", {"a.txt": os.urandom(2 * MIB)})
    with pytest.raises(CloneRefused, match="larger than 1 MiB"):
        await repositories.fetch(large, LOOPBACK, tmp_path)
    server.silent.set()
    hasty = replace(LOOPBACK, limits=replace(LOOPBACK.limits, seconds=0.5))
    with pytest.raises(CloneRefused, match=r"within 0\.5 seconds"):
        await repositories.fetch(large, hasty, tmp_path)


async def test_ssh_asks_nobody_and_goes_where_was_looked(
    server: git_server.GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a program in the place of ssh, which notes how it is called and serves the repository itself."""
    server.repository("shop", {"a.py": b"one"})
    programs, called = tmp_path / "bin", tmp_path / "called"
    programs.mkdir()
    fake = programs / "ssh"
    fake.write_text(
        f'#!/bin/sh\necho "$@" > {called}\nexec git -c safe.directory="*" upload-pack {server.folder}/shop\n'
    )
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    allowed = replace(LOOPBACK, ssh_key=tmp_path / "key", known_hosts=tmp_path / "known")
    async with repositories.laid_out("git@127.0.0.1:shop", None, allowed, tmp_path / "mirrors") as folder:
        assert (folder / "a.py").read_text() == "one"
    options = called.read_text()
    for option in ("-oBatchMode=yes", "-oStrictHostKeyChecking=yes", "-oHostName=127.0.0.1", f"-i {tmp_path}/key"):
        assert option in options
