"""How a tool call waits for people: clients differ in how long they listen, and none runs what nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from handrail_sdk.errors import HandrailError

from .gates import Answer, Call, Denied, Gate, Pending
from .peers import Incoming

T = TypeVar("T")


class Patience(NamedTuple):
    """Seconds. Common clients give up after 60 s of silence; with progress most wait for minutes."""

    silent: float = 45.0
    with_progress: float = 240.0
    beat: float = 15.0
    start: float = 15.0
    """Until a client hears of the servers that are there, while others have not answered."""


Beat = Callable[[str, int], Awaitable[None]]
"""Called with the hold and a count while a call waits."""


async def carried_through(
    asking: Coroutine[Any, Any, T], asked: Incoming, withdraw: Callable[[T], Awaitable[None]]
) -> T:
    """What comes of asking. A client that cancels while Handrail is being asked withdraws its question, too: so that is
    waited for, since until then nobody knows which hold it is."""
    begun = asyncio.ensure_future(asking)
    try:
        return await asyncio.shield(begun)
    except asyncio.CancelledError:
        if not asked.withdrawn:
            begun.cancel()
            raise
        with suppress(HandrailError):
            await withdraw(await asyncio.shield(begun))
        raise


async def answered(gate: Gate, call: Call, asked: Incoming, patience: Patience, beat: Beat) -> Answer:
    """What people or the policy say; Pending once the client cannot be kept waiting any longer, or has left.

    The approval is used in the last step, and only for a caller that is still there. A call that its client cancels
    withdraws its question; one whose client just ends leaves it, for the same call later.
    """

    async def withdraw(answer: Answer) -> None:
        # unless another call of this session waits for the same hold
        if isinstance(answer, Pending) and gate.unattended(answer.hold):
            await gate.withdraw(answer.hold)

    answer = await carried_through(gate.ask(call), asked, withdraw)
    if not isinstance(answer, Pending):
        return answer
    token = asked.progress_token
    until = _now() + (patience.silent if token is None else patience.with_progress)
    hold, beats, alone = answer.hold, 0, False
    gate.attend(hold)
    try:
        while isinstance(answer, Pending) and not asked.left.is_set() and (left := until - _now()) > 0:
            if await _decided(gate, hold, min(left, patience.beat), asked):
                answer = await gate.ask(call)
            elif token is not None:
                beats += 1
                await beat(hold, beats)
    except HandrailError as error:
        return Denied(f"Handrail cannot say what was decided, so the call did not run: {error.message}")
    except asyncio.CancelledError:
        alone = asked.withdrawn
        raise
    finally:
        if gate.leave(hold) and alone:
            await asyncio.shield(gate.withdraw(hold))
    return answer


async def _decided(gate: Gate, hold: str, seconds: float, asked: Incoming) -> bool:
    """Whether somebody has decided, and the caller still listens."""
    deciding = asyncio.ensure_future(gate.decided(hold, seconds))
    leaving = asyncio.ensure_future(asked.left.wait())
    try:
        await asyncio.wait((deciding, leaving), return_when=asyncio.FIRST_COMPLETED)
        return deciding.done() and not asked.left.is_set() and deciding.result()
    finally:
        for task in (deciding, leaving):
            task.cancel()
        with suppress(asyncio.CancelledError, HandrailError):
            await deciding


def _now() -> float:
    return asyncio.get_running_loop().time()
