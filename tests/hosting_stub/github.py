"""GitHub's REST API, as far as a pull request needs it."""

from __future__ import annotations

import re
import time
from typing import Any
from urllib.parse import unquote

import jwt

from hosting_stub.state import USERS, Answer, Grant, Pull, Repository, Request, Stub

MISSING = Answer(404, {"message": "Not Found"})
FORBIDDEN = Answer(403, {"message": "Resource not accessible by personal access token"})


def answer(stub: Stub, request: Request, path: str) -> Answer:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if found := re.fullmatch(r"app/installations/(\d+)/access_tokens", path):
        return _installation(stub, given, found[1])
    grant = stub.grant(given)
    if grant is None:
        return Answer(401, {"message": "Bad credentials"})
    headers = {} if grant.scopes is None else {"X-OAuth-Scopes": ", ".join(grant.scopes)}
    if path == "user":
        if grant.is_app:
            return Answer(403, {"message": "Resource not accessible by integration"})
        return Answer(200, {"login": grant.user}, headers)
    found = re.fullmatch(r"repos/([^/]+/[^/]+)(?:/(.+))?", path)
    repository = stub.find(unquote(found[1]), grant) if found else None
    if found is None or repository is None:
        return MISSING
    if repository.moved_to:
        return Answer(301, {"message": "Moved Permanently"}, {"Location": f"{stub.url}/api/v3/repositories/7"})
    return _of_repository(stub, repository, grant, request, found[2] or "")


def _installation(stub: Stub, proof: str, installation: str) -> Answer:
    try:
        claims = jwt.decode(proof, stub.app_key, algorithms=["RS256"], options={"verify_iat": True})
    except jwt.PyJWTError:
        return Answer(401, {"message": "A JSON web token could not be decoded"})
    if claims["exp"] - claims["iat"] > 600:
        return Answer(401, {"message": "'Expiration time' claim ('exp') is too far in the future"})
    if installation != "77":
        return MISSING
    stub.minted += 1
    token = f"ghs_minted{stub.minted}"
    stub.tokens[token] = Grant(scopes=None, expires=time.time() + 3600, is_app=True)
    return Answer(201, {"token": token, "permissions": stub.grants_of_app})


def _of_repository(stub: Stub, repository: Repository, grant: Grant, request: Request, rest: str) -> Answer:
    read = request.method == "GET"
    match rest.split("/"):
        case [""]:
            pushes = grant.user in repository.may_push
            about = {"full_name": repository.path, "default_branch": "main", "private": repository.private}
            rights = {"archived": repository.archived, "permissions": {"pull": True, "push": pushes}}
            return Answer(200, {**about, **rights})
        case ["branches", name] if read:
            commit = repository.commit(unquote(name))
            return Answer(200, {"name": unquote(name), "commit": {"sha": commit}}) if commit else MISSING
        case ["rules", "branches", name] if read:
            return Answer(200, [{"type": "creation"}] if repository.protects(unquote(name)) else [])
        case ["pulls"] if read:
            return Answer(200, _listed(stub, repository, request))
        case ["pulls"]:
            return _open(stub, repository, grant, request) if grant.may_open() else FORBIDDEN
        case ["pulls", number, "requested_reviewers"]:
            return _review(stub, repository, _numbered(repository, number), request)
        case ["labels", name] if read:
            return Answer(200, {"name": name}) if unquote(name) in repository.labels else MISSING
        case ["labels"]:
            return _label(repository, grant, str(request.data["name"]))
        case ["issues", number, "labels"]:
            return _labelled(repository, _numbered(repository, number), request)
        case _:
            return MISSING


def _listed(stub: Stub, repository: Repository, request: Request) -> list[Any]:
    owner, _, branch = request.query["head"].partition(":")
    assert owner == repository.path.partition("/")[0], "GitHub passes over a filter without its owner"
    return [
        shown(stub, repository, pull)
        for pull in reversed(repository.pulls)
        if pull.head == branch and pull.base == request.query["base"] and request.query["state"] in {"all", pull.state}
    ]


