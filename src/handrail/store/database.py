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

from handrail.core.errors import Misconfigured, OutcomeUnknown, OutOfSpace, Unavailable
from handrail.store.address import located, settle
from handrail.store.space import Space

Connection = psycopg.AsyncConnection[DictRow]
Cursor = psycopg.AsyncCursor[DictRow]

SMALLEST_POOL, LARGEST_POOL = 2, 10
# a command that gets no connection in this time is told to come back
PATIENCE_SECONDS = 10.0
# left to itself the pool doubles its pauses between attempts to reach a server that is away
RETRY_SECONDS = 1.0


@asynccontextmanager
async def opened(
    dsn: str, *, direct: str | None = None, largest_pool: int = LARGEST_POOL, space: Space | None = None
) -> AsyncGenerator[Database]:
    """Gives the database behind a DSN; `Unavailable` with the reason where it does not answer.

    `direct` leads to PostgreSQL itself, where the DSN leads to a pooler.
    """
    await asyncio.to_thread(reach, dsn)
    pool = AsyncConnectionPool(
        located(dsn),
        connection_class=Connection,
        kwargs={"autocommit": True, "row_factory": dict_row, "application_name": "handrail"},
        min_size=min(SMALLEST_POOL, largest_pool),
        max_size=largest_pool,
        reconnect_timeout=RETRY_SECONDS,
        configure=settle,
        open=False,
    )
    async with pool:
        yield Database(dsn, direct or dsn, pool, space or Space())


class Database:
    """Connections are autocommit, so that nothing but `transaction` opens a transaction.

    They may be a pooler's, which has another session for each transaction: what lives in a session (a listener, a lock
    beyond a transaction) has a connection of its own, by the DSN `direct`.
    """

    def __init__(self, dsn: str, direct: str, pool: AsyncConnectionPool[Connection], space: Space) -> None:
        self.dsn = dsn
        self.direct = direct
        self.space = space
        self._pool = pool

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        """One command: all of it is committed when the block ends, or none of it.

        `OutcomeUnknown` where the connection broke in the moment of the commit: only an idempotent retry is safe. Any
        other error, also another `Unavailable`, means that nothing happened.
        """
        async with self.connection() as connection:
            committing = False
            try:
                async with connection.transaction():
                    yield connection
                    committing = True
            except (psycopg.OperationalError, psycopg.InternalError) as error:
                if committing and not _is_refusal(error):
                    raise OutcomeUnknown from error
                raise

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
            except psycopg.errors.ReadOnlySqlTransaction:
                # the next one leads to the new primary
                await connection.close()
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
    """Turns what the database's absence raises (broken connections, timeouts, deadlocks, the lead of another server)
    into `Unavailable`."""
    try:
        yield
    except psycopg.errors.ReadOnlySqlTransaction as error:
        raise Unavailable("The database is a standby and cannot be written to. Nothing was recorded.") from error
    except psycopg.errors.DiskFull as error:
        raise OutOfSpace("The database's disk is full; free some space. Nothing was recorded.") from error
    except (psycopg.OperationalError, psycopg.InternalError) as error:
        # psycopg's own, without a code: a server that dies in mid-statement may say two things at once
        if isinstance(error, psycopg.InternalError) and error.sqlstate is not None:
            raise
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
            psycopg.connect(located(dsn)).close()
        except psycopg.ProgrammingError as error:
            # not the value: it holds a password
            raise Misconfigured(
                "HANDRAIL_DATABASE_URL is not a connection URL: write postgresql://user:password@host:5432/database"
            ) from error


def _is_refusal(error: psycopg.Error) -> bool:
    """Whether the server refused a commit (a deadlock, a full disk). One that is shut down while it waits for its
    standby says so too, and may have committed."""
    return error.sqlstate is not None and error.sqlstate[:2] not in {"08", "57"}


def _has_ended(connection: Connection) -> bool:
    """Whether something lies unread where nothing was asked: the end of the stream, after a restart of the server.

    A look at the socket costs 2 µs, a question to the server 60.
    """
    if connection.closed:
        return True
    socket = select.poll()
    socket.register(connection.pgconn.socket, select.POLLIN)
    return bool(socket.poll(0))
