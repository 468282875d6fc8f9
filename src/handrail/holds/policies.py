"""The policy in force: kept in the database, followed by every process, changed by administrators."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from handrail.core import canonical, errors
from handrail.core.callers import Caller, Scope
from handrail.core.ids import PrincipalId
from handrail.holds import policy_cases
from handrail.holds.events import PolicyApplied
from handrail.holds.policy_cases import Case
from handrail.policy import ACTIONS, Policy, default_policy, differences, load
from handrail.store import clock, events, policies
from handrail.store.database import Connection, Database
from handrail.store.policies import StoredPolicy

# every process has the newest policy within a second of its being applied; commands read its version themselves, and
# who works in the background looks for it with all that is due
LOOK_SECONDS = 0.8
MOST_TOLD = 100
MOST_HISTORY = 1000


class Policies:
    """`current` gives the policy in force, as this process knows it."""

    def __init__(self, database: Database, policy: Policy) -> None:
        self._database = database
        self._policy = policy

    def current(self) -> Policy:
        return self._policy

    async def follow(self) -> None:
        """For ever: take up what another process applied. A database that is away is waited for."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.refresh()
            except errors.Unavailable as error:
                await asyncio.sleep(error.retry_after)

    async def refresh(self) -> None:
        async with self._database.connection() as conn:
            await self.in_force(conn)

    async def in_force(self, conn: Connection) -> Policy:
        """The policy in force as the database has it now, within the caller's transaction."""
        return await self.of_version(conn, await policies.newest_version(conn))

    async def of_version(self, conn: Connection, newest: int) -> Policy:
        """The same where the transaction has read its version."""
        if newest != self._policy.version:
            kept = await policies.get(conn, newest)
            assert kept is not None
            self._policy = await compiled(kept)
        return self._policy


async def in_force(database: Database) -> Policies:
    """The policy in force. The first start of all puts the default in force."""
    async with database.transaction() as conn:
        await policies.lock(conn)
        newest = await policies.newest_version(conn)
        if newest == 0:
            await _insert(
                conn, StoredPolicy(1, default_policy().source, "the default", None, await clock.now(conn)), []
            )
        kept = await policies.get(conn, max(newest, 1))
    assert kept is not None
    return Policies(database, await compiled(kept))


async def known(database: Database) -> Policies:
    """The same for a process that may only read, once another has put one in force."""
    async with database.connection() as conn:
        kept = await policies.get(conn, await policies.newest_version(conn))
    assert kept is not None
    return Policies(database, await compiled(kept))


async def compiled(kept: StoredPolicy) -> Policy:
    """A version from before actions were registered goes with the default's."""
    files = {ACTIONS: default_policy().source[ACTIONS], **kept.files}
    return replace(await check(files), version=kept.version)


async def check(files: Mapping[str, str]) -> Policy:
    """The candidate, compiled; Misconfigured names every problem with file, line and column."""
    if files == default_policy().source:
        return default_policy()
    # in a thread: a large policy takes a while, and nobody else should wait for it
    return await asyncio.to_thread(_load, tuple(files.items()))


# who applies a policy checks it, compares with it and takes it up; reading it takes a twentieth of a second or more
@lru_cache(maxsize=4)
def _load(files: tuple[tuple[str, str], ...]) -> Policy:
    return load(dict(files))


async def apply(
    database: Database,
    followed: Policies,
    caller: Caller,
    files: Mapping[str, str],
    reason: str | None,
    cases: Sequence[Case] | None = None,
) -> tuple[StoredPolicy, list[str]]:
    """Put all files in force at once, as the next version, if they pass the test cases: those given, or else those of
    the policy in force; and what changes by it, in words."""
    caller.require(Scope.administer)
    canonical.check(reason, "reason")
    candidate = await check(files)
    async with database.transaction() as conn:
        await policies.lock(conn)
        newest = await policies.get(conn, await policies.newest_version(conn))
        assert newest is not None
        before = policy_cases.read(newest.cases)
        after = before if cases is None else tuple(cases)
        policy_cases.check(candidate, after)
        changed = policy_cases.change(before, after) + differences(await compiled(newest), candidate)
        now = await clock.now(conn)
        tested = policy_cases.dump(after)
        kept = StoredPolicy(newest.version + 1, candidate.source, reason, caller.principal.id, now, tested)
        await _insert(conn, kept, changed)
    await followed.refresh()
    return kept, changed


async def _insert(conn: Connection, kept: StoredPolicy, changed: list[str]) -> None:
    await policies.insert(conn, kept)
    applied = PolicyApplied(
        actor=PrincipalId(kept.applied_by) if kept.applied_by else None,
        version=kept.version,
        sha256=canonical.sha256(dict(kept.files)),
        reason=kept.reason,
        changes=(*changed[:MOST_TOLD], *([f"and {len(changed) - MOST_TOLD} more"] if len(changed) > MOST_TOLD else [])),
    )
    await events.append(conn, [applied], kept.applied_at)


async def history(database: Database) -> list[StoredPolicy]:
    async with database.connection() as conn:
        return await policies.history(conn, MOST_HISTORY)


async def version(database: Database, number: int) -> StoredPolicy:
    async with database.connection() as conn:
        kept = await policies.get(conn, number)
    if kept is None:
        raise errors.NotFound(f"there is no policy version {number}")
    return kept
