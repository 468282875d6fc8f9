"""Workflows that behave badly, for a worker to live with."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import operator
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

from handrail.sandbox import choose


class State(TypedDict, total=False):
    steps: Annotated[list[str], operator.add]
    # where nodes leave a line each time that they run
    notes: str


def of(*nodes: Callable[..., Any]) -> StateGraph[State]:
    graph = StateGraph(State)
    before = START
    for node in nodes:
        graph.add_node(node.__name__, node)
        graph.add_edge(before, node.__name__)
        before = node.__name__
    return graph


def note(state: State, text: str) -> int:
    """Leaves a line, and says how many there are."""
    with Path(state.get("notes", os.devnull)).open("a") as file:
        file.write(f"{text} {os.getpid()}\n")
    return len(Path(state.get("notes", os.devnull)).read_text().splitlines())


def step(state: State) -> State:
    return {"steps": ["step"]}


def ask(state: State) -> State:
    return {"steps": [interrupt("Which colour?")]}


walk = of(step)
asking = of(ask, step)


def wait_for_ever(state: State) -> State:
    note(state, "stuck")
    while True:
        time.sleep(0.1)


stuck = of(wait_for_ever)


async def block_the_loop(state: State) -> State:
    note(state, "blocked")
    while True:
        pass


blocked = of(block_the_loop)


def die(state: State) -> State:
    note(state, "died")
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


deadly = of(step, die)


def die_once(state: State) -> State:
    if note(state, "died") == 1:
        left = subprocess.Popen(["sleep", "600"])
        note(state, f"left-{left.pid}")
        os.kill(os.getpid(), signal.SIGKILL)
    return {"steps": ["lived"]}


once_deadly = of(step, die_once)


def shout(state: State) -> State:
    for _ in range(40):
        sys.stdout.write(("x" * 1023 + "\n") * 256)
    return {"steps": ["loud"]}


loud = of(shout)


def _slow_step(number: int) -> Callable[[State], State]:
    def slow_step(state: State) -> State:
        note(state, f"slow {number}")
        time.sleep(0.15)
        return {"steps": [str(number)]}

    slow_step.__name__ = f"slow_{number}"
    return slow_step


slow = of(*(_slow_step(number) for number in range(20)))


def _wait_at_gate(number: int) -> Callable[[State], State]:
    def wait_at_gate(state: State) -> State:
        note(state, f"gate-{number}")
        # until somebody writes into it
        Path(f"{state.get('notes')}.{number}").read_text()
        return {"steps": [f"gate-{number}"]}

    wait_at_gate.__name__ = f"gate_{number}"
    return wait_at_gate


gated = of(*(_wait_at_gate(number) for number in range(3)))


async def run_in_sandbox(state: State) -> State:
    note(state, "boxed")
    done = await choose(None).run(["sh", "-c", "sleep 98.7654 && test -e never"])
    return {"steps": [str(done.exit_code)]}


boxed = of(run_in_sandbox, step)
