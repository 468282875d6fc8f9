"""The gate that all frameworks share: a tool call in, what may run or what the model reads instead out."""

from __future__ import annotations

import hashlib
import itertools
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import rfc8785

from handrail_sdk.canonical import plain_object
from handrail_sdk.client import AsyncHandrail
from handrail_sdk.errors import ActionChanged, AlreadyRan, Conflict, HandrailError, MayHaveRun, NotAllowed
from handrail_sdk.exchange import OnComment
from handrail_sdk.gates import Passage, Question, passage, record
from handrail_sdk.holds import Action, Hold
from handrail_sdk.wording import title_of

log = logging.getLogger("handrail_sdk")

T = TypeVar("T")
Json: TypeAlias = dict[str, Any]
MOST_REJECTIONS = 3
"""So often people are asked the same by one gate; after that a no stays a no."""
TaskOf: TypeAlias = Callable[[str, Mapping[str, Any]], Mapping[str, object] | None]


@dataclass(frozen=True, slots=True)
class Allowed:
    """The approval was used: the call may run now, once, with these arguments. `amended`: people changed them."""

    hold_id: str
    args: Json
    amended: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """The call must not run; `text` is what the model reads instead, `error` is why."""

    text: str
    error: HandrailError


class NotAskedAgain(HandrailError):
    """A model made the same call again and again after a no."""

    default_code = "not_asked_again"


class ToolFailed(Exception):
    """A tool reported its failure instead of raising it."""


@dataclass(frozen=True, slots=True)
class ToolQuestion(Question[Json]):
    """How a call of a tool is put to people: its arguments are whatever the model wrote."""

    thread: str | None

    @property
    def case_id(self) -> str | None:
        return self.thread

    def arguments(self, bound: Json) -> Json:
        return plain_object(bound, f"the arguments of {self.name}")

    def bind(self, arguments: Mapping[str, Any]) -> Json:
        return dict(arguments)


