"""Why nothing was published: a stable code, and a message that names the value and the next step; never a secret."""

from __future__ import annotations

from typing import ClassVar


class NotPublished(Exception):
    """The change cannot be published as it is."""

    code: ClassVar[str] = "not_published"

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class AddressRefused(NotPublished):
    """The host may not be reached from here."""

    code = "address_refused"


class HostUnknown(NotPublished):
    """Nobody has said which API this host speaks."""

    code = "host_unknown"


class TokenMissing(NotPublished):
    """There is no token for this host."""

    code = "token_missing"


class TokenInvalid(NotPublished):
    """The host does not know the token, or it has expired."""

    code = "token_invalid"


class TokenLacksScope(NotPublished):
    """The token may not do what is needed."""

    code = "token_lacks_scope"


class NoPushRights(NotPublished):
    """Whoever the token belongs to may not push to the repository."""

    code = "no_push_rights"


class RepositoryMissing(NotPublished):
    """There is no such repository, or the token may not see it."""

    code = "repository_missing"


class RepositoryMoved(NotPublished):
    """The host sends us elsewhere; no redirect is followed with a token."""

    code = "repository_moved"


class RepositoryArchived(NotPublished):
    """The repository is read-only."""

    code = "repository_archived"


class PullRequestsDisabled(NotPublished):
    """The repository takes no pull requests."""

    code = "pull_requests_disabled"


class BaseMissing(NotPublished):
    """The branch to merge into is gone."""

    code = "base_missing"


class HeadMissing(NotPublished):
    """The branch to merge is not on the host."""

    code = "head_missing"


class BranchProtected(NotPublished):
    """A rule of the host forbids pushing to this branch."""

    code = "branch_protected"


class BranchTaken(NotPublished):
    """The branch exists with another commit."""

    code = "branch_taken"


class BadBranch(NotPublished):
    """This is no name for a branch."""

    code = "bad_branch"


class NothingToPublish(NotPublished):
    """The host sees no commits between the two branches."""

    code = "nothing_to_publish"


class EvidenceMismatch(NotPublished):
    """The commits are not those that were approved."""

    code = "evidence_mismatch"


class HostRefused(NotPublished):
    """The host refuses the request, in words that have no code here."""

    code = "host_refused_request"


class HostUnavailable(NotPublished):
    """The host does not respond; trying again later may help."""

    code = "host_unavailable"

    def __init__(self, message: str, retry_after: float = 30.0) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class HostBusy(HostUnavailable):
    """The host limits how often it may be asked."""

    code = "host_busy"


class DraftsRefused(NotPublished):
    """The repository takes no drafts."""

    code = "drafts_refused"
