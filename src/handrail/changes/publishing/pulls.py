"""What is asked of a host and what it answers, in words that all hosts share; and how to ask just once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from pydantic import StringConstraints

from handrail.changes.publishing.errors import HostBusy, HostRefused, HostUnavailable, NotPublished
from handrail.changes.publishing.secrets import Token
from handrail.core.canonical import JsonObject

Pause = Callable[[float], Awaitable[None]]
# what people may be shown as a link
Url = Annotated[str, StringConstraints(pattern=r"^https?://[^\s]+$", max_length=2000)]
NoteCode = Literal["label_missing", "reviewer_refused"]
State = Literal["open", "closed", "merged"]
# before another attempt where the host failed and shows nothing of the first
WAITS = (1.0, 4.0)


@dataclass(frozen=True, slots=True)
class Access:
    """What may be counted on: the branch that is merged into by default and whose token it is. `unknown` is what the
    host does not tell in advance."""

    default_branch: str
    user: str
    unknown: tuple[str, ...] = ()

    def as_data(self) -> JsonObject:
        return {"default_branch": self.default_branch, "user": self.user, "unknown": [*self.unknown]}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pull request to open. Reviewers are names; on GitHub and Gitea `team/name` is a team."""

    head: str
    base: str
    commit: str
    title: str
    body: str
    draft: bool = True
    labels: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PullRequest:
    number: int
    url: str
    state: State
    commit: str

    def as_data(self) -> JsonObject:
        return {"number": self.number, "url": self.url, "state": self.state, "commit": self.commit}


@dataclass(frozen=True, slots=True)
class Note:
    """What the host did not take, and which did not keep the pull request from being opened."""

    code: NoteCode
    detail: str

    def as_data(self) -> JsonObject:
        return {"code": self.code, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Opening:
    """`fresh` unless it was there already."""

    pull_request: PullRequest
    fresh: bool
    notes: tuple[Note, ...] = ()

    def as_data(self) -> JsonObject:
        notes: JsonObject = {"fresh": self.fresh, "notes": [note.as_data() for note in self.notes]}
        return {**self.pull_request.as_data(), **notes}


async def tolerated(code: NoteCode, asked: Awaitable[list[Note]]) -> list[Note]:
    """What was not taken; also where the host failed over it: the pull request is open by then."""
    try:
        return await asked
    except NotPublished as failed:
        return [Note(code, failed.message)]


class Host(Protocol):
    """A repository on a host, by a token."""

    @property
    def token(self) -> Token:
        """For git."""
        ...

    async def check_access(self, branch: str, base: str) -> Access:
        """Before any work: that this branch can be pushed and merged into that one. Changes nothing."""
        ...

    async def find_pull_request(self, head: str, base: str, commit: str) -> PullRequest | None:
        """The open one of this branch, or one that has been closed or merged with this commit."""
        ...

    async def open_pull_request(self, proposal: Proposal) -> Opening:
        """May be repeated, also after an answer that was lost."""
        ...


class Exists(Exception):
    """The host says that there is one already."""


async def opened_once(
    find: Callable[[], Awaitable[PullRequest | None]], create: Callable[[], Awaitable[PullRequest]], pause: Pause
) -> tuple[PullRequest, bool]:
    """The pull request, and whether it is new. An answer that was lost is looked for before anything is sent again."""
    found = await find()
    if found is not None:
        return found, False
    for wait in (*WAITS, None):
        try:
            return await create(), True
        except Exists:
            found = await find()
            if found is None:
                raise HostRefused("the host says that a pull request exists, but does not show it") from None
            return found, False
        except HostUnavailable as error:
            found = await find()
            if found is not None:
                return found, True
            if wait is None or isinstance(error, HostBusy):
                raise
            await pause(wait)
    raise AssertionError("the last attempt returns or raises")
