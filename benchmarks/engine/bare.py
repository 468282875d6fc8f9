"""The same graph as LangGraph alone runs it."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.types import Command

from benchmarks.engine.flows.bench_flow import graph

POLL_SECONDS = 0.1


@asynccontextmanager
async def compiled(dsn: str) -> AsyncGenerator[Any]:
    async with AsyncPostgresSaver.from_conn_string(dsn) as saver:
        await saver.setup()
        yield graph.compile(checkpointer=saver)


def thread() -> RunnableConfig:
    return {"configurable": {"thread_id": str(uuid4())}}


async def resumed(bare: Any) -> float:
    """Milliseconds from the resume to the code after the question."""
    config = thread()
    await bare.ainvoke({}, config, durability="sync")
    began = time.monotonic_ns() // 1000
    ended = await bare.ainvoke(Command(resume="yes"), config, durability="sync")
    return (ended["at"] - began) / 1000


async def polled(bare: Any) -> float:
    """The same, where a program looks for decisions now and then."""
    config = thread()
    await bare.ainvoke({}, config, durability="sync")
    decided = asyncio.Event()

    async def look() -> Any:
        while not decided.is_set():  # noqa: ASYNC110 - that is what polling is
            await asyncio.sleep(POLL_SECONDS)
        return await bare.ainvoke(Command(resume="yes"), config, durability="sync")

    looking = asyncio.create_task(look())
    await asyncio.sleep(POLL_SECONDS * (0.2 + time.monotonic_ns() % 1000 / 1000))
    began = time.monotonic_ns() // 1000
    decided.set()
    return ((await looking)["at"] - began) / 1000
