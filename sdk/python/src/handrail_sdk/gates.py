"""`@gate`: a function that runs only when people, or the policy, have approved this exact call."""

from __future__ import annotations

import functools
import hashlib
import inspect
import logging
import secrets
from collections.abc import Callable, Coroutine, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Generic, Literal, ParamSpec, TypeAlias, TypeVar, cast

from .canonical import digest, plain, plain_object
from .client import AsyncHandrail, Handrail
from .errors import (
    ActionChanged,
    AlreadyRan,
    AlreadyRedeemed,
    ApprovalVoid,
    HandrailError,
    MayHaveRun,
    NotAllowed,
    NotApproved,
    StaleDigest,
)
from .exchange import Flow, OnComment, Pause
from .holds import Action, Hold, Redeem
from .operations import Operations
from .retries import backoff

log = logging.getLogger("handrail_sdk")

P = ParamSpec("P")
T = TypeVar("T")
B = TypeVar("B")
GateKind: TypeAlias = Literal["approval", "confirmation", "review"]
Arguments: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question(Generic[B]):
    """How a call is put to people. `B` is the form in which its arguments run."""

    name: str
    kind: GateKind
    title: str | Callable[[Arguments], str] | None
    target: str | Callable[[Arguments], str] | None
    task: Mapping[str, object] | Callable[[Arguments], Mapping[str, object] | None] | None
    key: Callable[[Arguments], str] | None
    expires_in: float | None
    idempotent: bool
    on_comment: OnComment | None
    takes_response: bool

    def arguments(self, bound: B) -> dict[str, Any]:
        """A copy of what the call's arguments are at this moment, as people see them."""
        raise NotImplementedError

    def bind(self, arguments: Arguments) -> B:
        """The arguments as they run; refused where they do not fit."""
        raise NotImplementedError

    @property
    def case_id(self) -> str | None:
        """What the call belongs to, such as a conversation."""
        return None

    def titled(self, arguments: Arguments) -> str:
        if self.title is None:
            return self.name
        return self.title if isinstance(self.title, str) else self.title(arguments)

    def action(self, arguments: Arguments) -> Action:
        target = self.target(arguments) if callable(self.target) else self.target and f"{arguments[self.target]}"
        return Action(self.name, dict(arguments), target)

    def about(self, arguments: Arguments) -> dict[str, Any] | None:
        """What is claimed of the call."""
        task = self.task(arguments) if callable(self.task) else self.task
        return None if task is None else plain_object(task, f"the task of {self.name}()")


