"""GitLab, where a pull request is called a merge request."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import partial
from urllib.parse import quote

from pydantic import BaseModel

from handrail.changes.publishing import errors
from handrail.changes.publishing.api import Answer, Api
from handrail.changes.publishing.pulls import (
    Access,
    Exists,
    Note,
    Opening,
    Proposal,
    PullRequest,
    State,
    Url,
    opened_once,
    tolerated,
)
from handrail.changes.publishing.questions import Repository, check_base, repository_at, the_one
from handrail.changes.publishing.secrets import Token

# GitLab's levels of access
DEVELOPER = 30
STATES: Mapping[str, State] = {"opened": "open", "locked": "open", "merged": "merged"}


def authorised(token: Token) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {token.secret}"}


class _User(BaseModel):
    id: int
    username: str


class _PersonalToken(BaseModel):
    scopes: list[str]


class _Level(BaseModel):
    access_level: int | None = None


class _Permissions(BaseModel):
    project_access: _Level | None = None
    group_access: _Level | None = None

    def level(self) -> int:
        return max((each.access_level or 0) if each else 0 for each in (self.project_access, self.group_access))


class _Project(Repository):
    # none where the repository is empty
    default_branch: str | None = None
    merge_requests_access_level: str = ""
    permissions: _Permissions = _Permissions()


class _Protection(BaseModel):
    name: str
    push_access_levels: list[_Level] = []


class _MergeRequest(BaseModel):
    iid: int
    web_url: Url
    state: str
    sha: str | None = None
    source_project_id: int
    target_project_id: int
    labels: list[str] = []
    reviewers: list[_User] = []

    def value(self) -> PullRequest:
        return PullRequest(self.iid, self.web_url, STATES.get(self.state, "closed"), self.sha or "")


class GitLab:
    def __init__(self, api: Api, path: str) -> None:
        self._api = api
        self._path = path
        self._project = f"projects/{quote(path, safe='')}"

    @property
    def token(self) -> Token:
        return self._api.token

    async def check_access(self, branch: str, base: str) -> Access:
        user = await self._api.get("user")
        if not user.ok:
            raise errors.TokenLacksScope(f"the token needs the scope `api`: {self._api.said(user)}")
        await self._check_scopes()
        project = await self._found_project()
        level = project.permissions.level()
        if level < DEVELOPER:
            raise errors.NoPushRights(f"the token's owner is not a developer of {self._path}, so cannot push to it")
        await self._check_protection(branch, level)
        await check_base(self._api, f"{self._project}/repository/branches", self._path, base)
        return Access(project.default_branch or "", user.read(_User).username)

    async def _check_scopes(self) -> None:
        """Of personal, project and group tokens; others are not told of here."""
        answer = await self._api.get("personal_access_tokens/self")
        scopes = answer.read(_PersonalToken).scopes if answer.ok else ["api"]
        if "api" not in scopes:
            named = ", ".join(scopes) or "none"
            raise errors.TokenLacksScope(f"the token has the scopes {named}; opening a merge request needs `api`")

    async def _found_project(self) -> _Project:
        found = await repository_at(self._api, self._project, self._path, _Project)
        if found.merge_requests_access_level == "disabled":
            raise errors.PullRequestsDisabled(f"{self._path} takes no merge requests")
        return found

    async def _check_protection(self, branch: str, level: int) -> None:
        answer = await self._api.get(f"{self._project}/protected_branches", per_page=100)
        for rule in answer.read(list[_Protection]) if answer.ok else []:
            # in GitLab `*` stands for any text, and nothing else for anything but itself
            pattern = rule.name.replace("[", "[[]").replace("?", "[?]")
            allowed = [each.access_level for each in rule.push_access_levels if each.access_level]
            if fnmatchcase(branch, pattern) and not any(level >= needed for needed in allowed):
                raise errors.BranchProtected(f"{self._path} protects {rule.name!r}: {branch!r} cannot be pushed")

    async def find_pull_request(self, head: str, base: str, commit: str) -> PullRequest | None:
        answer = await self._api.get(
            f"{self._project}/merge_requests", state="all", source_branch=head, target_branch=base
        )
        if not answer.ok:
            raise self._api.refusal(answer)
        listed = answer.read(list[_MergeRequest])
        return the_one((each.value() for each in listed if each.source_project_id == each.target_project_id), commit)

    async def open_pull_request(self, proposal: Proposal) -> Opening:
        find = partial(self.find_pull_request, proposal.head, proposal.base, proposal.commit)
        found, fresh = await opened_once(find, partial(self._create, proposal), self._api.pause)
        labels = await tolerated("label_missing", self._label(found, proposal))
        return Opening(found, fresh, (*labels, *await tolerated("reviewer_refused", self._review(found, proposal))))

    async def _create(self, proposal: Proposal) -> PullRequest:
        data = {
            "title": f"Draft: {proposal.title}" if proposal.draft else proposal.title,
            "description": proposal.body,
            "source_branch": proposal.head,
            "target_branch": proposal.base,
        }
        answer = await self._api.ask("POST", f"{self._project}/merge_requests", data)
        if not answer.ok:
            raise self._refusal(answer, proposal)
        return answer.read(_MergeRequest).value()

    def _refusal(self, answer: Answer, proposal: Proposal) -> Exception:
        said = self._api.said(answer).lower()
        if answer.status == 409 or "already exists" in said:
            return Exists()
        if "source branch" in said:
            return errors.HeadMissing(f"{self._path} has no branch {proposal.head!r}")
        if "target branch" in said:
            return errors.BaseMissing(f"{self._path} has no branch {proposal.base!r}")
        return self._api.refusal(answer)

    async def _label(self, found: PullRequest, proposal: Proposal) -> list[Note]:
        """Those that are not there are made by GitLab itself."""
        usable = [label for label in proposal.labels if "," not in label]
        notes = [Note("label_missing", f"{label!r} has a comma") for label in proposal.labels if "," in label]
        if usable:
            answer = await self._change(found, {"add_labels": ",".join(usable)})
            there = answer.read(_MergeRequest).labels if answer.ok else []
            notes += [Note("label_missing", f"{label!r}") for label in usable if label not in there]
        return notes

    async def _review(self, found: PullRequest, proposal: Proposal) -> list[Note]:
        """The host says who it took: some editions take one alone, and none takes a stranger."""
        ids: dict[str, int] = {}
        for name in proposal.reviewers:
            answer = await self._api.get("users", username=name)
            people = answer.read(list[_User]) if answer.ok else []
            if people:
                ids[name] = people[0].id
        taken: set[str] = set()
        if ids:
            answer = await self._change(found, {"reviewer_ids": [*ids.values()]})
            taken = {each.username for each in answer.read(_MergeRequest).reviewers} if answer.ok else set[str]()
        refused = [name for name in proposal.reviewers if name not in taken]
        return [Note("reviewer_refused", f"{name!r}: {'not taken' if name in ids else 'unknown'}") for name in refused]

    async def _change(self, found: PullRequest, data: Mapping[str, object]) -> Answer:
        return await self._api.ask("PUT", f"{self._project}/merge_requests/{found.number}", data)
