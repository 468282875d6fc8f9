"""Pushes exactly the approved commits to exactly one new branch, and never by force."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path

from handrail.changes.publishing import errors
from handrail.changes.publishing.branches import check_branch
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.publishing.history import check_evidence
from handrail.changes.publishing.objects import objects_of
from handrail.changes.publishing.secrets import Token
from handrail.core.canonical import JsonObject
from handrail.core.errors import CloneRefused, InvalidField
from handrail.sandbox import repositories
from handrail.sandbox.cloning import Git
from handrail.sandbox.repositories import Remote, RepositoryAccess

# what git and the hosts say, in the order in which it counts
SAID: tuple[tuple[str, type[errors.NotPublished], str], ...] = (
    (r"workflows?`? (?:scope|permission)", errors.TokenLacksScope, "the token may not change workflow files"),
    (r"cannot contain secrets|push protection", errors.HostRefused, "it found a secret"),
    (r"protected branch|is protected|GH006|GH013|rule violations", errors.BranchProtected, "a rule protects it"),
    (r"Authentication failed|could not read Username|returned error: 401", errors.TokenInvalid, "sign-in failed"),
    (r"returned error: 403|Permission .{0,80}denied|not allowed to push", errors.NoPushRights, "no right to push"),
    (r"redirect|returned error: 30[1278]", errors.RepositoryMoved, "it redirects, which is not followed"),
    (r"not found|returned error: 404|does not exist", errors.RepositoryMissing, "no such repository"),
    (
        r"returned error: (?:429|5\d\d)|Could not resolve|unable to access|hung up|timed out|Connection|early EOF",
        errors.HostUnavailable,
        "it does not respond",
    ),
)


@dataclass(frozen=True, slots=True)
class PushedBranch:
    """`fresh` unless the branch was there already, with this very commit."""

    branch: str
    commit: str
    fresh: bool

    def as_data(self) -> JsonObject:
        return {"branch": self.branch, "commit": self.commit, "fresh": self.fresh}


async def push(
    repository: Path, evidence: Evidence, approved: Evidence, allowed: RepositoryAccess, token: Token | None
) -> PushedBranch:
    """From that local repository to the one that the evidence names; `approved` is what people approved.

    May be repeated: what is already there counts. The token is for https; over ssh the operator's key is used.
    """
    check_approved(evidence, approved)
    remote = _remote(evidence.repository, allowed)
    try:
        async with asyncio.timeout(allowed.limits.seconds):
            options = await repositories.options_for(remote, allowed)
            hidden = token.for_git(remote.url) if token and not remote.is_ssh else None
            async with objects_of(repository, options, hidden) as git:
                await check_evidence(git, evidence)
                return await _pushed(git, remote, evidence, token)
    except TimeoutError:
        raise errors.HostUnavailable(f"{remote.host} did not respond within {allowed.limits.seconds:g} s") from None
    except CloneRefused as error:
        raise errors.AddressRefused(error.message) from None


def check_approved(evidence: Evidence, approved: Evidence) -> None:
    """That the evidence is what was approved, or the same change upon another base, and its branch one that may be
    made."""
    if not evidence.is_same_change(approved):
        raise errors.EvidenceMismatch("the evidence is not what was approved: ask again")
    check_branch(evidence.branch)
    if evidence.branch == evidence.target_branch:
        raise errors.BadBranch(f"{evidence.branch!r} is the branch to merge into; a change gets its own")


def _remote(address: str, allowed: RepositoryAccess) -> Remote:
    try:
        remote = repositories.parse(address, allowed)
    except (CloneRefused, InvalidField) as error:
        raise errors.AddressRefused(error.message) from None
    if isinstance(remote, Path):
        raise errors.AddressRefused(f"{address} is a folder of this machine: nothing is pushed there")
    return remote


async def _pushed(git: Git, remote: Remote, evidence: Evidence, token: Token | None) -> PushedBranch:
    ref = f"refs/heads/{evidence.branch}"
    if await _there(git, remote, ref, evidence, token):
        return PushedBranch(evidence.branch, evidence.head, fresh=False)
    # an empty lease: the branch must not be there when the host takes this, whoever made it in the meantime
    ended = await git.run(
        "push",
        "--porcelain",
        "--quiet",
        "--no-verify",
        "--no-follow-tags",
        "--recurse-submodules=no",
        "--no-signed",
        f"--force-with-lease={ref}:",
        "--",
        remote.url,
        f"{evidence.head}:{ref}",
    )
    if ended.code == 0:
        return PushedBranch(evidence.branch, evidence.head, fresh=True)
    # the answer may have been lost after the effect
    if await _there(git, remote, ref, evidence, token):
        return PushedBranch(evidence.branch, evidence.head, fresh=True)
    raise _refusal(remote, evidence.branch, ended.stderr + ended.stdout, token)


async def _there(git: Git, remote: Remote, ref: str, evidence: Evidence, token: Token | None) -> bool:
    """Whether the host has the branch with this commit; `BranchTaken` where it has it with another."""
    ended = await git.run("ls-remote", "--quiet", "--", remote.url, ref)
    if ended.code:
        raise _refusal(remote, evidence.branch, ended.stderr, token)
    lines = (line.partition("\t") for line in ended.stdout.decode(errors="replace").splitlines())
    commit = next((commit for commit, _, name in lines if name == ref), None)
    if commit is not None and commit != evidence.head:
        raise errors.BranchTaken(
            f"{evidence.branch!r} exists on {remote.host} with another commit ({commit[:12]}): choose another name"
        )
    return commit is not None


def _refusal(remote: Remote, branch: str, said: bytes, token: Token | None) -> errors.NotPublished:
    text = said.decode(errors="replace")
    shown = (token or Token("")).hidden(" ".join(line for line in text.splitlines() if not line.startswith("hint:")))
    for pattern, kind, meaning in SAID:
        if re.search(pattern, text, re.IGNORECASE):
            return kind(f"{remote.host} did not take the branch {branch!r}: {meaning} ({shown})")
    return errors.HostRefused(f"{remote.host} did not take the branch {branch!r}: {shown}")
