"""What happens to a grant, apart from the decision on the hold that makes it and those on the holds that use it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal
from uuid import UUID

from .canonical import JsonObject
from .events import Event, event
from .grants import Grant
from .ids import PrincipalId
from .parts import HoldNote

GrantEnd = Literal["revoked", "owner"]
"""Why one ended before its time: somebody revoked it, or its owner lost the role or was deactivated."""


@event("grant.proposed")
class GrantProposed(Event):
    """someone proposed a standing permission; it counts while the hold of the same id is approved. `like` is the hold
    that it was proposed from"""

    grant: UUID
    like: UUID
    terms: JsonObject
    digest: str


@event("grant.ended")
class GrantEnded(Event):
    """it covers nothing from now on: someone revoked it, or its owner lost the role or was deactivated (owner)"""

    grant: UUID
    cause: GrantEnd
    reason: str | None
    uses: int

    def part(self) -> HoldNote:
        return HoldNote(text="grant ended", reason=self.reason)


def ended_with_role(lost: Iterable[Grant], by: PrincipalId | None = None) -> list[Event]:
    """Of grants whose owner lost what it takes to make them."""
    return [GrantEnded(actor=by, grant=one.id, cause="owner", reason=None, uses=one.use.uses) for one in lost]
