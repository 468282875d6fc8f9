"""What `handrail doctor` looks at. Each check says how one thing stands and, where something is wrong, what to do.

Nothing is changed: no migration, no key, no row.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from typing import Literal

from handrail import extras
from handrail.cli.upkeep import database_of
from handrail.core.errors import HandrailError, sentence
from handrail.core.sizes import MIB
from handrail.sandbox import choose
from handrail.settings import LOCAL_HOSTS, Settings
from handrail.store import condition, embedded, private, workflows
from handrail.store.audit_files import KeyFile, read_heads
from handrail.store.database import Connection, opened
from handrail.store.feed import connection

Status = Literal["ok", "warning", "problem"]

OLDEST_POSTGRESQL = 14
# an API process and a worker process take this many connections at most, listeners included
CONNECTIONS = 30
SKEW_SECONDS = 5.0
LAG_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Finding:
    """`fix` says what to do; there is none where nothing is wrong."""

    check: str
    status: Status
    message: str
    fix: str | None = None


async def findings(settings: Settings) -> AsyncGenerator[Finding]:
    """One by one, as they are found; those on the database only where it answers."""
    for finding in (*_of_the_machine(settings), *_of_the_network(settings)):
        yield finding
    if settings.database_url is None and not embedded.exists(settings.data):
        yield Finding("database", "ok", f"There is no data in {settings.data} yet: the first start makes it.")
        return
    try:
        async with (
            database_of(settings) as dsn,
            opened(settings.pooler or dsn, direct=dsn) as database,
            connection(dsn) as listener,
            database.connection() as conn,
        ):
            async for finding in _of_the_database(conn, listener):
                yield finding
            if not (await condition.schema(conn)).empty:
                async for finding in _of_the_work(settings, conn):
                    yield finding
    except HandrailError as error:
        yield Finding(
            "database", "problem", sentence(error.message), "Check HANDRAIL_DATABASE_URL and that PostgreSQL runs."
        )


def _of_the_machine(settings: Settings) -> Iterator[Finding]:
    try:
        choose(settings.sandbox_image)
        yield Finding("sandbox", "ok", "Commands and documents can run in a sandbox.")
    except HandrailError as error:
        yield Finding("sandbox", "warning", sentence(error.message), "Skills, documents and code changes need it.")
    if shutil.which("git") is None:
        yield Finding("git", "warning", "git is not installed.", "Skills and code changes need it: apt install git")
    absent = [extra for extra in extras.EXTRAS if not extras.installed(extra)]
    have = ", ".join(extra for extra in extras.EXTRAS if extra not in absent) or "none"
    yield Finding("extras", "ok", f"Installed: {have}." + (f" Not installed: {', '.join(absent)}." if absent else ""))
    if not settings.data.exists():
        return
    mode = settings.data.stat().st_mode
    if mode & private.OTHERS:
        yield Finding(
            "data folder",
            "problem",
            f"Other users of this machine can look into {settings.data}.",
            f"chmod go= {settings.data}",
        )
    free = shutil.disk_usage(settings.data).free
    if free < settings.disk_reserve_megabytes * MIB:
        yield Finding(
            "disk",
            "problem",
            f"{free // MIB} MiB are free in {settings.data}: nothing new is accepted below "
            f"{settings.disk_reserve_megabytes}.",
            "Free some space, or lower HANDRAIL_DISK_RESERVE_MEGABYTES.",
        )
    else:
        yield Finding("disk", "ok", f"{free // MIB:,} MiB are free in {settings.data}.")


def _of_the_network(settings: Settings) -> Iterator[Finding]:
    if settings.host in LOCAL_HOSTS:
        return
    if set(settings.allowed_hosts) <= set(LOCAL_HOSTS):
        yield Finding(
            "network",
            "problem",
            f"Handrail listens on {settings.host} but only answers to names of this machine.",
            "Set HANDRAIL_ALLOWED_HOSTS to the names that people use.",
        )
    elif not str(settings.public_url or "").startswith("https://"):
        yield Finding(
            "network",
            "warning",
            f"Handrail listens on {settings.host}, and HANDRAIL_PUBLIC_URL is not an https address.",
            "Put a proxy with TLS in front of it and set HANDRAIL_PUBLIC_URL.",
        )
    else:
        yield Finding("network", "ok", f"People reach it at {settings.public_url}.")


async def _of_the_database(conn: Connection, listener: Connection) -> AsyncGenerator[Finding]:
    found = await condition.condition(conn, time.time())
    major = found.version // 10_000
    if major < OLDEST_POSTGRESQL:
        fix = f"Upgrade it to {OLDEST_POSTGRESQL} or newer."
        yield Finding("database", "problem", f"PostgreSQL {major} is too old.", fix)
    elif found.standby:
        fix = "Add target_session_attrs=read-write to HANDRAIL_DATABASE_URL, and list all hosts."
        yield Finding("database", "problem", "This PostgreSQL is a standby: it cannot be written to.", fix)
    elif found.encoding != "UTF8":
        yield Finding("database", "problem", f"Its encoding is {found.encoding}.", "Make a database with UTF8.")
    else:
        yield Finding("database", "ok", f"PostgreSQL {major} answers and can be written to.")
    if found.not_durable:
        fix = "Turn it on in postgresql.conf: a crash may lose decisions that people were told were made."
        yield Finding("durability", "problem", f"{', '.join(found.not_durable)} is off.", fix)
    if found.free < CONNECTIONS:
        fix = f"Raise max_connections: each process takes up to {CONNECTIONS}."
        yield Finding("connections", "warning", f"PostgreSQL has {found.free} connections left.", fix)
    if abs(found.skew) > SKEW_SECONDS:
        fix = "Run NTP on both machines: deadlines follow the database's clock."
        yield Finding("clock", "warning", f"The database's clock differs from ours by {found.skew:+.0f} s.", fix)
    if not await condition.echoes(listener, conn):
        fix = "HANDRAIL_DATABASE_URL leads to a pooler: set HANDRAIL_DIRECT_DATABASE_URL to the same PostgreSQL itself."
        yield Finding("notifications", "problem", "LISTEN does not work on this connection.", fix)
    yield _of_the_schema(await condition.schema(conn))


def _of_the_schema(schema: condition.Schema) -> Finding:
    if schema.newer:
        message = f"A newer Handrail has migrated this database: {', '.join(schema.newer)}."
        return Finding("schema", "warning", message, "Upgrade this installation too: docs/deployment.md#upgrades")
    if schema.missing and not schema.empty:
        message = f"{len(schema.missing)} migrations wait: {', '.join(schema.missing)}."
        return Finding("schema", "warning", message, "They are applied at the next start, or by `handrail migrate`.")
    return Finding("schema", "ok", "The first start makes the schema." if schema.empty else "The schema is up to date.")


async def _of_the_work(settings: Settings, conn: Connection) -> AsyncGenerator[Finding]:
    work = await condition.work(conn)
    yield _of_the_key(settings, work)
    if (behind := _of_the_heads(settings, work)) is not None:
        yield behind
    if work.lag > LAG_SECONDS:
        fix = "Is a server running? Its log says why it cannot seal the log."
        yield Finding("feed", "problem", f"Events have waited {work.lag:.0f} s for their number.", fix)
    known = await workflows.all_(conn)
    served = [each.name for each in known if each.served]
    if not served:
        fix = "Start one: `handrail worker`, or `handrail up`."
        status: Status = "problem" if work.stuck else "warning"
        yield Finding("workers", status, f"No worker is running. Runs that wait for one: {work.stuck}.", fix)
    elif work.stuck:
        fix = "Start more workers, or raise HANDRAIL_CONCURRENCY."
        yield Finding("workers", "warning", f"{work.stuck} runs have waited over a minute for a worker.", fix)
    else:
        yield Finding("workers", "ok", f"Workers serve {len(served)} workflows.")
    for each in known:
        if each.served and each.error is not None:
            said = each.error.strip().splitlines()[-1]
            yield Finding("workflows", "warning", f"{each.name} cannot run: {said}", "Mend it and restart the worker.")
    if work.dead:
        fix = "See `handrail deliveries`, and retry them there."
        yield Finding("notifications", "warning", f"{work.dead} notifications were given up.", fix)


def _of_the_key(settings: Settings, work: condition.Work) -> Finding:
    try:
        if work.key_id is not None:
            KeyFile(settings.audit_key).held(work.key_id)
    except HandrailError as error:
        return Finding("audit key", "problem", sentence(error.message), "Put the right key there.")
    if not settings.answer_key.exists():
        message = f"There is no key for secret answers at {settings.answer_key}."
        return Finding("keys", "warning", message, "A start makes a new one, with which older answers stay closed.")
    return Finding("keys", "ok", "The audit key is the log's, and the key for secret answers is there.")


def _of_the_heads(settings: Settings, work: condition.Work) -> Finding | None:
    """A database that PostgreSQL's own means put back is older than the heads that were written outside it."""
    try:
        last = max((seal.seq for seal in read_heads(settings.audit_heads)), default=0)
    except HandrailError:
        return None
    if last <= work.head:
        return None
    message = (
        f"The log ends with entry {work.head}, but {settings.audit_heads} knows entry {last}: the database is older."
    )
    fix = "If it was put back from a backup: stop all servers and run `handrail restore --in-place`."
    return Finding("audit log", "problem", message, fix)
