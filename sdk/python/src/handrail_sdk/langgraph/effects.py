"""`effect`: an external call that is not made twice when a worker dies and the node runs again.

The place of the call is reserved before it and completed after it. A place that was reserved and never completed may
have happened: unless the call is declared idempotent, a person is asked.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import closing
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, TypeAlias, TypeVar, cast

from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp

from handrail_sdk.canonical import digest, plain
from handrail_sdk.errors import HandrailError, Misconfigured, NotJson
from handrail_sdk.holds import Action

from . import port, results
from .asking import ask_human
from .port import Done, MayHaveHappened, RunPort

T = TypeVar("T")
Steps: TypeAlias = Generator[Coroutine[Any, Any, Any], Any, T]

HAPPENED: Final = "it happened"
NOT_HAPPENED: Final = "it did not happen, do it now"
STOP: Final = "stop"

_key: ContextVar[str | None] = ContextVar("handrail_effect_key", default=None)


class Stopped(HandrailError):
    """A call may have happened, and a person stopped the run, or nobody answered in time."""

    default_code = "effect_stopped"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the run a call is: the same each time the node runs again."""

    task: str
    call: int


def effect(name: str, function: Callable[..., T], /, *args: Any, idempotent: bool = False, **kwargs: Any) -> T | None:
    """Calls the function, in a sync node; a call that an earlier execution of the node made is not made again.

    If an earlier execution made the call, its result is returned. If one began it and left no result, it is made again
    if `idempotent` declares that harmless; otherwise a person is asked and answers: it happened (returns None, because
    nobody knows the result), it did not happen and should be done now, or stop (raises Stopped).

    If the function raises, that counts as "may have happened". Results are kept as JSON, or as LangGraph keeps values.
    Inside the function, `effect_key()` is the key to send to services that take one.
    Outside Handrail the function is simply called.
    """
    here = port.current.get()
    call = functools.partial(function, *args, **kwargs)
    if here is None:
        return call()
    if _on_a_loop():
        raise Misconfigured(f"effect({name!r}) blocks an event loop: in an async node, use `await aeffect(...)`")
    return blocking(once(here, name, _digest(name, args, kwargs), place(), call, idempotent), here)


async def aeffect(
    name: str,
    function: Callable[..., Awaitable[T]] | Callable[..., T],
    /,
    *args: Any,
    idempotent: bool = False,
    **kwargs: Any,
) -> T | None:
    """Like `effect`, in an async node; the function may be async too."""
    here = port.current.get()
    call = functools.partial(function, *args, **kwargs)
    if here is None:
        value: Any = call()
        return await value if inspect.isawaitable(value) else value
    return await awaiting(once(here, name, _digest(name, args, kwargs), place(), call, idempotent))


def effect_key() -> str | None:
    """The idempotency key of the effect that runs now: the same however often it is tried."""
    return _key.get()


def place() -> Place:
    """The next place in the task that runs now. LangGraph starts counting again each time the task runs."""
    configurable = get_config().get("configurable", {})
    return Place(configurable["checkpoint_ns"], configurable["__pregel_scratchpad"].call_counter())


def once(here: RunPort, name: str, asked: str, at: Place, call: Callable[[], Any], idempotent: bool) -> Steps[Any]:
    """The call, made once. Each attempt has a separate place, so that every execution takes the same path."""
    for attempt in count():
        task = at.task if attempt == 0 else f"{at.task}~{attempt}"
        found: port.Reservation = yield here.reserve(name, asked, task=task, call=at.call)
        match found:
            case Done(result):
                return results.kept(name, result)
            case MayHaveHappened() as doubt if not idempotent:
                if _ask(doubt, name, attempt) == HAPPENED:
                    call = _unknown
            case claim:
                value = yield from _called(here, Place(task, at.call), call, claim.key)
                yield here.complete(task, at.call, results.keep(name, value))
                return value
    raise AssertionError("attempts end with a result or with Stopped")


def _called(here: RunPort, at: Place, call: Callable[[], Any], key: str) -> Steps[Any]:
    token = _key.set(key)
    try:
        value = call()
        return (yield cast("Coroutine[Any, Any, Any]", value)) if inspect.isawaitable(value) else value
    except GraphBubbleUp:
        yield here.release(at.task, at.call)
        raise
    finally:
        _key.reset(token)


def _unknown() -> None:
    """It happened before, with an unknown result."""


def _ask(doubt: MayHaveHappened, name: str, attempt: int) -> str:
    answer = ask_human(
        "input",
        f"Did {doubt.name!r} happen? It was started at {doubt.since:%Y-%m-%d %H:%M:%S} UTC and left no result",
        Action(name),
        schema={"enum": [HAPPENED, NOT_HAPPENED, STOP]},
        description="The worker stopped in the middle of it. Check what it acts on before you answer.",
        evidence={"attempt": attempt + 1, "key": doubt.key},
    )
    if answer.answer not in {HAPPENED, NOT_HAPPENED}:
        raise Stopped(f"{name!r} may have happened, and the run was stopped: {answer.reason or answer.outcome}")
    return answer.answer


def _digest(name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    """Of the arguments; those that are not JSON count by their text."""
    return digest("effect", name, Action(name, {"args": [_shown(a) for a in args], **_named(kwargs)}))


def _named(kwargs: dict[str, object]) -> dict[str, Any]:
    return {"kwargs": {key: _shown(value) for key, value in kwargs.items()}}


def _shown(value: object) -> Any:
    try:
        return plain(value)
    except NotJson:
        return type(value).__qualname__


def _on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def awaiting(steps: Steps[T]) -> T:
    proceed = functools.partial(steps.send, None)
    # closed here, in the context that the key was set in
    with closing(steps):
        while True:
            try:
                step = proceed()
            except StopIteration as done:
                return done.value
            try:
                proceed = functools.partial(steps.send, await step)
            except Exception as error:
                proceed = functools.partial(steps.throw, error)


def blocking(steps: Steps[T], here: RunPort) -> T:
    """On a separate thread: the run's loop does the waiting."""
    proceed = functools.partial(steps.send, None)
    with closing(steps):
        while True:
            try:
                step = proceed()
            except StopIteration as done:
                return done.value
            try:
                proceed = functools.partial(steps.send, asyncio.run_coroutine_threadsafe(step, here.loop).result())
            except Exception as error:
                proceed = functools.partial(steps.throw, error)
