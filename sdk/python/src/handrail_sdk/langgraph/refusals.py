"""`Refused`: how a graph ends its run after a rejection."""

from __future__ import annotations

from handrail_sdk.errors import HandrailError

from .answers import Answer


class Refused(HandrailError):
    """The run ends: as cancelled, or as expired if nobody decided in time."""

    default_code = "not_approved"

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        why = f": {answer.reason}" if answer.reason else ""
        super().__init__(
            f"{answer.action.name if answer.action else 'it'!r} was {answer.outcome}{why}",
            data={"hold_id": answer.hold_id},
        )
