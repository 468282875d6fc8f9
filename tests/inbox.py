"""Events as rows of the inbox, as any version or a stranger may have written them: type and data are the test's."""

from __future__ import annotations

import json
from dataclasses import astuple
from datetime import datetime
from typing import Any
from uuid import UUID

from handrail.store.database import Connection
from handrail.store.events import Subject


async def put(
    conn: Connection, type_: str, data: Any, subject: Subject, *, at: datetime | None = None, actor: UUID | None = None
) -> None:
    await conn.execute(
        """
        INSERT INTO event_inbox
          (at, type, actor_id, data, hold_id, run_id, case_id, kind, audience_id, opener_id, starter_id)
        VALUES (coalesce(%s, handrail_now()), %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        """,
        (at, type_, actor, json.dumps(data, ensure_ascii=False), *astuple(subject)),
    )
