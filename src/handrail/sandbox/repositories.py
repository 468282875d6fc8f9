"""A repository by its address: kept as a mirror that is brought up to date, laid out as plain files for each use."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from handrail.core.errors import CloneRefused, InvalidField
from handrail.sandbox import cloning
from handrail.sandbox.cloning import SAFE, CloneLimits, Git
from handrail.store import private

FIELD = "repo_url"
LONGEST = 2000
HOST = r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?"
USER = r"[A-Za-z0-9_][A-Za-z0-9._-]*"
STEPS = r"[A-Za-z0-9._~+][A-Za-z0-9._~+/-]*"
SSH = re.compile(rf"ssh://(?P<user>{USER})@(?P<host>{HOST})(?::(?P<port>[0-9]{{1,5}}))?/(?P<path>{STEPS})")
# as git writes them by itself: git@example.org:team/repository.git
SHORT = re.compile(rf"(?P<user>{USER})@(?P<host>{HOST}):(?P<path>{STEPS})")
HEAD = "refs/mirror/head"


@dataclass(frozen=True, slots=True)
class RepositoryAccess:
    """What may be read: within these limits, over ssh with this key, and of this machine's folders only these."""

    limits: CloneLimits
    roots: tuple[Path, ...] = ()
    ssh_key: Path | None = None
    known_hosts: Path | None = None


@dataclass(frozen=True, slots=True)
class Remote:
    url: str
    host: str
    port: int

    @property
    def name(self) -> str:
        return self.url.rpartition("/")[2].removesuffix(".git") or self.host

    @property
    def is_ssh(self) -> bool:
        return self.url.startswith("ssh:")


def parse(address: str, allowed: RepositoryAccess) -> Remote | Path:
    """Where a repository is; refused where it is nowhere that may be read."""
    if len(address) > LONGEST or any(ord(sign) < 33 or ord(sign) == 127 for sign in address):
        raise InvalidField(
            "an address can have at most 2,000 characters, without spaces or control characters", field=FIELD
        )
    if address.startswith("/"):
        return _folder(address, allowed.roots)
    over_ssh = SSH.fullmatch(address) or SHORT.fullmatch(address)
    if over_ssh:
        return _over_ssh(over_ssh, allowed)
    if not address.startswith(("https://", "http://")):
        raise InvalidField(
            f"{address[:200]!r} is not a repository address: write https://…, ssh://git@… or git@host:path", field=FIELD
        )
    link = cloning.parse(address)
    if link.rest:
        raise InvalidField("the address points inside a repository: leave out `tree/…` or `blob/…`", field=FIELD)
    host, port = cloning.host_and_port(link.url)
    if link.url.startswith("http:") and host not in allowed.limits.private_hosts:
        raise InvalidField(f"{host!r} must be reached over https", field=FIELD)
    return Remote(link.url, host, port)


def _over_ssh(found: re.Match[str], allowed: RepositoryAccess) -> Remote:
    if allowed.ssh_key is None or allowed.known_hosts is None:
        raise CloneRefused("ssh needs HANDRAIL_GIT_SSH_KEY and HANDRAIL_GIT_KNOWN_HOSTS; or write https://…")
    given = found.groupdict()
    host, port = given["host"].lower(), int(given.get("port") or 22)
    return Remote(f"ssh://{given['user']}@{host}:{port}/{given['path']}", host, port)


def _folder(address: str, roots: tuple[Path, ...]) -> Path:
    """The same words for what is not there and for what may not be read: nobody learns what this machine has."""
    refused = CloneRefused("there is no such folder among those that HANDRAIL_REPOSITORY_ROOTS allows")
    try:
        folder = Path(address).resolve(strict=True)
        is_allowed = any(folder.is_relative_to(root.resolve()) for root in roots)
    except (OSError, RuntimeError, ValueError):
        raise refused from None
    if not is_allowed or not folder.is_dir():
        raise refused
    return folder


async def check(address: str, allowed: RepositoryAccess) -> None:
    """What can be told of an address at once: its form, and that its host does not lie in a private network."""
    found = parse(address, allowed)
    if isinstance(found, Remote):
        await cloning.resolved(found.host, found.port, allowed.limits)


