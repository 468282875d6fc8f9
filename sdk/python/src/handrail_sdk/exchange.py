"""One request and what became of it, as values: operations are generators that yield these and do no I/O themselves.

A client sends what is yielded and gives back the outcome. The asynchronous and the synchronous client are two such
drivers over the same operations.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from .errors import UnexpectedAnswer
from .holds import Comment

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """`repeatable`: sending it twice does no more than sending it once."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    body: dict[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = False
    read_timeout: float = 30.0

    def content(self) -> bytes | None:
        if self.body is None:
            return None
        return json.dumps(self.body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class Response:
    """An answer. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def succeeded(self) -> bool:
        return 200 <= self.status < 300

    def json(self) -> Any:
        try:
            return json.loads(self.content)
        except ValueError:
            raise UnexpectedAnswer(
                f"the server answered {self.status} without JSON; is HANDRAIL_URL a Handrail server?"
            ) from None


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer. `sent`: the request may have reached the server."""

    reason: str
    sent: bool


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


OnComment: TypeAlias = Callable[[Comment], str | Awaitable[str | None] | None]


@dataclass(frozen=True, slots=True)
class Tell:
    """A comment for the program, which may have an answer to it."""

    comment: Comment
    on_comment: OnComment


@dataclass(frozen=True, slots=True)
class Reply:
    answer: str | None


Outcome: TypeAlias = Response | Lost
Flow: TypeAlias = Generator[Request | Pause | Tell, Outcome | Reply | None, T]
