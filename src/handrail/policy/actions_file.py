"""`actions.yaml`: registered actions and executors, read and compiled."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from handrail.core.risk import Level

from .actions import RECORD, Executor, Language, Naming, Place, Registration, Source, Text
from .conditions import Condition
from .document import Mapping, Node, Scalar, Sequence
from .facts import RESERVED
from .fields import Fields
from .patterns import Names, normalise

FACTS = ("operation", "environment", "resource_type", "estimated_cost", "data_leaves")
LANGUAGES: tuple[Language, ...] = ("command", "sql", "url", "path")

_PLACE = re.compile(r"target|args(\.[^.\s]{1,100}){1,8}")
ABOUT = ("name", "server", "tool", "words", "first_word")

Compile = Callable[[Fields, str, Node], Condition | None]


class ActionsFile:
    """`compiled` makes a condition of a node, and notes what is wrong with it."""

    def __init__(self, root: Fields, compiled: Compile) -> None:
        self._root = root
        self._compiled = compiled
        self._ids: set[str] = set()

    def actions(self) -> tuple[Registration, ...]:
        found = [self._action(fields) for fields in self._root.mappings("actions")]
        return tuple(entry for entry in found if entry)

    def executors(self) -> dict[str, Executor]:
        fields = self._root.mapping("executors")
        found: dict[str, Executor] = {}
        for name in fields.names if fields else ():
            entry = fields.mapping(name, required=True) if fields else None
            if entry is None:
                continue
            if name == RECORD:
                entry.complain(None, f"{RECORD!r} is built in and only records")
            operations = names(entry, "operations")
            if operations is None:
                entry.complain(None, "`operations` is missing: which ones it may serve")
            named_by = frozenset(entry.names_of("named_by"))
            floor = entry.level("floor") or Level.medium
            entry.close()
            found[name] = Executor(operations or Names(()), named_by, floor)
        return found

    def targets(self) -> dict[str, tuple[str, ...]]:
        """What depends on each target: `orders-db: {used_by: [billing, shop]}`."""
        fields = self._root.mapping("targets")
        found: dict[str, tuple[str, ...]] = {}
        for name in fields.names if fields else ():
            entry = fields.mapping(name, required=True) if fields else None
            if entry is not None:
                found[name] = entry.names_of("used_by")
                entry.node_of("used_by", required=True)
                entry.close()
        return found

    def _action(self, fields: Fields) -> Registration | None:
        before = len(fields.problems)
        name = fields.name("id", required=True)
        if name in self._ids or name in RESERVED:
            fields.complain("id", f"{name!r} is already taken")
        fields.text("description")
        entry = Registration(
            id=name or "",
            about=_naming(fields),
            unless=_exceptions(fields.mapping("unless")),
            when=self._condition(fields, "when", fields.node_of("when")),
            facts={fact: source for fact in FACTS if (source := self._source(fields, fact))},
            text=self._text(fields),
            floor=fields.level("floor"),
            requester_may_decide=fields.flag("requester_may_decide"),
            rollback=fields.text("rollback"),
            sample=fields.number("sample") or 0.0,
        )
        fields.close()
        if name:
            self._ids.add(name)
        if len(fields.problems) == before:
            self._check(fields, entry)
        return entry if name else None

    def _check(self, fields: Fields, entry: Registration) -> None:
        if entry.sample > 1:
            fields.complain("sample", "must be a share from 0 to 1")
        if entry.about == Naming():
            fields.complain(None, f"say which actions it is about: {', '.join(ABOUT)}")
        if entry.requester_may_decide and entry.floor in (Level.high, Level.critical):
            fields.complain("requester_may_decide", f"is not allowed at {entry.floor}: medium is the highest")

    def _source(self, fields: Fields, fact: str) -> Source | None:
        """`deploy`, `[create, update]`, `{from: [args.environment, target]}` or `{cel: "…"}`."""
        node = fields.node_of(fact)
        if not isinstance(node, Mapping):
            written = fields.names_of(fact)
            return Source(written=tuple(map(normalise, written))) if written else None
        inner = Fields(node, f"{fields.path}.{fact}", fields.problems)
        source = Source(places=_places(inner, "from"), expression=self._condition(inner, "cel", inner.node_of("cel")))
        if not source.places and not source.expression and not inner.node_of("cel"):
            inner.complain(None, "say where it comes from: `from` or `cel`")
        inner.close()
        return source

    def _text(self, fields: Fields) -> Text | None:
        node = fields.node_of("parse")
        if node is None:
            return None
        if not isinstance(node, Mapping):
            fields.complain("parse", f"must be a mapping with one of {', '.join(LANGUAGES)}")
            return None
        inner = Fields(node, f"{fields.path}.parse", fields.problems)
        given = [Text(language, places) for language in LANGUAGES if (places := _places(inner, language))]
        method = _places(inner, "method")
        allowed = tuple(_lines(inner, "allowed"))
        beside = frozenset(inner.names_of("beside"))
        optional = inner.flag("optional")
        inner.close()
        if len(given) != 1:
            inner.complain(None, f"name exactly one of {', '.join(LANGUAGES)}, with the arguments that hold it")
            return None
        where = method[0] if method else None
        return replace(given[0], allowed=allowed, beside=beside, method=where, optional=optional)

    def _condition(self, fields: Fields, name: str, node: Node | None) -> Condition | None:
        found = self._compiled(fields, name, node) if node is not None else None
        if found is not None and any(path[0] != "action" for path in found.paths):
            fields.complain(name, "may only read `action`: a fact never rests on a claim")
            return None
        return found


def names(fields: Fields, name: str) -> Names | None:
    found = fields.names_of(name)
    return Names(tuple(map(normalise, found))) if found else None


def _naming(fields: Fields) -> Naming:
    return Naming(
        name=names(fields, "name"),
        server=names(fields, "server"),
        tool=names(fields, "tool"),
        words=_words(fields, "words"),
        first_word=_words(fields, "first_word"),
    )


def _exceptions(fields: Fields | None) -> tuple[Naming, ...]:
    """Each field is an exception by itself."""
    if fields is None:
        return ()
    whole = _naming(fields)
    fields.close()
    found = [Naming(**{about: getattr(whole, about)}) for about in ABOUT]
    return tuple(each for each in found if each != Naming())


def _words(fields: Fields, name: str) -> frozenset[str]:
    return frozenset(map(normalise, fields.names_of(name)))


def _places(fields: Fields, name: str) -> tuple[Place, ...]:
    found = fields.names_of(name)
    for place in found:
        if not _PLACE.fullmatch(place):
            fields.complain(name, f"must be `target` or an argument such as `args.path`, not {place[:50]!r}")
    return tuple(tuple(place.split(".")) for place in found if _PLACE.fullmatch(place))


def _lines(fields: Fields, name: str) -> list[str]:
    """A list of short texts, which may have spaces: `git status`."""
    node = fields.node_of(name)
    items = node.items if isinstance(node, Sequence) else (node,) if node else ()
    lines = [item.text for item in items if isinstance(item, Scalar) and 0 < len(item.text) <= 100]
    if len(lines) != len(items):
        fields.complain(name, "must be a list of lines of up to 100 characters")
    return lines
