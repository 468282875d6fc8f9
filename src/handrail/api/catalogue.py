"""All events of the server: importing a room's `events` declares what it writes, and then there are no others."""

from __future__ import annotations

from collections.abc import Mapping

from handrail.changes import events as _changes
from handrail.channels import events as _channels
from handrail.core import audit_events as _audit
from handrail.core import grant_events as _grant
from handrail.core import hold_events as _hold
from handrail.core import run_events as _run
from handrail.core.events import CATALOGUE, Event
from handrail.holds import events as _holds
from handrail.people import events as _people
from handrail.skills import events as _skills

ROOMS = (_hold, _grant, _run, _audit, _people, _holds, _channels, _skills, _changes)


def declared() -> Mapping[str, type[Event]]:
    """Every event by its type. A room that declares one later than this is refused."""
    CATALOGUE.close()
    return CATALOGUE.all()
