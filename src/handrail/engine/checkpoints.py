"""LangGraph's checkpoints in PostgreSQL, written only by the worker that holds the run."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row

from handrail.store.claims import Claim, lost
from handrail.store.database import Connection, translated

# the advisory lock's number: any that nobody else takes
LOCK = 7_241_839_020

# writes, in the transaction of a checkpoint, what belongs with it; given the task that it is of, or nothing for a step
Beside = Callable[[Connection, str | None], Awaitable[None]]


async def connect(dsn: str) -> Connection:
    """The saver's connection: statements are prepared the first time, and each commits by itself."""
    with translated():
        return await Connection.connect(
            dsn, autocommit=True, prepare_threshold=0, row_factory=dict_row, application_name="handrail run"
        )


async def set_up(dsn: str) -> None:
    """Brings LangGraph's tables up to date; workers that start together wait for the first one."""
    conn = await connect(dsn)
    async with conn:
        with translated():
            await conn.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
            await AsyncPostgresSaver(conn).setup()


async def _nothing(_conn: Connection, _task: str | None) -> None:
    return


class FencedSaver(AsyncPostgresSaver):
    """The saver of one run. A write is one round trip: the fence, what goes beside and LangGraph's rows are one
    pipeline, which the server runs as one transaction. `Lost` where the run is another's."""

    def __init__(self, conn: Connection, claim: Claim, beside: Beside = _nothing) -> None:
        super().__init__(conn)
        self._connection = conn
        self._claim = claim
        self._beside = beside
        self._kept: CheckpointTuple | None = None

    def keep(self, found: CheckpointTuple | None) -> None:
        """Give this instead of reading again, once: nobody else writes to the run."""
        self._kept = found

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        kept, self._kept = self._kept, None
        if kept is not None and not config.get("configurable", {}).get("checkpoint_ns"):
            return kept
        with translated():
            return await super().aget_tuple(config)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        at_root = not config.get("configurable", {}).get("checkpoint_ns")
        steps = 1 if at_root and metadata.get("source") == "loop" else 0
        async with self._written():
            await self._connection.execute("SELECT handrail_progress(%s, %s, %s)", (*self._claim, steps))
            await self._beside(self._connection, None)
            return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        async with self._written():
            await self._connection.execute("SELECT handrail_fence(%s, %s)", self._claim)
            await self._beside(self._connection, task_id)
            await super().aput_writes(config, writes, task_id, task_path)

    @asynccontextmanager
    async def _written(self) -> AsyncGenerator[None]:
        with lost(), translated():
            async with self.lock, self._connection.pipeline():
                yield

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncGenerator[AsyncCursor[DictRow]]:
        # a write has the lock already, and is in a pipeline
        if pipeline:
            async with self._connection.cursor(binary=True) as cursor:
                yield cursor
        else:
            async with self.lock, self._connection.cursor(binary=True) as cursor:
                yield cursor
