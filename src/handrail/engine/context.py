"""What use cases on runs need."""

from __future__ import annotations

from dataclasses import dataclass, replace

from handrail.core.runs import Budget
from handrail.engine.kinds import Kinds
from handrail.holds.context import Context


@dataclass(frozen=True, slots=True)
class Engine:
    """`context` is what use cases on holds need, `kinds` describe the workflows, `most` is what a run may use."""

    context: Context
    kinds: Kinds
    most: Budget

    def most_of(self, workflow: str) -> Budget:
        """What a run of this workflow may use."""
        seconds = self.kinds.of(workflow).seconds
        return self.most if seconds is None else replace(self.most, seconds=seconds)
