"""The pool of connections to PostgreSQL, and one transaction per command."""

from __future__ import annotations

import asyncio
import select
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from handrail.core.errors import Misconfigured, OutOfSpace, Unavailable
from handrail.store.space import Space

Connection = psycopg.AsyncConnection[DictRow]
Cursor = psycopg.AsyncCursor[DictRow]

SMALLEST_POOL, LARGEST_POOL = 2, 10
# a command that gets no connection in this time is told to come back
PATIENCE_SECONDS = 10.0
# left to itself the pool doubles its pauses between attempts to reach a server that is away
RETRY_SECONDS = 1.0


@asynccontextmanager
async def opened(dsn: str, *, largest_pool: int = LARGEST_POOL, space: Space | None = None) -> AsyncGenerator[Database]:
    """Gives the database behind a DSN; `Unavailable` with the reason where it does not answer."""
    await asyncio.to_thread(reach, dsn)
    pool = AsyncConnectionPool(
        dsn,
        connection_class=Connection,
        kwargs={"autocommit": True, "row_factory": dict_row, "application_name": "handrail"},
        min_size=min(SMALLEST_POOL, largest_pool),
        max_size=largest_pool,
        reconnect_timeout=RETRY_SECONDS,
        configure=_configure,
        open=False,
    )
    async with pool:
        yield Database(dsn, pool, space or Space())


class Database:
    """Connections are autocommit, so that nothing but `transaction` opens a transaction."""

    def __init__(self, dsn: str, pool: AsyncConnectionPool[Connection], space: Space) -> None:
        self.dsn = dsn
        self.space = space
        self._pool = pool

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        """One command: all of it is committed when the block ends, or none of it.

        `Unavailable` in the moment of the commit leaves open whether it happened: only an idempotent retry is safe.
        """
        async with self.connection() as connection, connection.transaction():
            yield connection

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection for reads of one statement each, without a transaction around them."""
        with cancellable(), translated():
            connection = await self._take()
            try:
                yield connection
            except psycopg.errors.DiskFull:
                self.space.ran_out()
                raise
            finally:
                await self._pool.putconn(connection)

    async def _take(self) -> Connection:
        deadline = monotonic() + PATIENCE_SECONDS
        while True:
            try:
                connection = await self._pool.getconn(timeout=RETRY_SECONDS)
            except PoolTimeout:
                if monotonic() > deadline:
                    raise
                continue
            if not _has_ended(connection):
                return connection
            # the pool's own check pauses a second for each dead connection, which adds up after a restart of the server
            await connection.close()
            await self._pool.putconn(connection)


@contextmanager
def translated() -> Generator[None]:
    """Turns what the database's absence raises (broken connections, timeouts, deadlocks) into `Unavailable`."""
    try:
        yield
    except psycopg.errors.DiskFull as error:
        raise OutOfSpace("The database's disk is full; free some space. Nothing was recorded.") from error
    except psycopg.OperationalError as error:
        raise Unavailable(f"The database is not responding: {str(error).strip()}") from error


@contextmanager
def cancellable() -> Generator[None]:
    """Raises a cancellation that came within the block and was lost there.

    On Python 3.11 the pool gives its connection to a task that was cancelled in the moment it got it, and an error of a
    statement takes the place of the cancellation that interrupted it: a loop would go on for ever.
    """
    task = asyncio.current_task()
    assert task is not None
    before = task.cancelling()
    try:
        yield
    finally:
        if task.cancelling() > before:
            raise asyncio.CancelledError


def reach(dsn: str) -> None:
    """Connects once: what is wrong shows here with its reason, which the pool would hide behind a timeout."""
    with translated():
        try:
            psycopg.connect(dsn, connect_timeout=10).close()
        except psycopg.ProgrammingError as error:
            # not the value: it holds a password
            raise Misconfigured(
                "HANDRAIL_DATABASE_URL is not a connection URL: write postgresql://user:password@host:5432/database"
            ) from error


async def _configure(connection: Connection) -> None:
    # times come back in UTC; a client that was cut off does not keep its locks
    await connection.execute("SET timezone = 'UTC'; SET idle_in_transaction_session_timeout = '60s'")


def _has_ended(connection: Connection) -> bool:
    """Whether something lies unread where nothing was asked: the end of the stream, after a restart of the server.

    A look at the socket costs 2 µs, a question to the server 60.
    """
    if connection.closed:
        return True
    socket = select.poll()
    socket.register(connection.pgconn.socket, select.POLLIN)
    return bool(socket.poll(0))