@dataclass(frozen=True, slots=True)
class FunctionQuestion(Question[inspect.BoundArguments]):
    """How a call of one function is put to people."""

    signature: inspect.Signature

    def bound(self, *args: object, **kwargs: object) -> inspect.BoundArguments:
        """A call's arguments, defaults included."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound

    def arguments(self, bound: inspect.BoundArguments) -> dict[str, Any]:
        return {name: self._plain(name, value) for name, value in bound.arguments.items()}

    def _plain(self, name: str, value: object) -> Any:
        if self.signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
            value = list(cast("tuple[object, ...]", value))
        return plain(value, f"argument `{name}` of {self.name}()")

    def bind(self, arguments: Arguments) -> inspect.BoundArguments:
        if arguments.keys() != self.signature.parameters.keys():
            odd = sorted(arguments.keys() ^ self.signature.parameters.keys())
            raise ActionChanged(f"the action was amended and no longer matches {self.name}(): {', '.join(odd)}")
        bound = inspect.BoundArguments(self.signature, cast("Any", dict(arguments)))
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                bound.arguments[name] = tuple(arguments[name])
        return bound


@dataclass(frozen=True, slots=True)
class Passage(Generic[B]):
    """The approval was used: these arguments may run, once. `amended`: people changed them."""

    hold_id: str
    bound: B
    amended: bool = False


def passage(operations: Operations, question: Question[B], bound: B) -> Flow[Passage[B]]:
    """Opens the hold, waits, and redeems the approval of exactly the arguments that are returned.

    Where nobody has to be asked, one request does all of it.
    """
    shown = question.arguments(bound)
    title, key = question.titled(shown), question.key and question.key(shown)
    redemption = _redemption_key(key if question.idempotent else None)
    wanted = digest(question.kind, title, question.action(shown))
    try:
        hold = yield from operations.open(
            question.kind,
            title,
            question.action(shown),
            task=question.about(shown),
            case_id=question.case_id,
            expires_in=question.expires_in,
            takes_response=question.takes_response,
            redeem=Redeem(wanted, redemption) if question.kind == "approval" else None,
            idempotency_key=key,
        )
    except AlreadyRedeemed as refusal:
        raise _used((yield from operations.get(refusal.data["hold_id"]))) from None
    # one that was used under another key is refused above, and one of another digest was amended
    if hold.redeemed is not None and hold.result is None and hold.digest == wanted:
        return Passage(hold.id, question.bind(shown))
    attempt = 0
    while True:
        if hold.pending:
            hold = yield from operations.wait(hold.id, on_comment=question.on_comment)
        _check_usable(hold, question)
        # a later revision is what people made of the action; the first is what the arguments are now
        arguments = hold.action.args if hold.action and hold.revision > 1 else question.arguments(bound)
        runnable = question.bind(arguments)
        try:
            yield from operations.redeem(hold.id, digest(question.kind, title, question.action(arguments)), redemption)
            return Passage(hold.id, runnable, amended=hold.revision > 1)
        except (NotApproved, ApprovalVoid, StaleDigest, AlreadyRedeemed) as refusal:
            seen, hold = hold, (yield from operations.get(hold.id))
            if isinstance(refusal, AlreadyRedeemed):
                raise _used(hold) from None
            if isinstance(refusal, StaleDigest) and hold.revision == seen.revision:
                message = f"the arguments of {question.name}() are not those that were approved"
                raise ActionChanged(message, data={"hold_id": hold.id}) from None
        yield Pause(backoff(attempt))
        attempt += 1


def _check_usable(hold: Hold, question: Question[Any]) -> None:
    if not hold.approved:
        raise NotAllowed(hold)
    if hold.result is not None or (hold.redeemed is not None and not question.idempotent):
        raise _used(hold)


def _used(hold: Hold) -> MayHaveRun:
    if hold.result is not None:
        return AlreadyRan(f"{hold.title!r} ran before and {hold.result.outcome}", hold)
    since = f" at {hold.redeemed.at.isoformat()}" if hold.redeemed else ""
    return MayHaveRun(f"{hold.title!r} was started{since} and left no result: check whether it happened", hold)


def _redemption_key(key: str | None) -> str:
    """Fresh for every attempt, so that of two attempts one runs; of its own for each key where both may run."""
    if key is None:
        return secrets.token_hex(16)
    return hashlib.sha256(f"redeem {key}".encode()).hexdigest()


def record(operations: Operations, hold_id: str, error: Exception | None = None) -> Flow[None]:
    """Records that the function returned, or the type of what it raised: neither its value nor the error's text.

    The action has happened by now, so a failure to record it is logged and keeps nothing from the caller.
    """
    try:
        if error is None:
            yield from operations.result(hold_id, "succeeded")
        else:
            yield from operations.result(hold_id, "failed", {"error": type(error).__qualname__})
    except HandrailError as problem:
        log.warning("the result of hold %s could not be recorded: %s", hold_id, problem)


def gate(
    *,
    kind: GateKind = "approval",
    title: str | Callable[[Arguments], str] | None = None,
    target: str | Callable[[Arguments], str] | None = None,
    task: Mapping[str, object] | Callable[[Arguments], Mapping[str, object]] | None = None,
    key: Callable[[Arguments], str] | None = None,
    expires_in: float | None = None,
    idempotent: bool = False,
    on_comment: OnComment | None = None,
    takes_response: bool = False,
    client: AsyncHandrail | Handrail | None = None,
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Puts a hold in front of a function, sync or async: it runs only when this exact call is approved.

    A call opens a hold on the actual arguments (defaults included; they must be JSON), waits for the decision, redeems
    it against the digest of the arguments as they are then, runs the function on a plain copy of exactly those, and
    records how it ended: `succeeded`, or `failed` with the type of the exception. Neither the value returned nor the
    text of an exception leaves the program; an interrupted function (cancelled, killed) leaves no result.

    If people amended the arguments, the function runs with the amended ones.

    `title` is what people read first (default: the function's name); `target` names the parameter that says what is
    acted on. The risk of the call follows from the function's name, the arguments and the target, through the actions
    that the operator registered; `task` is what you claim on top, such as `{"estimated_cost": 500}`: it can raise the
    level but never lowers it, unless an administrator trusts your claims. `key` is the idempotency key. All of them may
    be functions of the arguments, a mapping by parameter name. `on_comment` is called with the questions people ask
    while the call waits, and may return the reply.

    With `takes_response`, people may also respond with words in place of yes or no: NotAllowed then has them as its
    `response`.

    Raises NotAllowed if the request is rejected, expired or cancelled, and ActionChanged if the arguments are no longer
    those that were approved. The function has then not run.

    A call runs at most once. A program that dies and calls again with the same key is re-attached to its hold; if the
    earlier attempt had already begun, MayHaveRun is raised (AlreadyRan if its result is known). With `idempotent=True`,
    which declares that running twice is harmless, a call that began and left no result runs again.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        name = _name(function)
        signature = inspect.signature(function)
        if isinstance(target, str) and target not in signature.parameters:
            raise TypeError(f"{name}() has no parameter {target!r} to use as the target")
        question = FunctionQuestion(
            name, kind, title, target, task, key, expires_in, idempotent, on_comment, takes_response, signature
        )
        if inspect.iscoroutinefunction(function):
            if isinstance(client, Handrail):
                raise TypeError(f"{name}() is async: pass an AsyncHandrail as its client")
            return cast("Callable[P, T]", _awaiting(function, question, client))
        if isinstance(client, AsyncHandrail):
            raise TypeError(f"{name}() is not async: pass a Handrail as its client")
        if inspect.iscoroutinefunction(on_comment):
            raise TypeError(f"{name}() is not async: pass a plain function as `on_comment`")
        return _blocking(function, question, client)

    return decorate


def _name(function: Callable[..., object]) -> str:
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError("a generator cannot be gated, because calling it does nothing yet: gate the function that acts")
    name = getattr(function, "__name__", None)
    if not isinstance(name, str):
        raise TypeError(f"{function!r} has no name to show to people; gate a function")
    return name


def _awaiting(
    function: Callable[P, Coroutine[Any, Any, T]], question: FunctionQuestion, client: AsyncHandrail | None
) -> Callable[P, Coroutine[Any, Any, T]]:
    @functools.wraps(function)
    async def gated(*args: P.args, **kwargs: P.kwargs) -> T:
        async with nullcontext(client) if client else AsyncHandrail() as handrail:
            passed = await handrail.run(passage(handrail.operations, question, question.bound(*args, **kwargs)))
            try:
                value = await function(*passed.bound.args, **passed.bound.kwargs)
            except Exception as error:
                await handrail.run(record(handrail.operations, passed.hold_id, error))
                raise
            await handrail.run(record(handrail.operations, passed.hold_id))
            return value

    return gated


def _blocking(function: Callable[P, T], question: FunctionQuestion, client: Handrail | None) -> Callable[P, T]:
    @functools.wraps(function)
    def gated(*args: P.args, **kwargs: P.kwargs) -> T:
        with nullcontext(client) if client else Handrail() as handrail:
            passed = handrail.run(passage(handrail.operations, question, question.bound(*args, **kwargs)))
            try:
                value = function(*passed.bound.args, **passed.bound.kwargs)
            except Exception as error:
                handrail.run(record(handrail.operations, passed.hold_id, error))
                raise
            handrail.run(record(handrail.operations, passed.hold_id))
            return value

    return gated
