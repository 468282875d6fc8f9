"""What a host knows: people, tokens, repositories, pull requests; and what it is told to do wrong."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from git_server import git

# as a host refuses a push, by a rule that names branches
UPDATE_HOOK = """#!/bin/sh
while read pattern; do
  case "$1" in refs/heads/$pattern) echo "GH006: Protected branch update failed for $1." >&2; exit 1;; esac
done < protected
"""
USERS = {"ada": 1, "ben": 2, "handrail-bot": 3, "outsider": 4}


@dataclass
class Grant:
    """What a token may do. Without `scopes` it is fine-grained: `may` lists what it may do, and the host tells
    nobody."""

    user: str = "handrail-bot"
    scopes: tuple[str, ...] | None = ("repo",)
    may: tuple[str, ...] = ("push", "pull")
    expires: float = float("inf")
    is_app: bool = False

    def may_push(self) -> bool:
        known = {"repo", "public_repo", "api", "write_repository", "write:repository"}
        return "push" in self.may if self.scopes is None else bool(known & {*self.scopes})

    def may_open(self) -> bool:
        known = {"repo", "public_repo", "api", "write:repository"}
        return "pull" in self.may if self.scopes is None else bool(known & {*self.scopes})


@dataclass
class Pull:
    number: int
    head: str
    base: str
    title: str
    body: str
    draft: bool
    author: str
    state: str = "open"
    labels: list[str] = field(default_factory=list[str])
    reviewers: list[str] = field(default_factory=list[str])


@dataclass
class Repository:
    path: str
    folder: Path
    private: bool = False
    archived: bool = False
    takes_pulls: bool = True
    takes_drafts: bool = True
    moved_to: str = ""
    protected: list[str] = field(default_factory=list[str])
    may_push: set[str] = field(default_factory=lambda: {"handrail-bot", "ada", "ben"})
    admins: set[str] = field(default_factory=lambda: {"ada"})
    labels: list[str] = field(default_factory=lambda: ["bug"])
    pulls: list[Pull] = field(default_factory=list[Pull])

    def commit(self, branch: str) -> str | None:
        refs = git(self.folder, "for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}").split()
        return refs[0] if refs else None

    def ahead(self, head: str, base: str) -> int:
        return int(git(self.folder, "rev-list", "--count", f"refs/heads/{base}..refs/heads/{head}"))

    def protects(self, branch: str) -> bool:
        return any(fnmatch(branch, pattern) for pattern in self.protected)

    def protect(self, *patterns: str) -> None:
        self.protected = [*patterns]
        (self.folder / "protected").write_text("".join(f"{pattern}\n" for pattern in patterns))


@dataclass
class Request:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    data: dict[str, object]


@dataclass
class Answer:
    status: int
    data: object = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Stub:
    """`requests` is what was asked, token and all; `url` is where it is."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        self.tokens: dict[str, Grant] = {"good-token": Grant()}
        self.repositories: dict[str, Repository] = {}
        self.requests: list[str] = []
        self.seen: list[str] = []
        self._copies: dict[tuple[Path, str], Path] = {}
        self.app_key = ""
        self.minted = 0
        self.grants_of_app = {"contents": "write", "pull_requests": "write"}

    def repository(self, path: str, source: Path, branch: str = "main") -> Repository:
        """A bare copy of that branch; its address is `url/path`."""
        folder = self.folder / f"{path}.git"
        if (source, branch) not in self._copies:
            self._copies[source, branch] = self._copied(source, branch)
        shutil.copytree(self._copies[source, branch], folder)
        found = Repository(path, folder)
        found.protect()
        self.repositories[path] = found
        return found

    def _copied(self, source: Path, branch: str) -> Path:
        folder = self.folder / f"copy{len(self._copies)}"
        folder.mkdir()
        git(folder, "init", "--quiet", "--bare", "--template=", "--initial-branch", branch)
        git(folder, "fetch", "--quiet", str(source), f"refs/heads/{branch}:refs/heads/{branch}")
        (folder / "hooks").mkdir()
        hook = folder / "hooks" / "update"
        hook.write_text(UPDATE_HOOK)
        hook.chmod(0o755)
        return folder

    def grant(self, secret: str) -> Grant | None:
        found = self.tokens.get(secret)
        return found if found and found.expires > time.time() else None

    def find(self, path: str, grant: Grant | None) -> Repository | None:
        """What this token may see."""
        found = self.repositories.get(re.sub(r"\.git$", "", path))
        if found is None or (found.private and (grant is None or grant.user not in found.may_push)):
            return None
        return found
