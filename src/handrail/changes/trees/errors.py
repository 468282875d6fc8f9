"""Why a work tree cannot be had, or not be changed: a code that stays, and what can be done."""

from __future__ import annotations

import errno
from typing import Any, ClassVar


class TreeError(Exception):
    """Something is wrong with the repository or with what should be done to it."""

    code: ClassVar[str] = "tree_error"

    def __init__(self, message: str, **data: Any) -> None:
        self.message = message
        self.data = data
        super().__init__(message)


class RepositoryUnreachable(TreeError):
    """It does not answer, does not exist, or is closed to us."""

    code = "repository_unreachable"


class RepositoryEmpty(TreeError):
    """It has no commit."""

    code = "repository_empty"


class RepositoryTooLarge(TreeError):
    """Too many bytes or files."""

    code = "repository_too_large"


class RepositoryUnsafe(TreeError):
    """It holds paths that would lead out of the tree, or into git's own folder."""

    code = "repository_unsafe"


class BaseBranchMissing(TreeError):
    """The branch to start from is not there."""

    code = "base_branch_missing"


class BaseCommitMissing(TreeError):
    """The commit that the run started from is no longer to be had."""

    code = "base_commit_missing"


class BadName(TreeError):
    """Not the name of a run or of a branch."""

    code = "bad_name"


class BadMessage(TreeError):
    """Not a Conventional Commits message."""

    code = "bad_commit_message"


class BadAuthor(TreeError):
    """Not a name and an address."""

    code = "bad_author"


class NothingToCommit(TreeError):
    """The tree is as it was."""

    code = "nothing_to_commit"


class ChangeRefused(TreeError):
    """A file that cannot be committed: a link that leads out, a path of git's own, or no file at all."""

    code = "change_refused"


class ChangeTooLarge(TreeError):
    """More than may be committed at once."""

    code = "change_too_large"


class NoSuchHunk(TreeError):
    """The diff has no such file or hunk; it may have changed since it was shown."""

    code = "no_such_hunk"


class BundleBroken(TreeError):
    """What was kept with the run does not lead to the tree that it had."""

    code = "bundle_broken"


class TreeMissing(TreeError):
    """The tree is not, or no longer, on this machine."""

    code = "tree_missing"


class DiskFull(TreeError):
    """There is no space left for the tree."""

    code = "disk_full"


class GitFailed(TreeError):
    """git ended with an error that has no name of its own."""

    code = "git_failed"


FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def unwritten(error: OSError) -> DiskFull | GitFailed:
    """What could not be written, and why."""
    if error.errno in FULL:
        return DiskFull("The disk is full: free some space, then try again")
    return GitFailed(f"The tree cannot be written: {error.strerror}")
