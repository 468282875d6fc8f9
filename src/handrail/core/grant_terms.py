"""Which calls a grant covers, how much of it was used, and how that reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import cast
from uuid import UUID

from . import bounds, canonical, errors
from .bounds import Anything, Bound, Cap, Exact, OneOf, Prefix, Range
from .canonical import Json, JsonObject
from .holds import Hold
from .ids import PrincipalId

MOST_USES = 100_000
MOST_ARGUMENTS = 100
_SHOWN = 60
_PLAIN = re.compile(r"[\w.:/$@-]{1,60}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Terms:
    """The digest of the hold that makes the grant is over all of it.

    Every argument of a call needs its bound here, and every bound its argument. `target` nothing: the call has none.
    """

    action: str
    agent: PrincipalId
    until: datetime
    args: Mapping[str, Bound] = field(default_factory=dict[str, Bound])
    target: Bound | None = None
    case_id: str | None = None
    amount: Cap | None = None
    uses: int | None = None

    def covers(self, hold: Hold) -> bool:
        """Whether the call is one of these, as far as it can be said of one call alone."""
        action = hold.question.action
        if action is None or hold.opener != self.agent or action.name != self.action:
            return False
        if self.case_id is not None and hold.case_id != self.case_id:
            return False
        if action.args.keys() != self.args.keys() or (action.target is None) is not (self.target is None):
            return False
        if self.target is not None and not bounds.fits(self.target, action.target):
            return False
        if self.amount is not None and self.amount.of(action.args) is None:
            return False
        return all(bounds.fits(bound, action.args[name]) for name, bound in self.args.items())

    def taken(self, hold: Hold) -> Decimal:
        """What a call that is covered takes of the amounts."""
        action = hold.question.action
        taken = self.amount.of(action.args) if self.amount and action else None
        return taken or Decimal(0)

    def record(self) -> JsonObject:
        """As the action of the hold that makes the grant has it."""
        return {
            "action": self.action,
            "agent": str(self.agent),
            "until": self.until.astimezone(UTC).isoformat(),
            "case": self.case_id,
            "target": bounds.record(self.target) if self.target else None,
            "args": {name: bounds.record(bound) for name, bound in self.args.items()},
            "amount": bounds.record_cap(self.amount) if self.amount else None,
            "uses": self.uses,
        }


def recorded(written: JsonObject) -> Terms:
    """What `Terms.record` wrote."""
    return terms(
        str(written["action"]),
        PrincipalId(UUID(str(written["agent"]))),
        datetime.fromisoformat(str(written["until"])),
        written,
        cast("str | None", written["case"]),
    )


def terms(action: str, agent: PrincipalId, until: datetime, given: Mapping[str, Json], case_id: str | None) -> Terms:
    """Of `args`, `target`, `amount` and `uses` as they were given. Rejected names the place."""
    args, target, amount, uses = (given.get(name) for name in ("args", "target", "amount", "uses"))
    if not isinstance(args, dict) or len(args) > MOST_ARGUMENTS:
        raise errors.InvalidField(f"`args` needs a bound for each argument, at most {MOST_ARGUMENTS}", field="args")
    if uses is not None and (type(uses) is not int or not 0 < uses <= MOST_USES):
        raise errors.InvalidField(f"`uses` must be a number from 1 to {MOST_USES:,}", field="uses")
    cap = bounds.read_cap(amount, "amount") if amount is not None else None
    if cap is not None and cap.argument not in args:
        raise errors.InvalidField(f"`amount.argument`: there is no argument {cap.argument!r}", field="amount")
    return Terms(
        action,
        agent,
        until,
        {name: bounds.read(bound, f"args.{name}") for name, bound in args.items()},
        bounds.read(target, "target") if target is not None else None,
        case_id,
        cap,
        uses,
    )


@dataclass(frozen=True, slots=True)
class Use:
    """What was used so far; `today` is of the last day on which it was."""

    uses: int = 0
    spent: Decimal = Decimal(0)
    day: date | None = None
    today: Decimal = Decimal(0)

    def after(self, terms: Terms, taken: Decimal, at: datetime) -> Use | None:
        """With one call more; nothing where that would be beyond the limits, or too late."""
        day = at.astimezone(UTC).date()
        used = Use(self.uses + 1, self.spent + taken, day, taken + (self.today if self.day == day else 0))
        total, per_day = (terms.amount.total, terms.amount.per_day) if terms.amount else (None, None)
        beyond = (
            at >= terms.until
            or (terms.uses is not None and used.uses > terms.uses)
            or (total is not None and used.spent > bounds.exact(total))
            or (per_day is not None and used.today > bounds.exact(per_day))
        )
        return None if beyond else used


def sentence(terms: Terms, agent: str) -> str:
    """For people. What must not be shown is blotted out of the terms before."""
    said = [f"{agent} may call {named(terms.action)}"]
    said += [f"on {_words(terms.target)}"] if terms.target else []
    told = [f"{named(name)} {_words(bound)}" for name, bound in terms.args.items()]
    said += [f"with {', '.join(told)}"] if told else []
    said += [f"in the case {_value(terms.case_id)}"] if terms.case_id is not None else []
    limits = [*_limits(terms), f"until {terms.until.astimezone(UTC):%-d %b %Y %H:%M} UTC"]
    return f"{' '.join(said)}, {', '.join(limits)}."


def _limits(terms: Terms) -> Iterator[str]:
    if terms.uses is not None:
        yield "once" if terms.uses == 1 else f"up to {terms.uses:,} times"
    if terms.amount is not None:
        cap = terms.amount
        limits = (("per call", cap.per_call), ("per day", cap.per_day), ("in total", cap.total))
        said = " and ".join(f"{most:,} {what}" for what, most in limits if most is not None)
        yield f"{named(cap.argument)} up to {said}"


def _words(bound: Bound) -> str:
    match bound:
        case Exact():
            return _value(bound.value)
        case OneOf():
            return " or ".join(map(_value, bound.values))
        case Prefix():
            return f"beginning with {_value(bound.prefix)}"
        case Range(least=least, most=most):
            ends = (("from", least), ("to" if least is not None else "up to", most))
            return " ".join(f"{word} {end:,}" for word, end in ends if end is not None)
        case Anything():
            return "of any content"


def named(text: str) -> str:
    """In quotes unless it is a plain name: an agent chooses it, and could finish the sentence in it."""
    return text if _PLAIN.fullmatch(text) else _value(text)


def _value(value: Json) -> str:
    text = canonical.encode(value).decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
