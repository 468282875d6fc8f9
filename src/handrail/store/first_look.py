"""What an opening depends on, in one statement: the brake, the clock, the policy in force, who is only observed."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from psycopg.rows import DictRow

from handrail.store.brakes import Brake
from handrail.store.database import Asked, Connection


class FirstLook(NamedTuple):
    now: datetime
    brake: Brake | None
    policy_version: int
    observed: bool


async def ask(conn: Connection, who: UUID, *, in_run: bool) -> Asked[FirstLook]:
    """In a pipeline, behind `brakes.stand_back`: a statement sees what is committed when it begins.

    A run's holds are always people's to decide, and the login of runs does not see who is observed.
    """
    return Asked(await conn.execute(_OF_RUN if in_run else _OF_AGENT, {"who": who}), _read)


def _read(row: DictRow | None) -> FirstLook:
    assert row is not None
    now, version, observed = row.pop("now"), row.pop("version"), row.pop("observed")
    return FirstLook(now, Brake(**row) if row["id"] else None, version, observed)


_OF_AGENT = """
    SELECT handrail_now() AS now, (SELECT coalesce(max(version), 0) FROM policies) AS version,
      EXISTS (SELECT FROM observations WHERE agent_id = %(who)s AND ended_at IS NULL) AS observed, brake.*
    FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
      SELECT * FROM brakes WHERE lifted_at IS NULL AND (agent_id IS NULL OR agent_id = %(who)s) LIMIT 1
    ) AS brake ON true
    """
_OF_RUN = """
    SELECT handrail_now() AS now, (SELECT coalesce(max(version), 0) FROM policies) AS version,
      false AS observed, brake.*
    FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
      SELECT * FROM brakes WHERE lifted_at IS NULL AND (agent_id IS NULL OR agent_id = %(who)s) LIMIT 1
    ) AS brake ON true
    """
