"""Without a remote: the branch offered to a developer's own folder, or as files to keep."""

from __future__ import annotations

from pathlib import Path

from handrail.changes.publishing import errors
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.publishing.history import check_evidence
from handrail.changes.publishing.objects import LARGEST, OFFLINE, objects_of
from handrail.changes.publishing.pushing import PushedBranch, check_approved
from handrail.core.errors import CloneRefused
from handrail.sandbox.cloning import Git

BUNDLE, PATCH, SUMMARY = "change.bundle", "change.patch", "summary.md"
_BRANCH = "refs/heads/change"


async def offer(repository: Path, evidence: Evidence, approved: Evidence, folder: Path) -> PushedBranch:
    """A new branch in that folder, with the approved commits. What is checked out, its index and its files stay as
    they are, and none of its hooks runs. May be repeated."""
    check_approved(evidence, approved)
    theirs = Git({**OFFLINE, "protocol.file.allow": "always"}, folder, LARGEST)
    ref = f"refs/heads/{evidence.branch}"
    async with objects_of(repository) as git:
        await check_evidence(git, evidence)
        if await _is_there(theirs, ref, evidence):
            return PushedBranch(evidence.branch, evidence.head, fresh=False)
        await git("update-ref", _BRANCH, evidence.head)
        place = (await git("rev-parse", "--absolute-git-dir")).strip()
        fetch = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc")
        try:
            await theirs(*fetch, "--", place, _BRANCH)
            # made, or refused where somebody else has made it since
            await theirs("update-ref", "--create-reflog", ref, evidence.head, "0" * len(evidence.head))
        except CloneRefused as error:
            if not await _is_there(theirs, ref, evidence):
                raise errors.HostRefused(
                    f"{folder} did not take the branch {evidence.branch!r}: {error.message}"
                ) from None
    return PushedBranch(evidence.branch, evidence.head, fresh=True)


async def _is_there(git: Git, ref: str, evidence: Evidence) -> bool:
    ended = await git.run("rev-parse", "--quiet", "--verify", ref)
    commit = ended.stdout.decode(errors="replace").strip()
    if ended.code or not commit:
        return False
    if commit != evidence.head:
        raise errors.BranchTaken(f"{evidence.branch!r} exists with another commit ({commit[:12]}): choose another name")
    return True


async def as_files(repository: Path, evidence: Evidence, approved: Evidence, body: str) -> dict[str, bytes]:
    """The change to keep: a bundle to fetch the branch from, a patch for `git am`, and the text."""
    check_approved(evidence, approved)
    async with objects_of(repository) as git:
        await check_evidence(git, evidence)
        ref = f"refs/heads/{evidence.branch}"
        await git("update-ref", ref, evidence.head)
        place = Path((await git("rev-parse", "--absolute-git-dir")).strip())
        await git("bundle", "create", "--quiet", BUNDLE, ref, f"^{evidence.base_commit}")
        patch = ("format-patch", "--quiet", "--binary", "--full-index", "--no-signature", "--no-renames")
        await git(*patch, f"--output={PATCH}", f"{evidence.base_commit}..{evidence.head}")
        return {
            BUNDLE: (place / BUNDLE).read_bytes(),
            PATCH: (place / PATCH).read_bytes(),
            SUMMARY: body.encode(),
        }
