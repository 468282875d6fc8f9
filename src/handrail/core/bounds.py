"""What a grant says of one value: equal to this, one of these, beginning with this, between these, or anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeGuard

from . import canonical, errors
from .canonical import Json, JsonObject

MOST_VALUES = 50
# after a prefix come letters, digits and these: nothing that a shell, a query or an address reads as more than a name
_TAIL = re.compile(r"[A-Za-z0-9._/:@+,=~-]*", re.ASCII)
# a prefix ends where a part of a name does, so that `shop` does not cover `shopping`
ENDINGS = "/-_:.@=+,#"
_HOST = re.compile(r"[a-z][a-z0-9+.-]*://[^/]+/", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Exact:
    value: Json


@dataclass(frozen=True, slots=True)
class OneOf:
    values: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    """A text that begins with this, and ends in a plain name: no `..`, no `//`, no space, nothing that has a meaning of
    its own to a program."""

    prefix: str


@dataclass(frozen=True, slots=True)
class Range:
    """A number; both ends count."""

    least: int | float | None = None
    most: int | float | None = None


@dataclass(frozen=True, slots=True)
class Anything:
    pass


Bound = Exact | OneOf | Prefix | Range | Anything


@dataclass(frozen=True, slots=True)
class Cap:
    """How much of the number in one argument the calls may add up to. Days are those of UTC."""

    argument: str
    per_call: int | float | None = None
    per_day: int | float | None = None
    total: int | float | None = None

    def of(self, args: Mapping[str, Json]) -> Decimal | None:
        """What a call with these arguments takes; nothing where that is no amount, or more than one call may take."""
        value = args.get(self.argument)
        if not is_number(value) or value < 0:
            return None
        taken = exact(value)
        return None if self.per_call is not None and taken > exact(self.per_call) else taken


def exact(number: int | float) -> Decimal:
    """The number as it is written: sums of them are what people expect of money."""
    return Decimal(repr(number))


def fits(bound: Bound, value: Json) -> bool:
    match bound:
        case Exact():
            return canonical.encode(bound.value) == canonical.encode(value)
        case OneOf():
            return any(fits(Exact(each), value) for each in bound.values)
        case Prefix():
            return isinstance(value, str) and _begins(value, bound.prefix)
        case Range():
            if not is_number(value):
                return False
            return (bound.least is None or bound.least <= value) and (bound.most is None or value <= bound.most)
        case Anything():
            return True


def _begins(value: str, prefix: str) -> bool:
    # from the prefix's last character on, so that no `..` and no host comes together there: `/` begins `//evil.example`
    tail = value[len(prefix) - 1 :]
    plain = ".." not in tail and "//" not in tail
    return value.startswith(prefix) and bool(_TAIL.fullmatch(tail[1:])) and plain


def is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def names_host(prefix: str) -> bool:
    """Whether an address that begins so is on one host, whatever follows."""
    return _HOST.match(prefix) is not None


def record(bound: Bound) -> JsonObject:
    """As it is written down, and covered by the digest."""
    match bound:
        case Exact():
            return {"exact": bound.value}
        case OneOf():
            return {"one_of": list(bound.values)}
        case Prefix():
            return {"prefix": bound.prefix}
        case Range():
            return {"range": {"min": bound.least, "max": bound.most}}
        case Anything():
            return {"any": True}


def read(given: Json, where: str) -> Bound:
    """What `record` wrote, or somebody asks for. Rejected names the place."""
    if not isinstance(given, dict) or len(given) != 1:
        raise _bad(where, "needs exactly one of `exact`, `one_of`, `prefix`, `range` and `any`")
    ((kind, value),) = given.items()
    canonical.check(value, where)
    match kind:
        case "exact":
            return Exact(value)
        case "one_of":
            return OneOf(_values(value, where))
        case "prefix":
            return Prefix(_prefix(value, where))
        case "range":
            return _range(value, where)
        case "any" if value is True:
            return Anything()
        case _:
            raise _bad(where, f"has no bound `{kind}` of this form")


def read_cap(given: Json, where: str) -> Cap:
    limits = ("per_call", "per_day", "total")
    if not isinstance(given, dict) or not given.keys() <= {"argument", *limits}:
        raise _bad(where, "needs `argument`, and any of `per_call`, `per_day` and `total`")
    argument = given.get("argument")
    if not isinstance(argument, str) or not argument:
        raise _bad(where, "needs the name of an `argument`")
    found = {name: _number(given.get(name), f"{where}.{name}") for name in limits}
    if all(limit is None for limit in found.values()):
        raise _bad(where, "needs one of `per_call`, `per_day` and `total`")
    if any(limit is not None and limit < 0 for limit in found.values()):
        raise _bad(where, "must not be below zero")
    return Cap(argument, **found)


def record_cap(cap: Cap) -> JsonObject:
    return {"argument": cap.argument, "per_call": cap.per_call, "per_day": cap.per_day, "total": cap.total}


def _values(given: Json, where: str) -> tuple[Json, ...]:
    if not isinstance(given, list) or not 0 < len(given) <= MOST_VALUES:
        raise _bad(where, f"needs a list of 1 to {MOST_VALUES} values")
    return tuple(given)


def _prefix(given: Json, where: str) -> str:
    if not isinstance(given, str) or not given or given[-1] not in ENDINGS:
        raise _bad(where, f"needs a text that ends with one of {' '.join(ENDINGS)}")
    if "://" in given and not names_host(given):
        raise _bad(where, "must contain the whole host of an address and the `/` after it")
    return given


def _range(given: Json, where: str) -> Range:
    if not isinstance(given, dict) or not given.keys() <= {"min", "max"}:
        raise _bad(where, "needs `min`, `max` or both")
    least, most = (_number(given.get(name), f"{where}.{name}") for name in ("min", "max"))
    if least is None and most is None:
        raise _bad(where, "needs `min`, `max` or both")
    if least is not None and most is not None and least > most:
        raise _bad(where, "has a `min` above its `max`")
    return Range(least, most)


def _number(given: Json, where: str) -> int | float | None:
    if given is None:
        return None
    if not is_number(given):
        raise _bad(where, "must be a number")
    canonical.check(given, where)
    return given


def _bad(where: str, what: str) -> errors.InvalidField:
    return errors.InvalidField(f"`{where}` {what}", field=where)
