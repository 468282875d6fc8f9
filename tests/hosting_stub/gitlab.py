"""GitLab's REST API, as far as a merge request needs it."""

from __future__ import annotations

import re
from typing import Any, cast
from urllib.parse import unquote

from hosting_stub.github import opened
from hosting_stub.state import USERS, Answer, Grant, Pull, Repository, Request, Stub

MISSING = Answer(404, {"message": "404 Project Not Found"})
STATES = {"open": "opened"}


def answer(stub: Stub, request: Request, path: str) -> Answer:
    grant = stub.grant(request.headers.get("Authorization", "").removeprefix("Bearer "))
    if grant is None:
        return Answer(401, {"message": "401 Unauthorized"})
    if path == "personal_access_tokens/self":
        return Answer(200, {"scopes": grant.scopes}) if grant.scopes is not None else Answer(404, {})
    if grant.scopes is not None and not {"api", "read_api"} & {*grant.scopes}:
        return Answer(403, {"error": "insufficient_scope", "scope": "api read_api"})
    if path == "user":
        return Answer(200, {"id": USERS[grant.user], "username": grant.user})
    if path == "users":
        name = request.query["username"]
        return Answer(200, [{"id": USERS[name], "username": name}] if name in USERS else [])
    found = re.fullmatch(r"projects/([^/]+)(?:/(.+))?", path)
    repository = stub.find(unquote(found[1]), grant) if found else None
    if found is None or repository is None:
        return MISSING
    if repository.moved_to:
        return Answer(301, None, {"Location": f"{stub.url}/api/v4/projects/7"})
    if request.method != "GET" and not grant.may_open():
        return Answer(403, {"error": "insufficient_scope", "scope": "api"})
    return _of_project(stub, repository, grant, request, found[2] or "")


def _of_project(stub: Stub, repository: Repository, grant: Grant, request: Request, rest: str) -> Answer:
    read = request.method == "GET"
    match rest.split("/"):
        case [""]:
            level = 30 if grant.user in repository.may_push else 20
            about = {"default_branch": "main", "archived": repository.archived}
            takes = {"merge_requests_access_level": "enabled" if repository.takes_pulls else "disabled"}
            access = {"project_access": {"access_level": level}, "group_access": None}
            return Answer(200, {**about, **takes, "permissions": access})
        case ["repository", "branches", name] if read:
            return Answer(200, {"name": unquote(name)}) if repository.commit(unquote(name)) else MISSING
        case ["protected_branches"]:
            rules = [{"name": name, "push_access_levels": [{"access_level": 40}]} for name in repository.protected]
            return Answer(200, rules)
        case ["merge_requests"] if read:
            wanted = (request.query["source_branch"], request.query["target_branch"])
            pulls = [pull for pull in reversed(repository.pulls) if (pull.head, pull.base) == wanted]
            return Answer(200, [_shown(stub, repository, pull) for pull in pulls])
        case ["merge_requests"]:
            return _open(stub, repository, grant, request)
        case ["merge_requests", number] if request.method == "PUT":
            pull = repository.pulls[int(number) - 1]
            _change(repository, pull, request)
            return Answer(200, _shown(stub, repository, pull))
        case _:
            return MISSING


def _open(stub: Stub, repository: Repository, grant: Grant, request: Request) -> Answer:
    head, base = str(request.data["source_branch"]), str(request.data["target_branch"])
    for name, branch in (("Source", head), ("Target", base)):
        if repository.commit(branch) is None:
            return Answer(400, {"message": [f'{name} branch "{branch}" does not exist']})
    if any(pull.head == head and pull.base == base and pull.state == "open" for pull in repository.pulls):
        said = f"Another open merge request already exists for this source branch: !{len(repository.pulls)}"
        return Answer(409, {"message": [said]})
    draft = str(request.data["title"]).startswith("Draft:")
    pull = opened(repository, grant, head, base, request, draft=draft)
    return Answer(201, _shown(stub, repository, pull))


def _change(repository: Repository, pull: Pull, request: Request) -> None:
    if labels := request.data.get("add_labels"):
        names = [name for name in str(labels).split(",") if len(name) <= 50]
        repository.labels += [name for name in names if name not in repository.labels]
        pull.labels += [name for name in names if name not in pull.labels]
    if ids := cast("list[int]", request.data.get("reviewer_ids")):
        allowed = {USERS[name]: name for name in repository.may_push if name != pull.author}
        pull.reviewers = [allowed[one] for one in ids if one in allowed]


def _shown(stub: Stub, repository: Repository, pull: Pull) -> dict[str, Any]:
    return {
        "iid": pull.number,
        "web_url": f"{stub.url}/{repository.path}/-/merge_requests/{pull.number}",
        "state": STATES.get(pull.state, pull.state),
        "sha": repository.commit(pull.head),
        "source_project_id": 7,
        "target_project_id": 7,
        "labels": pull.labels,
        "reviewers": [{"id": USERS[name], "username": name} for name in pull.reviewers],
    }
