"""An event at its place in the log: what it is about, who may see it, and its one JSON form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from handrail.core import events, ids, story
from handrail.core.absences import StandIn
from handrail.core.events import Event
from handrail.core.parts import Part
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.core.wording import Scene

# what someone waits for entries of: a hold, a run, a case, a principal, or anything
Topic = tuple[str, UUID | str | None]
ANYTHING: Topic = ("anything", None)

# what an entry costs in memory besides its data, measured roughly
OVERHEAD_BYTES = 1000


def about_hold(hold_id: UUID) -> Topic:
    return ("hold", hold_id)


def about_run(run_id: UUID) -> Topic:
    return ("run", run_id)


def about_principal(principal_id: UUID) -> Topic:
    """Entries after which this principal may no longer be who they were: person, token and sign-in events."""
    return ("principal", principal_id)


@dataclass(frozen=True, eq=False)
class Entry:
    """`roles` may decide its hold; `principal_id` is whose person, token, link or sign-in it is about."""

    seq: int
    at: datetime
    type: str
    actor: Mapping[str, Any] | None
    hold_id: UUID | None
    hold_number: int | None
    run_id: UUID | None
    run_number: int | None
    case_id: str | None
    kind: str | None
    roles: frozenset[str]
    opener_id: UUID | None
    starter_id: UUID | None
    principal_id: UUID | None
    data: str
    # of its hold, by which a stand-in sees it
    level: str | None = None
    action: str | None = None
    stand_ins: bool = False

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Entry:
        actor = (
            {"id": str(row["actor_id"]), "name": row["actor_name"], "kind": row["actor_kind"]}
            if row["actor_id"]
            else None
        )
        if actor and row["absent_id"]:
            absent = {"id": str(row["absent_id"]), "name": row["absent_name"], "kind": row["absent_kind"]}
            actor["on_behalf_of"] = absent
        same = ("seq", "at", "type", "hold_id", "hold_number", "run_id", "run_number", "case_id", "kind")
        same += ("opener_id", "starter_id", "principal_id", "data", "level", "action")
        roles = frozenset[str](row["roles"] or ())
        return cls(actor=actor, roles=roles, stand_ins=bool(row["stand_ins"]), **{name: row[name] for name in same})

    @cached_property
    def json(self) -> str:
        """The event as clients see it; made once, however many streams carry it. `data` goes through verbatim."""
        return f'{json.dumps(self._envelope, ensure_ascii=False)[:-1]}, "data": {self.data}}}'

    @property
    def event(self) -> Event | None:
        """Nothing where its data is no longer kept."""
        return events.read(self.type, json.loads(self.data))

    @property
    def part(self) -> Part | None:
        return story.part_of(self.type, self.event)

    @cached_property
    def story(self) -> str | None:
        """The event as a part of its run's story; nothing where it is none. Made once, like `json`."""
        part = self.part
        if part is None:
            return None
        told = story.data_of(part, Scene(self._by, self._hold_short_id))
        return json.dumps({**self._envelope, "story": told}, ensure_ascii=False)

    @property
    def _by(self) -> str | None:
        """ "Ann", or "Ann for Bob" where Bob is away."""
        if self.actor is None:
            return None
        absent = self.actor.get("on_behalf_of")
        return f"{self.actor['name']} for {absent['name']}" if absent else self.actor["name"]

    @cached_property
    def detailed(self) -> str | None:
        """The same; of a code change with the event's data, by which a page shows it stage by stage."""
        if self.story is None or not self.type.startswith("change."):
            return self.story
        return f'{self.story[:-1]}, "data": {self.data}}}'

    @property
    def _hold_short_id(self) -> str | None:
        return ids.short("H", self.hold_number) if self.hold_number else None

    @property
    def _envelope(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "type": self.type,
            "at": self.at.isoformat().replace("+00:00", "Z"),
            "actor": self.actor,
            "hold_id": str(self.hold_id) if self.hold_id else None,
            "hold_short_id": self._hold_short_id,
            "run_id": str(self.run_id) if self.run_id else None,
            "run_short_id": ids.short("R", self.run_number) if self.run_number else None,
            "case_id": self.case_id,
            "kind": self.kind,
        }

    @property
    def bytes(self) -> int:
        return 3 * len(self.data) + OVERHEAD_BYTES

    @property
    def topics(self) -> Iterator[Topic]:
        yield ANYTHING
        if self.hold_id:
            yield about_hold(self.hold_id)
        if self.run_id:
            yield about_run(self.run_id)
        if self.case_id is not None:
            yield ("case", self.case_id)
        if self.principal_id:
            yield about_principal(self.principal_id)

    def visible_to(self, who: Principal) -> bool:
        """The rule of holds (`core.authority`) for each entry, by the roles held now; of the entries without a hold
        one sees one's own sign-ins and tokens, and the brake, which concerns everybody. `store.feed` reads by the same
        rule, so as not to page in vain."""
        if who.reads_all or who.id in (self.opener_id, self.starter_id) or self.type.startswith("brake."):
            return True
        if who.is_person and not self.roles.isdisjoint(who.roles):
            return True
        if self.stand_ins and any(self._stood_in(absent) for absent in who.stands_in):
            return True
        return self.principal_id == who.id and not self.type.startswith("person.")

    def _stood_in(self, absent: StandIn) -> bool:
        within = self.level is not None and absent.scope.fits(Level(self.level), self.action, self.case_id)
        return within and not self.roles.isdisjoint(absent.roles)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which entries are wanted: all of what is given must fit. `whole`: of a run, all of it, for who may see the run;
    else what each entry's own rule shows."""

    hold_id: UUID | None = None
    run_id: UUID | None = None
    case_id: str | None = None
    kind: str | None = None
    whole: bool = False

    def takes(self, entry: Entry) -> bool:
        return (
            self.hold_id in (None, entry.hold_id)
            and self.run_id in (None, entry.run_id)
            and self.case_id in (None, entry.case_id)
            and self.kind in (None, entry.kind)
        )

    def shows(self, entry: Entry, who: Principal) -> bool:
        return self.takes(entry) and (self.whole or entry.visible_to(who))

    @property
    def topic(self) -> Topic:
        """A topic of every entry that this filter takes, as narrow as there is one."""
        if self.hold_id:
            return about_hold(self.hold_id)
        if self.run_id:
            return about_run(self.run_id)
        return ANYTHING if self.case_id is None else ("case", self.case_id)