def _open(stub: Stub, repository: Repository, grant: Grant, request: Request) -> Answer:
    data = request.data
    head, base = str(data.get("head", "")), str(data.get("base", ""))
    if not data.get("title") or not head or not base:
        return _invalid({"resource": "PullRequest", "code": "missing_field", "field": "base"})
    for name, branch in (("head", head), ("base", base)):
        if repository.commit(branch) is None:
            return _invalid({"resource": "PullRequest", "field": name, "code": "invalid"})
    if any(pull.head == head and pull.base == base and pull.state == "open" for pull in repository.pulls):
        owner = repository.path.partition("/")[0]
        return _invalid({"code": "custom", "message": f"A pull request already exists for {owner}:{head}."})
    if not repository.ahead(head, base):
        return _invalid({"code": "custom", "message": f"No commits between {base} and {head}"})
    if data.get("draft") and not repository.takes_drafts:
        return Answer(422, {"message": "Draft pull requests are not supported in this repository."})
    if len(str(data.get("body", ""))) > 65536:
        return _invalid({"code": "custom", "message": "body is too long (maximum is 65536 characters)"})
    pull = opened(repository, grant, head, base, request, draft=bool(data.get("draft")))
    return Answer(201, shown(stub, repository, pull))


def opened(repository: Repository, grant: Grant, head: str, base: str, request: Request, *, draft: bool) -> Pull:
    data = request.data
    body = str(data.get("body") or data.get("description") or "")
    pull = Pull(len(repository.pulls) + 1, head, base, str(data["title"]), body, draft, grant.user)
    repository.pulls.append(pull)
    return pull


def shown(stub: Stub, repository: Repository, pull: Pull) -> dict[str, Any]:
    side = {"repo": {"full_name": repository.path}, "repo_id": 1}
    return {
        "number": pull.number,
        "html_url": f"{stub.url}/{repository.path}/pull/{pull.number}",
        "state": "closed" if pull.state == "merged" else pull.state,
        "merged_at": "2026-11-16T09:00:00Z" if pull.state == "merged" else None,
        "merged": pull.state == "merged",
        "draft": pull.draft,
        "head": {"ref": pull.head, "sha": repository.commit(pull.head) or "0" * 40, **side},
        "base": {"ref": pull.base, "sha": repository.commit(pull.base), **side},
    }


def _review(stub: Stub, repository: Repository, pull: Pull, request: Request) -> Answer:
    """All or none."""
    names = [str(name) for name in request.data["reviewers"]]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType, reportUnknownArgumentType] - JSON
    if pull.author in names:
        return Answer(422, {"message": "Review cannot be requested from pull request author."})
    if not all(name in USERS and name in repository.may_push for name in names):
        return Answer(422, {"message": "Reviews may only be requested from collaborators."})
    pull.reviewers += [name for name in names if name not in pull.reviewers]
    return Answer(201, shown(stub, repository, pull))


def _label(repository: Repository, grant: Grant, name: str) -> Answer:
    if name in repository.labels:
        return _invalid({"resource": "Label", "code": "already_exists", "field": "name"})
    if not grant.may_push():
        return FORBIDDEN
    if len(name) > 50:
        return _invalid({"resource": "Label", "code": "invalid", "field": "name"})
    repository.labels.append(name)
    return Answer(201, {"name": name})


def _labelled(repository: Repository, pull: Pull, request: Request) -> Answer:
    names = [str(name) for name in request.data["labels"]]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType, reportUnknownArgumentType] - JSON
    pull.labels += [name for name in names if name not in pull.labels]
    return Answer(200, [{"name": name} for name in pull.labels])


def _numbered(repository: Repository, number: str) -> Pull:
    return repository.pulls[int(number) - 1]


def _invalid(complaint: dict[str, str]) -> Answer:
    return Answer(422, {"message": "Validation Failed", "errors": [complaint]})
