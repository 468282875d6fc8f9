"""The workflows that are built in, collected from the systems that they belong to."""

from __future__ import annotations

from handrail.changes import kinds as changes
from handrail.engine.kinds import Kinds
from handrail.settings import Settings
from handrail.skills import kinds as skills
from handrail.tasks import kinds as tasks
from handrail.workflows import kinds as others


def built_in(settings: Settings) -> Kinds:
    """A system that is new joins here, and nowhere else."""
    return Kinds((*tasks.kinds(), *others.kinds(), *skills.kinds(settings), *changes.kinds(settings)))
