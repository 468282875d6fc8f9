"""GitHub, GitHub Enterprise Server; by a personal token or as an App."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from urllib.parse import quote

import jwt
from pydantic import BaseModel, Field

from handrail.changes.publishing import errors
from handrail.changes.publishing.api import Answer, Api
from handrail.changes.publishing.pulls import (
    Access,
    Exists,
    Note,
    Opening,
    Proposal,
    PullRequest,
    Url,
    opened_once,
    tolerated,
)
from handrail.changes.publishing.questions import Repository, User, check_base, repository_at, the_one
from handrail.changes.publishing.reviewing import requested
from handrail.changes.publishing.secrets import Token

# a token of an App lasts an hour; GitHub takes proofs of at most ten minutes
PROOF = timedelta(minutes=9)
LABEL_COLOUR = "5319e7"


@dataclass(frozen=True, slots=True)
class App:
    """An App as it is installed for a repository; `key` is its private key, PEM."""

    app_id: str
    installation_id: str
    key: str = field(repr=False)

    def proof(self) -> Token:
        now = datetime.now(UTC)
        claims = {"iat": now - timedelta(minutes=1), "exp": now + PROOF, "iss": self.app_id}
        try:
            return Token(jwt.encode(claims, self.key, algorithm="RS256"))
        except (ValueError, TypeError, jwt.PyJWTError):
            raise errors.TokenInvalid("the App's private key cannot be read: give it as PEM") from None


def authorised(token: Token) -> Mapping[str, str]:
    return {
        "Authorization": f"Bearer {token.secret}",
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
    }


async def installation_token(api: Api, app: App) -> Token:
    """A new token for an hour, by an `api` that is authorised by the App's proof."""
    answer = await api.ask("POST", f"app/installations/{quote(app.installation_id, safe='')}/access_tokens", {})
    if answer.status == 404:
        raise errors.TokenInvalid(f"the App {app.app_id} is not installed as {app.installation_id}")
    if not answer.ok:
        raise api.refusal(answer)
    granted = answer.read(_Installation)
    for permission in ("contents", "pull_requests"):
        if granted.permissions.get(permission) != "write":
            raise errors.TokenLacksScope(f"the App {app.app_id} needs the permission `{permission}: write`")
    return Token(granted.token)


class _Installation(BaseModel):
    token: str
    permissions: dict[str, str] = {}


class _Repository(Repository):
    default_branch: str
    private: bool = False
    permissions: dict[str, bool] = Field(default_factory=dict[str, bool])


class _Rule(BaseModel):
    type: str


class _Named(BaseModel):
    full_name: str


class _Side(BaseModel):
    ref: str
    sha: str
    repo: _Named | None = None


class _Pull(BaseModel):
    number: int
    html_url: Url
    state: str
    merged_at: str | None = None
    head: _Side
    base: _Side

    def value(self) -> PullRequest:
        state = "merged" if self.merged_at else "open" if self.state == "open" else "closed"
        return PullRequest(self.number, self.html_url, state, self.head.sha)


class _Complaint(BaseModel):
    field: str = ""
    code: str = ""


class _Complaints(BaseModel):
    errors: list[_Complaint | str] = []

    def invalid(self) -> set[str]:
        return {each.field for each in self.errors if isinstance(each, _Complaint) and each.code == "invalid"}


