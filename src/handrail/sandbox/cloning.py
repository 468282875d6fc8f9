"""Copies a git repository from elsewhere without running anything of it: no hooks, submodules, filters or prompts."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

from handrail.core.errors import CloneRefused, InvalidField, Unavailable
from handrail.core.sizes import MIB
from handrail.sandbox import addresses, processes

# what the shell ends with where there is no such program
NOT_FOUND = 127
NO_GIT = "git is not installed. On Debian: apt install git"
# the first that knows `http.curloptResolve`; others would look up names by themselves
OLDEST_GIT = (2, 37)
# what git and we read alike: it decodes `%61` and other alphabets, and would look up a name that nobody has checked
HOST = re.compile(r"[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?|[0-9a-f:.]+", re.IGNORECASE)
FULL_COMMIT = re.compile(r"[0-9a-f]{40}")
# what a machine needs to reach the outside at all; nothing else of the environment gets to git
PASSED_ON = (
    "PATH",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTPS_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "GIT_SSL_CAINFO",
)
SAFE = {
    "protocol.allow": "never",
    "protocol.https.allow": "always",
    "protocol.http.allow": "always",
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    # a link is written as a file that names its target
    "core.symlinks": "false",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "credential.helper": "",
    "http.followRedirects": "false",
    "submodule.recurse": "false",
    "filter.lfs.smudge": "",
    "filter.lfs.process": "",
    "filter.lfs.required": "false",
    "transfer.fsckObjects": "true",
    "advice.detachedHead": "false",
}


@dataclass(frozen=True, slots=True)
class Link:
    """A repository and, of a deep link, what follows `tree/` or `blob/`: a ref and a path, in one."""

    url: str
    rest: str = ""
    is_file: bool = False


@dataclass(frozen=True, slots=True)
class Clone:
    """`path` is what the deep link meant within the repository."""

    url: str
    ref: str | None
    commit: str
    path: str


@dataclass(frozen=True, slots=True)
class CloneLimits:
    """`private_hosts` are names or addresses that may lie in a private network."""

    seconds: float = 60
    size: int = 100 * MIB
    private_hosts: frozenset[str] = frozenset()


def parse(address: str) -> Link:
    """A repository's address, or a deep link of GitHub or GitLab to a folder or a file of it."""
    try:
        parts = urlsplit(address.strip())
        _ = parts.port
    except ValueError as error:
        raise InvalidField(f"{address[:200]!r} is not an address: {error}", field="url") from None
    if parts.scheme not in {"https", "http"} or not parts.hostname:
        raise InvalidField(f"{address!r} is not a git repository's address: write https://…", field="url")
    if not HOST.fullmatch(parts.hostname):
        raise InvalidField(
            f"{parts.hostname[:200]!r} is not a host's name: letters a to z, digits, dots and hyphens", field="url"
        )
    if parts.username or parts.password:
        raise InvalidField("an address must not have a user name or password in it", field="url")
    if parts.query or parts.fragment or any(ord(sign) < 33 for sign in address.strip()):
        raise InvalidField("an address must end with its path, without `?`, `#` or spaces", field="url")
    host = f"{parts.scheme}://{parts.netloc}"
    deep = re.fullmatch(r"(/[^/]+/.+?)(?:/-)?/(tree|blob)/(.+)", parts.path.rstrip("/"))
    if deep is None:
        return Link(host + parts.path.rstrip("/"))
    return Link(host + deep[1], unquote(deep[3]), is_file=deep[2] == "blob")


async def check(address: str, limits: CloneLimits) -> None:
    """What can be told of an address at once: its form, and that its host does not lie in a private network."""
    await _places(parse(address), limits)


async def _places(link: Link, limits: CloneLimits) -> tuple[str, int, list[str]]:
    host, port = host_and_port(link.url)
    return host, port, await resolved(host, port, limits, is_safe=link.url.startswith("https:"))


async def clone(address: str, into: Path, limits: CloneLimits) -> Clone:
    """The newest commit of the branch or tag that is meant, as plain files under `into`."""
    link = parse(address)
    # the address that was looked at is the address that is used, whatever its name leads to a moment later
    host, port, places = await _places(link, limits)
    options = {**SAFE, **await pinned(host, port, places)}
    try:
        async with asyncio.timeout(limits.seconds):
            git = Git(options, into, limits.size)
            ref, path = await _meant(git, link)
            await git("init", "--quiet", "--template=", ".")
            await git("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", link.url, ref or "HEAD")
            commit = (await git("rev-parse", "FETCH_HEAD")).strip()
            await check_size(git, "FETCH_HEAD", limits.size)
            await git("checkout", "--quiet", "--force", commit)
    except TimeoutError:
        raise CloneRefused(f"{link.url} was not cloned within {limits.seconds:g} seconds") from None
    return Clone(link.url, ref, commit, path)


