"""`ask`: a typed question to people, and their answer as a value of a type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, TypeVar, overload

from .client import AsyncHandrail, Handrail
from .errors import NotAllowed, UnexpectedAnswer
from .exchange import Flow, OnComment
from .operations import Operations
from .shapes import json_of, schema_of, value_of

T = TypeVar("T")


@overload
async def ask(
    question: object,
    answer: type[T],
    *,
    title: str | None = None,
    key: str | None = None,
    timeout: float | None = None,
    on_comment: OnComment | None = None,
    client: AsyncHandrail | None = None,
) -> T: ...
@overload
async def ask(
    question: object,
    answer: Mapping[str, object],
    *,
    title: str | None = None,
    key: str | None = None,
    timeout: float | None = None,
    on_comment: OnComment | None = None,
    client: AsyncHandrail | None = None,
) -> Any: ...
async def ask(
    question: object,
    answer: Any,
    *,
    title: str | None = None,
    key: str | None = None,
    timeout: float | None = None,
    on_comment: OnComment | None = None,
    client: AsyncHandrail | None = None,
) -> Any:
    """One person's answer, as a value of the type `answer`. Waits forever by default, through restarts and outages.

    `question` and `answer` are pydantic models, dataclasses, or plain JSON and a JSON schema. People see the question's
    fields and a form for the answer; the server refuses an answer that does not fit. The title is the name of the
    question's type, unless you give one.

    With a `key`, a program that restarts is re-attached to its question and gets the answer given in the meantime.
    Without one it asks again. After `timeout` seconds the server ends the question. NotAllowed is raised if it expires
    or is cancelled.
    """
    async with nullcontext(client) if client else AsyncHandrail() as handrail:
        return await handrail.run(answered(handrail.operations, question, answer, title, key, timeout, on_comment))


@overload
def ask_sync(
    question: object,
    answer: type[T],
    *,
    title: str | None = None,
    key: str | None = None,
    timeout: float | None = None,
    on_comment: OnComment | None = None,
    client: Handrail | None = None,
) -> T: ...
@overload
def ask_sync(
    question: object,
    answer: Mapping[str, object],
    *,
    title: str | None = None,
    key: str | None = None,
    timeout: float | None = None,
    on_comment: OnComment | None = None,
    client: Handrail | None = None,
) -> Any: ...
def ask_sync(
    question: object,
    answer: Any,
    *,
    title: str | None = None,
    key: str | None = None,
    timeout: float | None = None,
    on_comment: OnComment | None = None,
    client: Handrail | None = None,
) -> Any:
    """The same for programs without an event loop."""
    with nullcontext(client) if client else Handrail() as handrail:
        return handrail.run(answered(handrail.operations, question, answer, title, key, timeout, on_comment))


def answered(
    operations: Operations,
    question: object,
    answer: Any,
    title: str | None,
    key: str | None,
    timeout: float | None,
    on_comment: OnComment | None,
) -> Flow[Any]:
    hold = yield from operations.ask(
        "input",
        title or _title(question),
        evidence=json_of(question, "the question"),
        schema=schema_of(answer),
        expires_in=timeout,
        idempotency_key=key,
        on_comment=on_comment,
    )
    if hold.status != "answered":
        raise NotAllowed(hold)
    if hold.decision is None:
        raise UnexpectedAnswer(f"hold {hold.id} is answered without a decision")
    return value_of(answer, hold.decision.answer)


def _title(question: object) -> str:
    """`ApproveRefund(…)` is "Approve refund"; a plain text is its own title."""
    if isinstance(question, str):
        return question
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type(question).__name__).replace("_", " ").lower()
    return words[:1].upper() + words[1:]