class GitHub:
    def __init__(self, api: Api, path: str, *, is_app: bool = False) -> None:
        self._api = api
        self._repo = f"repos/{quote(path)}"
        self._owner = path.partition("/")[0]
        self._full_name = path
        self._is_app = is_app

    @property
    def token(self) -> Token:
        return self._api.token

    async def check_access(self, branch: str, base: str) -> Access:
        user, scopes = await self._whoever()
        repository = await self._repository(scopes)
        await self._check_rules(branch)
        await check_base(self._api, f"{self._repo}/branches", self._full_name, base)
        if scopes is None and not self._is_app:
            await self._check_may_open()
        return Access(repository.default_branch, user)

    async def _whoever(self) -> tuple[str, frozenset[str] | None]:
        """The token's owner and its scopes; those of a fine-grained token are not told."""
        if self._is_app:
            return "", None
        answer = await self._api.get("user")
        if not answer.ok:
            raise self._api.refusal(answer)
        scopes = answer.headers.get("x-oauth-scopes")
        named = frozenset(part.strip() for part in scopes.split(",")) if scopes is not None else None
        return answer.read(User).login, named

    async def _repository(self, scopes: frozenset[str] | None) -> _Repository:
        found = await repository_at(self._api, self._repo, self._full_name, _Repository)
        if scopes is not None and not scopes & ({"repo"} if found.private else {"repo", "public_repo"}):
            raise errors.TokenLacksScope(
                f"the token has the scopes {', '.join(sorted(scopes - {''})) or 'none'}; pushing needs `repo`"
            )
        if not self._is_app and not found.permissions.get("push"):
            raise errors.NoPushRights(f"the token's owner may not push to {self._full_name}")
        return found

    async def _check_rules(self, branch: str) -> None:
        answer = await self._api.get(f"{self._repo}/rules/branches/{quote(branch, safe='')}")
        if answer.ok and any(rule.type == "creation" for rule in answer.read(list[_Rule])):
            raise errors.BranchProtected(f"a rule of {self._full_name} forbids making the branch {branch!r}")

    async def _check_may_open(self) -> None:
        """A pull request without a branch is refused either way: by whether the token may open one, or as invalid."""
        answer = await self._api.ask("POST", f"{self._repo}/pulls", {})
        if answer.status in {403, 404}:
            raise errors.TokenLacksScope("the token may not open pull requests: it needs `pull requests: write`")

    async def find_pull_request(self, head: str, base: str, commit: str) -> PullRequest | None:
        answer = await self._api.get(f"{self._repo}/pulls", state="all", head=f"{self._owner}:{head}", base=base)
        if not answer.ok:
            raise self._api.refusal(answer)
        found = [
            each.value()
            for each in answer.read(list[_Pull])
            # of all that there are, where the host passes over the filter; and not of a fork
            if (each.head.ref, each.base.ref) == (head, base)
            and each.head.repo is not None
            and each.head.repo.full_name.lower() == self._full_name.lower()
        ]
        return the_one(found, commit)

    async def open_pull_request(self, proposal: Proposal) -> Opening:
        find = partial(self.find_pull_request, proposal.head, proposal.base, proposal.commit)
        found, fresh = await opened_once(find, partial(self._create, proposal), self._api.pause)
        pull = f"{self._repo}/pulls/{found.number}"
        notes = await tolerated("label_missing", self._label(found.number, proposal.labels))
        notes += await tolerated("reviewer_refused", requested(self._api, pull, proposal.reviewers))
        return Opening(found, fresh, tuple(notes))

    async def _create(self, proposal: Proposal) -> PullRequest:
        sent = {"title": proposal.title, "body": proposal.body, "head": proposal.head, "base": proposal.base}
        answer = await self._api.ask("POST", f"{self._repo}/pulls", {**sent, "draft": proposal.draft})
        if proposal.draft and answer.status == 422 and "draft" in self._api.said(answer).lower():
            raise errors.DraftsRefused(f"{self._full_name} takes no drafts, and a draft is what was to be opened")
        if not answer.ok:
            raise self._refusal(answer, proposal)
        return answer.read(_Pull).value()

    def _refusal(self, answer: Answer, proposal: Proposal) -> Exception:
        if answer.status != 422:
            return self._api.refusal(answer)
        said, fields = self._api.said(answer), answer.read(_Complaints).invalid()
        if "already exists" in said:
            return Exists()
        if "No commits between" in said:
            return errors.NothingToPublish(f"{proposal.head!r} has no commits that {proposal.base!r} lacks")
        if "head" in fields:
            return errors.HeadMissing(f"{self._full_name} has no branch {proposal.head!r}")
        if "base" in fields:
            return errors.BaseMissing(f"{self._full_name} has no branch {proposal.base!r}")
        return self._api.refusal(answer)

    async def _label(self, number: int, labels: tuple[str, ...]) -> list[Note]:
        """Those that are not there are made."""
        there: list[str] = []
        notes: list[Note] = []
        for label in labels:
            answer = await self._api.get(f"{self._repo}/labels/{quote(label, safe='')}")
            if answer.status == 404:
                answer = await self._api.ask("POST", f"{self._repo}/labels", {"name": label, "color": LABEL_COLOUR})
            if answer.ok or "already_exists" in self._api.said(answer):
                there.append(label)
            else:
                notes.append(Note("label_missing", f"{label!r}: {self._api.said(answer)}"))
        if there:
            answer = await self._api.ask("POST", f"{self._repo}/issues/{number}/labels", {"labels": there})
            if not answer.ok:
                notes.append(Note("label_missing", f"{', '.join(there)}: {self._api.said(answer)}"))
        return notes