class ToolGate:
    """Puts a hold in front of every tool call of an agent. Low ones run at once, the others wait for people, who may
    approve, amend, reject, or respond with words that the model reads in place of a result.

    `thread` names the conversation or task, or is a function that does, such as a context variable's `get`. A program
    that dies and starts again with the same thread finds its holds, and the decisions made in the meantime: its first
    call of a tool with the same arguments is the same call, and runs once. The second one in the life of a gate is
    another call, with a hold of its own. Without a thread, a new program asks again.

    `by_call_id` is for frameworks that saved their state and resume with the same call ids: a hold belongs to one id.

    `repeatable` names tools that may run again without harm, such as searches: where a call ran before a crash, it is
    asked again instead of being refused. `task` is what you claim about a call; it can raise the level but never lowers
    it. `expires_in` and `on_comment` are those of `@gate`. Without a `client`, HANDRAIL_URL and HANDRAIL_TOKEN count.
    """

    def __init__(
        self,
        thread: str | Callable[[], str] | None = None,
        *,
        by_call_id: bool = False,
        repeatable: Collection[str] = (),
        task: TaskOf | None = None,
        expires_in: float | None = None,
        on_comment: OnComment | None = None,
        client: AsyncHandrail | None = None,
    ) -> None:
        self._thread, self._alone = thread, secrets.token_hex(16)
        self._by_call_id = by_call_id
        self._repeatable = frozenset(repeatable)
        self._task, self._expires_in, self._on_comment = task, expires_in, on_comment
        self._client = client
        self._made: set[str] = set()
        self._rejected: Counter[str] = Counter()

    async def enter(self, tool: str, args: Mapping[str, Any], call_id: str | None = None) -> Allowed | Refused:
        """Opens the hold, waits, and uses the approval. Whatever goes wrong is a refusal: the call then has not run.

        Report the end of an allowed call with `ended`.
        """
        try:
            passed = await self._passed(tool, dict(args), call_id)
        except HandrailError as error:
            log.warning("%s was not run: %s", tool, error)
            return Refused(refusal(tool, error), error)
        return Allowed(passed.hold_id, passed.bound, passed.amended)

    async def decided(self, tool: str, args: Mapping[str, Any], call_id: str, *, timeout: float | None = None) -> Hold:
        """The hold of a call once it is decided, without using the approval: `enter` does that later, under this id.

        For frameworks that end a run while a call waits. The gate must go by call ids. After `timeout` seconds the hold
        is returned still pending.
        """
        if not self._by_call_id:
            raise ValueError("a call that is waited for before it is made needs `by_call_id=True`")
        asked, _ = self._question(tool, dict(args), call_id)
        async with self._connected() as handrail:
            hold = await handrail.open(
                asked.kind,
                asked.titled(args),
                asked.action(args),
                task=asked.about(args),
                case_id=asked.thread,
                expires_in=asked.expires_in,
                takes_response=asked.takes_response,
                idempotency_key=asked.key and asked.key(args),
            )
            if not hold.pending or timeout == 0:
                return hold
            return await handrail.wait(hold.id, timeout=timeout, on_comment=asked.on_comment)

    async def withdraw(self, hold: Hold, reason: str) -> None:
        """Withdraws the request, unless somebody has decided in that moment."""
        async with self._connected() as handrail:
            with suppress(Conflict):
                await handrail.cancel(hold.id, reason)

    async def ended(self, allowed: Allowed, error: Exception | None = None) -> None:
        """Records that the call succeeded, or the type of what it raised: never what it returned."""
        async with self._connected() as handrail:
            await handrail.run(record(handrail.operations, allowed.hold_id, error))

    async def run(
        self,
        tool: str,
        args: Mapping[str, Any],
        execute: Callable[[Json], Awaitable[T]],
        call_id: str | None = None,
    ) -> T | Any:
        """What the tool returned, or the text that the model reads in its place.

        An amended call runs as amended, and the model reads what ran.
        """
        entered = await self.enter(tool, args, call_id)
        if isinstance(entered, Refused):
            return entered.text
        try:
            value = await execute(entered.args)
        except Exception as error:
            await self.ended(entered, error)
            raise
        await self.ended(entered)
        return with_notice(entered, value)

    async def _passed(self, tool: str, args: Json, call_id: str | None) -> Passage[Json]:
        while True:
            question, place = self._question(tool, args, call_id)
            same = _hash([question.thread, tool, question.arguments(args)])
            if self._rejected[same] >= MOST_REJECTIONS:
                raise NotAskedAgain(f"people rejected this same call {MOST_REJECTIONS} times, and are not asked again")
            try:
                async with self._connected() as handrail:
                    return await handrail.run(passage(handrail.operations, question, args))
            except MayHaveRun:
                # by its id it is the same call for ever; by its arguments, the next one is another call
                if tool not in self._repeatable or (call_id and self._by_call_id):
                    raise
            except (NotAllowed, ActionChanged) as no:
                self._rejected[same] += isinstance(no, NotAllowed) and no.hold.status == "rejected"
                raise
            except BaseException:
                # given up before anything was decided: made again, it is the same call
                self._made.discard(place)
                raise

    def _question(self, tool: str, args: Json, call_id: str | None) -> tuple[ToolQuestion, str]:
        """How the call is put to people, and its place among the calls of this gate."""
        thread = self._thread() if callable(self._thread) else self._thread
        place = self._place(thread or self._alone, tool, args, call_id)
        question = ToolQuestion(
            name=tool,
            kind="approval",
            title=title_of(Action(tool, args)),
            target=None,
            task=None if self._task is None else self._task(tool, args),
            key=lambda _: place,
            expires_in=self._expires_in,
            idempotent=False,
            on_comment=self._on_comment,
            takes_response=True,
            thread=thread,
        )
        return question, place

    def _place(self, thread: str, tool: str, args: Json, call_id: str | None) -> str:
        if call_id and self._by_call_id:
            return _hash(["call", thread, call_id])
        said = [thread, tool, plain_object(args, f"the arguments of {tool}")]
        place = next(place for n in itertools.count(1) if (place := _hash(["nth", n, *said])) not in self._made)
        self._made.add(place)
        return place

    def _connected(self) -> AbstractAsyncContextManager[AsyncHandrail]:
        # one for each call: frameworks run tools in event loops of their own, and a connection belongs to its loop
        return nullcontext(self._client) if self._client else AsyncHandrail()


def notice_of(allowed: Allowed) -> str | None:
    """What the model reads before the result of a call that people amended."""
    if not allowed.amended:
        return None
    return f"A person amended this call before it ran. It ran with {rfc8785.dumps(allowed.args).decode()}. Its result:"


def with_notice(allowed: Allowed, value: Any) -> Any:
    """What a tool returned, with a word on what ran where that is not what the model wrote."""
    notice = notice_of(allowed)
    if notice is None:
        return value
    return f"{notice}\n{value}" if isinstance(value, str) else {"notice": notice, "result": value}


def refusal(tool: str, error: HandrailError) -> str:
    """What the model reads in place of a result."""
    if isinstance(error, NotAllowed):
        decision = error.decision
        if error.response is not None:
            name = decision.by.name if decision and decision.by else "A person"
            return f"`{tool}` was not run. {name} responded instead: {error.response}"
        who = f" by {decision.by.name}" if decision and decision.by else ""
        why = f" Reason: {decision.reason}" if decision and decision.reason else ""
        return f"`{tool}` was not run. It was {error.hold.status}{who}. Do not try another way.{why}"
    if isinstance(error, AlreadyRan):
        outcome = error.result.outcome if error.result else "ended"
        return f"`{tool}` was not run again: this call ran before in this conversation and {outcome}."
    if isinstance(error, MayHaveRun):
        return f"`{tool}` was not run: it was started before, and may have happened. Ask a person to check."
    return f"`{tool}` was not run, because Handrail did not allow it: {error.message}"


def _hash(parts: list[Any]) -> str:
    return hashlib.sha256(rfc8785.dumps(parts)).hexdigest()
