"""What every host is asked in the same way: a repository, a branch of it, and which pull request is the one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar
from urllib.parse import quote

from pydantic import BaseModel

from handrail.changes.publishing import errors
from handrail.changes.publishing.api import Api
from handrail.changes.publishing.pulls import PullRequest


class User(BaseModel):
    """As GitHub and Gitea name one."""

    login: str


class Repository(BaseModel):
    archived: bool = False


R = TypeVar("R", bound=Repository)


async def repository_at(api: Api, place: str, path: str, kind: type[R]) -> R:
    """One that can be pushed to; refused where the token may not see it, or where it is read-only."""
    answer = await api.get(place)
    if answer.status == 404:
        raise errors.RepositoryMissing(f"{path} does not exist on {api.host}, or the token may not see it")
    if not answer.ok:
        raise api.refusal(answer)
    found = answer.read(kind)
    if found.archived:
        raise errors.RepositoryArchived(f"{path} is archived: nothing can be pushed")
    return found


async def has_branch(api: Api, branches: str, name: str) -> bool:
    return (await api.get(f"{branches}/{quote(name, safe='')}")).status != 404


async def check_base(api: Api, branches: str, path: str, base: str) -> None:
    if not await has_branch(api, branches, base):
        raise errors.BaseMissing(f"{path} has no branch {base!r}")


def the_one(found: Iterable[PullRequest], commit: str) -> PullRequest | None:
    """The open one, or one that was closed or merged with this commit."""
    return next((each for each in found if each.state == "open" or each.commit == commit), None)