def host_and_port(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


async def resolved(host: str, port: int, limits: CloneLimits, *, is_safe: bool = True) -> list[str]:
    """The addresses of a host, as a URL has them; refused where the name leads into a private network.

    A way that is not safe from eavesdroppers is for hosts of a private network alone.
    """
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise CloneRefused(f"the host {host!r} cannot be found ({getattr(error, 'strerror', 'not a name')})") from None
    answers = [ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    if host not in limits.private_hosts:
        if not is_safe:
            raise CloneRefused(f"{host!r} must be reached over https")
        for address in answers:
            if not addresses.is_public(address):
                raise CloneRefused(
                    f"{host!r} is {address}, an address of a private network; HANDRAIL_GIT_PRIVATE_HOSTS can allow it"
                )
    shown = [f"[{address}]" if address.version == 6 else str(address) for address in answers]
    return list(dict.fromkeys(shown))


async def pinned(host: str, port: int, places: Sequence[str]) -> dict[str, str]:
    """The option by which git takes these addresses and looks up none; refused where it would pass over it."""
    version = await asyncio.to_thread(git_version)
    if version < OLDEST_GIT:
        needed, there = (".".join(map(str, each)) for each in (OLDEST_GIT, version))
        raise Unavailable(f"git {needed} or newer is needed to clone over https safely; this machine has {there}")
    return {"http.curloptResolve": f"{host}:{port}:{','.join(places)}"}


@cache
def git_version() -> tuple[int, int]:
    program = shutil.which("git")
    if program is None:
        raise Unavailable(NO_GIT)
    said = subprocess.run([program, "version"], capture_output=True, text=True, timeout=10, check=False).stdout  # noqa: S603
    found = re.search(r"(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


async def _meant(git: Git, link: Link) -> tuple[str | None, str]:
    """The ref and the path: a ref may have slashes, so the longest one that exists counts."""
    if not link.rest:
        return None, "."
    listed = (line.partition("\t")[2] for line in (await git("ls-remote", "--", link.url)).splitlines())
    refs = {name.removeprefix("refs/heads/").removeprefix("refs/tags/") for name in listed}
    steps = link.rest.split("/")
    for count in range(len(steps), 0, -1):
        ref = "/".join(steps[:count])
        if ref in refs or (count == 1 and FULL_COMMIT.fullmatch(ref)):
            inner = steps[count:-1] if link.is_file else steps[count:]
            return ref, "/".join(inner) or "."
    raise CloneRefused(f"{link.url} has no branch or tag {steps[0]!r}")


async def check_size(git: Git, commit: str, largest: int) -> None:
    """Before anything is unpacked: a small pack can hold huge files."""
    total = 0
    for line in (await git("ls-tree", "-r", "-l", "-z", commit)).split("\0"):
        size = line.partition("\t")[0].split()[-1:] or ["0"]
        total += int(size[0]) if size[0].isdigit() else 0
        if total > largest:
            raise CloneRefused(f"the repository's files are larger than {largest // MIB} MiB")


class Git:
    """git in a folder, with these options and no others: neither the user's nor the machine's.

    `hidden` ones, which may hold a token, go by the environment: a list of processes shows what a command begins with.
    `environment` adds variables to git's own.
    """

    def __init__(
        self,
        options: Mapping[str, str],
        folder: Path,
        largest: int,
        hidden: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._options = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        self._folder = folder
        self._largest = largest
        self._environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ} | {
            "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "true",
            "GIT_LFS_SKIP_SMUDGE": "1",
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
            "LC_ALL": "C",
            **_by_environment(hidden or {}),
            **(environment or {}),
        }

    @property
    def folder(self) -> Path:
        return self._folder

    async def __call__(self, *arguments: str) -> str:
        ended = await self.run(*arguments)
        if ended.code:
            raise CloneRefused(_reason(ended.code, ended.stderr, self._largest))
        return ended.stdout.decode(errors="replace")

    async def run(self, *arguments: str, given: bytes | None = None) -> processes.Completion:
        """To its end, however it ends."""
        # git has no limit of its own on what it fetches; a file larger than allowed ends it
        limited = ["sh", "-c", f'ulimit -f {self._largest // 512}; exec "$@"', "sh", "git", *self._options]
        ended = await processes.run([*limited, *arguments], self._folder, self._environment, given)
        if ended.code == NOT_FOUND:
            raise Unavailable(NO_GIT)
        return ended


def _by_environment(options: Mapping[str, str]) -> dict[str, str]:
    named = {f"GIT_CONFIG_KEY_{n}": name for n, name in enumerate(options)}
    values = {f"GIT_CONFIG_VALUE_{n}": value for n, value in enumerate(options.values())}
    return {"GIT_CONFIG_COUNT": str(len(options)), **named, **values}


def _reason(code: int, said: bytes, largest: int) -> str:
    text = said.decode(errors="replace").strip()
    # a pack that grows over the limit ends the program that writes it
    if code in {-signal.SIGXFSZ, 128 + signal.SIGXFSZ} or re.search(
        r"File too large|signal 25|index-pack failed", text
    ):
        return f"the repository is larger than {largest // MIB} MiB"
    if "could not read Username" in text or "Authentication failed" in text:
        return "the repository does not exist or is not public"
    lines = [line for line in text.splitlines() if line.startswith(("fatal:", "error:", "remote:"))]
    return f"git says: {(lines or text.splitlines() or ['nothing'])[-1]}"
