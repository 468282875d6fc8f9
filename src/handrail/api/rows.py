"""Holds as the rows of a list."""

from __future__ import annotations

from handrail.api import views
from handrail.api.schemas.inbox import HoldRow
from handrail.api.services import Services
from handrail.core.callers import Caller
from handrail.core.holds import Hold
from handrail.holds import reading, triage
from handrail.store.triage import Triage


async def rows(services: Services, caller: Caller, holds: list[Hold]) -> list[HoldRow]:
    """In the same order, with who is named in them and what the caller may do."""
    people = await reading.people_of(services.context, holds)
    standing, named = await triage.of(services.context, caller.principal, holds)
    return [views.row(hold, people | named, caller, standing.get(hold.id, Triage())) for hold in holds]