async def fetch(address: str, allowed: RepositoryAccess, mirrors: Path) -> str | None:
    """Brings the mirror up to date; the newest commit. Nothing for a folder of this machine: it is read in place."""
    remote = parse(address, allowed)
    if isinstance(remote, Path):
        return None
    async with mirror(remote, allowed, mirrors) as git:
        return await _fetched(git, remote, allowed.limits)


@asynccontextmanager
async def laid_out(address: str, commit: str | None, allowed: RepositoryAccess, mirrors: Path) -> AsyncGenerator[Path]:
    """The files of that commit, in a folder that is gone at the end; of a folder of this machine, that folder."""
    remote = parse(address, allowed)
    if isinstance(remote, Path):
        yield remote
        return
    with tempfile.TemporaryDirectory(prefix="handrail-") as place:
        folder = Path(place) / remote.name
        folder.mkdir()
        async with mirror(remote, allowed, mirrors) as git:
            # another machine may have fetched it
            if not commit or not await _has(git, commit):
                commit = await _fetched(git, remote, allowed.limits)
            await git(f"--work-tree={folder}", "checkout", "--quiet", "--force", commit, "--", ".")
        yield folder


async def _fetched(git: Git, remote: Remote, limits: CloneLimits) -> str:
    await git("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", remote.url, f"+HEAD:{HEAD}")
    await cloning.check_size(git, HEAD, limits.size)
    return (await git("rev-parse", HEAD)).strip()


async def _has(git: Git, commit: str) -> bool:
    try:
        await git("cat-file", "-e", f"{commit}^{{tree}}")
    except CloneRefused:
        return False
    return True


@asynccontextmanager
async def mirror(
    remote: Remote, allowed: RepositoryAccess, mirrors: Path, hidden: Mapping[str, str] | None = None
) -> AsyncGenerator[Git]:
    """git in the mirror of that repository, which nobody else uses meanwhile; `hidden` options may hold a token."""
    limits = allowed.limits
    folder = mirrors / sha256(remote.url.encode()).hexdigest()[:32]
    try:
        async with asyncio.timeout(limits.seconds), _locked(folder):
            # what is no longer needed stays in it: one that has grown so far begins anew
            if await asyncio.to_thread(_size, folder) > 2 * limits.size:
                await asyncio.to_thread(shutil.rmtree, folder)
            private.make_folder(folder)
            git = Git(await options_for(remote, allowed), folder, limits.size, hidden)
            await git("init", "--quiet", "--bare", "--template=", ".")
            yield git
    except TimeoutError:
        raise CloneRefused(f"{remote.url} was not cloned within {limits.seconds:g} seconds") from None


@asynccontextmanager
async def _locked(folder: Path) -> AsyncGenerator[None]:
    private.make_folder(folder.parent)
    with folder.with_suffix(".lock").open("w") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                await asyncio.sleep(0.1)
        yield


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*")) if folder.exists() else 0


async def options_for(remote: Remote, allowed: RepositoryAccess) -> Mapping[str, str]:
    """How git reaches that repository: safely, and by the addresses that were looked at."""
    addresses = await cloning.resolved(remote.host, remote.port, allowed.limits)
    if not remote.is_ssh:
        return {**SAFE, "gc.auto": "0", **await cloning.pinned(remote.host, remote.port, addresses)}
    options = {
        "BatchMode": "yes",
        "StrictHostKeyChecking": "yes",
        "UserKnownHostsFile": str(allowed.known_hosts),
        "GlobalKnownHostsFile": os.devnull,
        "IdentitiesOnly": "yes",
        "ClearAllForwardings": "yes",
        # the address that was looked at is the address that is used
        "HostName": addresses[0].strip("[]"),
        "HostKeyAlias": remote.host,
    }
    command = ["ssh", "-F", os.devnull, "-i", str(allowed.ssh_key)]
    command += [f"-o{name}={value}" for name, value in options.items()]
    ssh = {"protocol.ssh.allow": "always", "core.sshCommand": shlex.join(command), "ssh.variant": "ssh"}
    return {**SAFE, "protocol.https.allow": "never", "protocol.http.allow": "never", "gc.auto": "0", **ssh}
