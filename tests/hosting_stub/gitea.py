"""Gitea's REST API, as far as a pull request needs it."""

from __future__ import annotations

import re
from typing import Any, cast
from urllib.parse import unquote

from hosting_stub.github import opened, shown
from hosting_stub.state import USERS, Answer, Grant, Pull, Repository, Request, Stub

MISSING = Answer(404, {"message": "not found"})


def answer(stub: Stub, request: Request, path: str) -> Answer:
    grant = stub.grant(request.headers.get("Authorization", "").removeprefix("token "))
    if grant is None:
        return Answer(401, {"message": "user does not exist [uid: 0, name: ]"})
    if path == "user":
        return Answer(200, {"login": grant.user})
    found = re.fullmatch(r"repos/([^/]+/[^/]+)(?:/(.+))?", path)
    repository = stub.find(unquote(found[1]), grant) if found else None
    if found is None or repository is None:
        return MISSING
    if repository.moved_to:
        return Answer(301, None, {"Location": f"/api/v1/repos/{repository.moved_to}"})
    if request.method != "GET" and not grant.may_open():
        return Answer(403, {"message": "token does not have at least one of required scope(s): [write:repository]"})
    return _of_repository(stub, repository, grant, request, found[2] or "")


def _of_repository(stub: Stub, repository: Repository, grant: Grant, request: Request, rest: str) -> Answer:
    read = request.method == "GET"
    match rest.split("/"):
        case [""]:
            about = {"default_branch": "main", "archived": repository.archived}
            pushes = grant.user in repository.may_push
            rights = {"permissions": {"admin": False, "push": pushes, "pull": True}}
            return Answer(200, {**about, **rights, "has_pull_requests": repository.takes_pulls})
        case ["branches", name] if read:
            return Answer(200, {"name": unquote(name)}) if repository.commit(unquote(name)) else MISSING
        case ["branch_protections"]:
            if grant.user not in repository.admins:
                return Answer(403, {"message": "user should be an owner or a collaborator with admin write"})
            return Answer(200, [{"rule_name": name, "enable_push": False} for name in repository.protected])
        case ["pulls"] if read:
            page, limit = int(request.query["page"]), int(request.query["limit"])
            newest = [*reversed(repository.pulls)][(page - 1) * limit : page * limit]
            return Answer(200, [shown(stub, repository, pull) for pull in newest])
        case ["pulls"]:
            return _open(stub, repository, grant, request)
        case ["pulls", number, "requested_reviewers"]:
            return _review(repository, repository.pulls[int(number) - 1], request)
        case ["labels"] if read:
            return Answer(200, [{"id": n, "name": name} for n, name in enumerate(repository.labels, 1)])
        case ["labels"]:
            name = str(request.data["name"])
            if len(name) > 50:
                return Answer(422, {"message": "label is too long"})
            repository.labels.append(name)
            return Answer(201, {"id": len(repository.labels), "name": name})
        case ["issues", number, "labels"]:
            ids = cast("list[int]", request.data["labels"])
            repository.pulls[int(number) - 1].labels = [repository.labels[one - 1] for one in ids]
            return Answer(200, [])
        case _:
            return MISSING


def _open(stub: Stub, repository: Repository, grant: Grant, request: Request) -> Answer:
    head, base = str(request.data.get("head", "")), str(request.data.get("base", ""))
    if not request.data.get("title"):
        return Answer(422, {"message": "[Title]: Required"})
    if repository.commit(head) is None or repository.commit(base) is None:
        return MISSING
    if any(pull.head == head and pull.base == base and pull.state == "open" for pull in repository.pulls):
        return Answer(409, {"message": "pull request already exists for these targets"})
    pull = opened(repository, grant, head, base, request, draft=str(request.data["title"]).startswith("WIP:"))
    return Answer(201, shown(stub, repository, pull))


def _review(repository: Repository, pull: Pull, request: Request) -> Answer:
    for name in cast("list[Any]", request.data["reviewers"]):
        if name not in USERS:
            return Answer(404, {"message": f"user does not exist [name: {name}]"})
        if name == pull.author:
            return Answer(422, {"message": "poster of pr can't be reviewer"})
        if name not in repository.may_push:
            return Answer(422, {"message": "Reviewer can't read"})
        if name not in pull.reviewers:
            pull.reviewers.append(name)
    return Answer(201, [])
