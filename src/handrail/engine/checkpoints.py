"""LangGraph's checkpoints in PostgreSQL, written only by the worker that holds the run."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, LiteralString, Protocol

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT, RESUME, SCHEDULED
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row

from handrail.store import locks
from handrail.store.address import located, settle
from handrail.store.claims import Claim, lost
from handrail.store.database import Connection, translated
from handrail.store.locks import Lock

Write = Callable[[Connection], Awaitable[None]]
# writes that say what became of a task, not what it made
CONTROL = frozenset({ERROR, INTERRUPT, RESUME, SCHEDULED})


class Notes(Protocol):
    """What a run has to say, to be written in the transaction of a checkpoint or of a task's result. Each gives what
    writes it; the block ends well when that was committed."""

    def writing(self) -> AbstractAsyncContextManager[Write]: ...

    def writing_with(self, task: str) -> AbstractAsyncContextManager[Write]: ...

    def writing_all(self) -> AbstractAsyncContextManager[Write]: ...


async def connect(dsn: str) -> Connection:
    """The saver's connection: statements are prepared the first time, if the session is our own, and each commits by
    itself."""
    with translated():
        connection = await Connection.connect(
            located(dsn), autocommit=True, row_factory=dict_row, application_name="handrail run"
        )
        await settle(connection, prepare_threshold=0)
        return connection


async def set_up(dsn: str) -> None:
    """Brings LangGraph's tables up to date; workers that start together wait for the first one. The DSN is not a
    pooler's."""
    conn = await connect(dsn)
    async with conn:
        with translated():
            await locks.take_for_connection(conn, Lock.checkpoints)
            await AsyncPostgresSaver(conn).setup()


class FencedSaver(AsyncPostgresSaver):
    """The saver of one run. A write is one round trip: the fence, the notes and LangGraph's rows are one
    pipeline, which the server runs as one transaction. `Lost` where the run is another's.

    `stop` is called where a checkpoint was kept while a brake stops the run, before anything else of it begins.
    """

    def __init__(self, conn: Connection, claim: Claim, notes: Notes, stop: Callable[[], None] = lambda: None) -> None:
        super().__init__(conn)
        self._connection = conn
        self._claim = claim
        self._notes = notes
        self._stop = stop
        self._kept: CheckpointTuple | None = None
        # of the graph itself, not of graphs within it
        self.steps = 0

    def keep(self, found: CheckpointTuple | None) -> None:
        """Give this instead of reading again, once: nobody else writes to the run."""
        self._kept = found

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        kept, self._kept = self._kept, None
        if kept is not None and not config.get("configurable", {}).get("checkpoint_ns"):
            return kept
        with translated():
            return await super().aget_tuple(config)

    async def _load_checkpoint_tuple(self, value: DictRow) -> CheckpointTuple:
        # the async one reads the writes on another thread: nothing else waits here, and the way there takes longer
        return PostgresSaver._load_checkpoint_tuple(self, value)  # pyright: ignore[reportArgumentType, reportPrivateUsage]

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        at_root = not config.get("configurable", {}).get("checkpoint_ns")
        # 0 is the input on its way to the first nodes
        steps = 1 if at_root and metadata.get("source") == "loop" and metadata.get("step", 0) > 0 else 0
        progress = "SELECT handrail_progress(%s, %s, %s) AS braked"
        async with self._written(progress, (*self._claim, steps), self._notes.writing_all()) as told:
            kept = await super().aput(config, checkpoint, metadata, new_versions)
        self.steps += steps
        row = await told.fetchone()
        if row is not None and row["braked"]:
            self._stop()
        return kept

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        # one that asks runs again: only what a task that ended said counts
        ended = any(channel not in CONTROL for channel, _ in writes)
        notes = self._notes.writing_with(task_id) if ended else self._notes.writing()
        async with self._written("SELECT handrail_fence(%s, %s)", self._claim, notes):
            await super().aput_writes(config, writes, task_id, task_path)

    @asynccontextmanager
    async def _written(
        self, fence: LiteralString, values: Sequence[Any], notes: AbstractAsyncContextManager[Write]
    ) -> AsyncGenerator[AsyncCursor[DictRow]]:
        """Gives what the fence answers, which is known when the block has ended."""
        conn = self._connection
        async with self.lock:
            with lost(), translated():
                async with notes as write, conn.pipeline():
                    told = await conn.execute(fence, values)
                    await write(conn)
                    yield told

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncGenerator[AsyncCursor[DictRow]]:
        # a write has the lock already, and is in a pipeline
        if pipeline:
            async with self._connection.cursor(binary=True) as cursor:
                yield cursor
        else:
            async with self.lock, self._connection.cursor(binary=True) as cursor:
                yield cursor
