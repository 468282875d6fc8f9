"""What happens to skills."""

from __future__ import annotations

from handrail.core.events import Event, event


@event("skill.deleted")
class SkillDeleted(Event):
    """it was taken out of use"""

    skill: str
