"""Effects in real graphs: executed again after crashes, with a table of effects that outlives them."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langgraph.types import interrupt
from langgraph_world import MemoryPort, State, Thread, envelope, graph_of

from handrail_sdk.errors import Misconfigured
from handrail_sdk.langgraph import ResultNotKept, Stopped, aeffect, effect, effect_key
from handrail_sdk.langgraph.effects import HAPPENED, NOT_HAPPENED, STOP
from handrail_sdk.langgraph.port import current


class Crash(Exception):
    """The worker dies here."""


class Bank:
    """Pays; dies as often as told, before or after."""

    def __init__(self, *, before: int = 0, after: int = 0) -> None:
        self.paid: list[int] = []
        self.keys: list[str | None] = []
        self._before, self._after = before, after

    def pay(self, amount: int) -> dict[str, int]:
        self.keys.append(effect_key())
        if self._before > len(self.keys) - 1:
            raise Crash
        self.paid.append(amount)
        if self._after > len(self.keys) - 1:
            raise Crash
        return {"paid": amount}

    async def apay(self, amount: int) -> dict[str, int]:
        return self.pay(amount)


def paying(bank: Bank, *, idempotent: bool = False, sync: bool = True, die_later: int = 0) -> Thread:
    later = iter(range(die_later))

    def crash_later() -> None:
        if next(later, None) is not None:
            raise Crash

    def node(state: State) -> dict[str, Any]:
        out = effect("pay", bank.pay, 5, idempotent=idempotent)
        crash_later()
        return {"out": out}

    async def anode(state: State) -> dict[str, Any]:
        out = await aeffect("pay", bank.apay, 5, idempotent=idempotent)
        crash_later()
        return {"out": out}

    return Thread(graph_of(node if sync else anode))


@pytest.mark.parametrize("sync", [True, False])
async def test_outside_of_handrail_the_function_is_just_called(sync: bool) -> None:
    bank = Bank()
    thread = paying(bank, sync=sync)
    await thread.start()
    assert (await thread.out(), bank.keys) == ({"paid": 5}, [None])


@pytest.mark.parametrize("sync", [True, False])
async def test_what_was_done_before_a_crash_is_not_done_again(sync: bool) -> None:
    current.set(MemoryPort())
    bank = Bank()
    thread = paying(bank, sync=sync, die_later=2)
    for go in (thread.start, thread.again):
        with pytest.raises(Crash):
            await go()
    await thread.again()
    assert (await thread.out(), bank.paid) == ({"paid": 5}, [5])


@pytest.mark.parametrize("sync", [True, False])
async def test_what_is_idempotent_is_done_again_with_the_same_key(sync: bool) -> None:
    current.set(MemoryPort())
    bank = Bank(after=1)
    thread = paying(bank, idempotent=True, sync=sync)
    with pytest.raises(Crash):
        await thread.start()
    await thread.again()
    assert await thread.out() == {"paid": 5}
    assert bank.paid == [5, 5] and bank.keys[0] == bank.keys[1] is not None


@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize(
    ("choice", "paid", "out"),
    [(HAPPENED, [5], None), (NOT_HAPPENED, [5, 5], {"paid": 5})],
)
async def test_what_may_have_happened_is_asked(sync: bool, choice: str, paid: list[int], out: Any) -> None:
    current.set(MemoryPort())
    bank = Bank(after=1)
    thread = paying(bank, sync=sync)
    with pytest.raises(Crash):
        await thread.start()
    [question] = await thread.again()
    assert question.value["title"] == "Did 'pay' happen? It was started at 2026-11-15 12:00:00 UTC and left no result"
    assert question.value["schema"] == {"enum": [HAPPENED, NOT_HAPPENED, STOP]}
    assert bank.paid == [5]
    await thread.resume(envelope(question.value, "answered", answer=choice))
    assert (await thread.out(), bank.paid) == (out, paid)


async def test_a_crash_after_do_it_now_asks_again_and_does_not_take_the_old_answer_twice() -> None:
    current.set(MemoryPort())
    bank = Bank(after=2)
    thread = paying(bank)
    with pytest.raises(Crash):
        await thread.start()
    [first] = await thread.again()
    with pytest.raises(Crash):
        await thread.resume(envelope(first.value, "answered", answer=NOT_HAPPENED))
    assert bank.paid == [5, 5]
    [second] = await thread.again()
    assert (second.value["evidence"]["attempt"], bank.paid) == (2, [5, 5])
    await thread.resume(envelope(second.value, "answered", answer=HAPPENED))
    assert (await thread.out(), bank.paid) == (None, [5, 5])


@pytest.mark.parametrize(("outcome", "answer"), [("answered", STOP), ("expired", None), ("cancelled", None)])
async def test_stop_and_silence_end_the_run(outcome: str, answer: str | None) -> None:
    current.set(MemoryPort())
    bank = Bank(before=1)
    thread = paying(bank)
    with pytest.raises(Crash):
        await thread.start()
    [question] = await thread.again()
    with pytest.raises(Stopped, match="may have happened"):
        await thread.resume(envelope(question.value, outcome, answer=answer))
    assert bank.paid == []


async def test_other_arguments_at_the_same_place_are_asked_about_and_not_done_silently() -> None:
    current.set(MemoryPort())
    amounts = iter([5, 6])
    bank = Bank(after=1)

    def node(state: State) -> dict[str, Any]:
        return {"out": effect("pay", bank.pay, next(amounts))}

    thread = Thread(graph_of(node))
    with pytest.raises(Crash):
        await thread.start()
    assert len(await thread.again()) == 1
    assert bank.paid == [5]


async def test_each_call_of_a_node_has_its_own_place() -> None:
    current.set(MemoryPort())
    bank = Bank()
    dying = iter([True])

    def node(state: State) -> dict[str, Any]:
        out = [effect("pay", bank.pay, amount) for amount in (1, 1, 2)]
        if next(dying, False):
            raise Crash
        return {"out": out}

    thread = Thread(graph_of(node))
    with pytest.raises(Crash):
        await thread.start()
    await thread.again()
    assert bank.paid == [1, 1, 2] and len(await thread.out()) == 3


async def test_a_function_that_asks_a_person_itself_is_no_doubt() -> None:
    current.set(MemoryPort())
    calls: list[int] = []

    def ask() -> Any:
        calls.append(1)
        return interrupt("sure?")

    async def node(state: State) -> dict[str, Any]:
        return {"out": await aeffect("ask", ask)}

    thread = Thread(graph_of(node))
    [question] = await thread.start()
    assert question.value == "sure?"
    assert await thread.resume("sure") == []
    assert (await thread.out(), len(calls)) == ("sure", 2)


async def test_results_that_are_not_json_come_back_as_they_were_or_not_at_all() -> None:
    current.set(MemoryPort())
    message = ToolMessage("done", tool_call_id="c-1")
    returned: Any = message
    dying = iter([True, False, True])

    def node(state: State) -> dict[str, Any]:
        out = effect("send", lambda: returned)
        if next(dying, False):
            raise Crash
        return {"out": out}

    thread = Thread(graph_of(node))
    with pytest.raises(Crash):
        await thread.start()
    await thread.again()
    assert await thread.out() == message

    returned, thread = (n for n in [1]), Thread(graph_of(node))
    with pytest.raises(Crash):
        await thread.start()
    with pytest.raises(ResultNotKept, match=r"'send' was done .* returned a generator"):
        await thread.again()


async def test_a_sync_effect_in_an_async_node_says_what_to_write_instead() -> None:
    current.set(MemoryPort())

    async def node(state: State) -> dict[str, Any]:
        return {"out": effect("pay", Bank().pay, 5)}

    with pytest.raises(Misconfigured, match="await aeffect"):
        await Thread(graph_of(node)).start()
