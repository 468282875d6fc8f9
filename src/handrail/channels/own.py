"""What belongs to a person: managed by the person alone, with everything that they may do."""

from __future__ import annotations

from handrail.core import errors
from handrail.core.callers import Caller, scopes_of


def check(caller: Caller, what: str) -> None:
    """`what` follows "A token with limited scopes cannot". What reaches a person reads what they may, so a token that
    can do less has no say in it."""
    if not caller.principal.is_person:
        raise errors.NotAPerson("Only people are notified; programs read the event stream.")
    if caller.scopes != scopes_of(caller.principal.kind, caller.principal.roles):
        raise errors.ScopeMissing(f"A token with limited scopes cannot {what}.")
