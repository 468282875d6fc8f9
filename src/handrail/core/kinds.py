"""What sets the kinds of holds apart, in one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from .holds import Kind


@dataclass(frozen=True, slots=True)
class Rules:
    """`needs_action`: there is none without an action. `batch`: it may have items, each with its own decision.

    `answered`: people say what was asked, in a form where it has a schema; one is enough, also the requester.
    `by_policy`: the policy may approve it at once, and sets its deadlines.
    A kind that is not answered may take a response in place of yes or no, if its opener says so.
    """

    needs_action: bool = False
    batch: bool = False
    answered: bool = False
    by_policy: bool = False


_CONFIRMATION = Rules(batch=True)
_APPROVAL = Rules(needs_action=True, by_policy=True)
_INPUT = Rules(answered=True)
_REVIEW = Rules(needs_action=True)


def rules(kind: Kind) -> Rules:
    match kind:
        case Kind.confirmation:
            return _CONFIRMATION
        case Kind.approval:
            return _APPROVAL
        case Kind.input:
            return _INPUT
        case Kind.review:
            return _REVIEW
    assert_never(kind)
