"""Gitea and Forgejo, whose API is nearly GitHub's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from urllib.parse import quote

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
from handrail.changes.publishing.questions import Repository, User, check_base, has_branch, repository_at, the_one
from handrail.changes.publishing.reviewing import requested
from handrail.changes.publishing.secrets import Token

LABEL_COLOUR = "#5319e7"
PAGE = 50
# there is no question by branch that all versions know; newest first, ours is on the first page
MOST_PAGES = 10


def authorised(token: Token) -> Mapping[str, str]:
    return {"Authorization": f"token {token.secret}"}


class _Repository(Repository):
    default_branch: str
    has_pull_requests: bool = True
    permissions: dict[str, bool] = Field(default_factory=dict[str, bool])


class _Protection(BaseModel):
    rule_name: str = ""
    branch_name: str = ""
    enable_push: bool = False


class _Label(BaseModel):
    id: int
    name: str


class _Side(BaseModel):
    ref: str
    sha: str
    repo_id: int


class _Pull(BaseModel):
    number: int
    html_url: Url
    state: str
    merged: bool = False
    head: _Side
    base: _Side

    @property
    def is_of_a_fork(self) -> bool:
        return self.head.repo_id != self.base.repo_id

    def value(self) -> PullRequest:
        state = "merged" if self.merged else "open" if self.state == "open" else "closed"
        return PullRequest(self.number, self.html_url, state, self.head.sha)


class Gitea:
    def __init__(self, api: Api, path: str) -> None:
        self._api = api
        self._path = path
        self._repo = f"repos/{quote(path)}"

    @property
    def token(self) -> Token:
        return self._api.token

    async def check_access(self, branch: str, base: str) -> Access:
        user = await self._api.get("user")
        if not user.ok:
            raise errors.TokenLacksScope(f"the token needs the scope `read:user`: {self._api.said(user)}")
        repository = await self._repository()
        await check_base(self._api, f"{self._repo}/branches", self._path, base)
        # refused either way: for the token's scope, or because it names no branch
        if (await self._api.ask("POST", f"{self._repo}/pulls", {})).status == 403:
            raise errors.TokenLacksScope("the token needs the scope `write:repository`")
        unknown = await self._check_protection(branch)
        return Access(repository.default_branch, user.read(User).login, unknown)

    async def _repository(self) -> _Repository:
        found = await repository_at(self._api, self._repo, self._path, _Repository)
        if not found.has_pull_requests:
            raise errors.PullRequestsDisabled(f"{self._path} takes no pull requests")
        if not found.permissions.get("push"):
            raise errors.NoPushRights(f"the token's owner may not push to {self._path}")
        return found

    async def _check_protection(self, branch: str) -> tuple[str, ...]:
        """Rules are shown to administrators alone; for others a push finds out."""
        answer = await self._api.get(f"{self._repo}/branch_protections")
        if not answer.ok:
            return ("protected branches",)
        for rule in answer.read(list[_Protection]):
            if _covers(rule.rule_name or rule.branch_name, branch) and not rule.enable_push:
                raise errors.BranchProtected(f"{self._path} protects {branch!r}: it cannot be pushed")
        return ()

    async def find_pull_request(self, head: str, base: str, commit: str) -> PullRequest | None:
        for page in range(1, MOST_PAGES + 1):
            answer = await self._api.get(f"{self._repo}/pulls", state="all", page=page, limit=PAGE)
            if not answer.ok:
                raise self._api.refusal(answer)
            listed = answer.read(list[_Pull])
            same = [each for each in listed if (each.head.ref, each.base.ref) == (head, base) and not each.is_of_a_fork]
            found = the_one((each.value() for each in same), commit)
            if found is not None or len(listed) < PAGE:
                return found
        return None

    async def open_pull_request(self, proposal: Proposal) -> Opening:
        find = partial(self.find_pull_request, proposal.head, proposal.base, proposal.commit)
        found, fresh = await opened_once(find, partial(self._create, proposal), self._api.pause)
        pull = f"{self._repo}/pulls/{found.number}"
        notes = await tolerated("label_missing", self._label(found.number, proposal.labels))
        notes += await tolerated("reviewer_refused", requested(self._api, pull, proposal.reviewers))
        return Opening(found, fresh, tuple(notes))

    async def _create(self, proposal: Proposal) -> PullRequest:
        data = {
            # a draft is what its title says
            "title": f"WIP: {proposal.title}" if proposal.draft else proposal.title,
            "body": proposal.body,
            "head": proposal.head,
            "base": proposal.base,
        }
        answer = await self._api.ask("POST", f"{self._repo}/pulls", data)
        if not answer.ok:
            raise await self._refusal(answer, proposal)
        return answer.read(_Pull).value()

    async def _refusal(self, answer: Answer, proposal: Proposal) -> Exception:
        if answer.status == 409:
            return Exists()
        if answer.status == 404:
            for branch, kind in ((proposal.head, errors.HeadMissing), (proposal.base, errors.BaseMissing)):
                if not await has_branch(self._api, f"{self._repo}/branches", branch):
                    return kind(f"{self._path} has no branch {branch!r}")
        return self._api.refusal(answer)

    async def _label(self, number: int, labels: tuple[str, ...]) -> list[Note]:
        if not labels:
            return []
        answer = await self._api.get(f"{self._repo}/labels", limit=PAGE)
        there = {each.name: each.id for each in (answer.read(list[_Label]) if answer.ok else [])}
        notes: list[Note] = []
        for label in labels:
            if label not in there:
                made = await self._api.ask("POST", f"{self._repo}/labels", {"name": label, "color": LABEL_COLOUR})
                if made.ok:
                    there[label] = made.read(_Label).id
                else:
                    notes.append(Note("label_missing", f"{label!r}: {self._api.said(made)}"))
        ids = [there[label] for label in labels if label in there]
        if ids:
            answer = await self._api.ask("POST", f"{self._repo}/issues/{number}/labels", {"labels": ids})
            if not answer.ok:
                notes.append(Note("label_missing", self._api.said(answer)))
        return notes


def _covers(rule: str, branch: str) -> bool:
    """Whether a rule's name, in which `*` stands for any text, covers the branch."""
    first, *rest = rule.split("*")
    if not rest:
        return rule == branch
    if not branch.startswith(first) or not branch.endswith(rest[-1]):
        return False
    place = len(first)
    for part in rest[:-1]:
        found = branch.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return place <= len(branch) - len(rest[-1])
