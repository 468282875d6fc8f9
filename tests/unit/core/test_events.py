"""The catalogue of events: only what a room declares is written, and what any version wrote is read."""

from __future__ import annotations

from uuid import UUID

import pytest

from handrail.core.canonical import JsonObject
from handrail.core.events import Catalogue, Event, Maybe
from handrail.core.events import read as read_any
from handrail.core.hold_events import HoldAmended, HoldEscalated, HoldReopened, HoldReviewed
from handrail.core.ids import PrincipalId
from handrail.core.run_events import RunGraphChanged, RunStepCompleted, RunToolReturned

ANN = PrincipalId(UUID(int=7))


def test_an_event_is_declared_once_and_before_the_server_has_started() -> None:
    catalogue = Catalogue()

    @catalogue.event("kite.flown")
    class Flown(Event):
        height: int

    assert (Flown.type, Flown(height=3).data) == ("kite.flown", {"height": 3})
    with pytest.raises(RuntimeError, match="declared twice"):
        catalogue.event("kite.flown")(Event)
    catalogue.close()
    with pytest.raises(RuntimeError, match="too late"):
        catalogue.event("kite.landed")(Event)


def test_what_no_room_declares_is_refused() -> None:
    catalogue, other = Catalogue(), Catalogue()

    @catalogue.event("kite.flown")
    class Flown(Event):
        height: int

    @other.event("kite.flown")
    class Impostor(Event):
        height: int

    catalogue.check(Flown(height=3))
    for stranger in (Impostor(height=3), Event()):
        with pytest.raises(RuntimeError, match="not an event that a room declares"):
            catalogue.check(stranger)


def test_a_class_that_changed_reads_what_its_earlier_versions_wrote() -> None:
    catalogue = Catalogue()

    def in_metres(data: JsonObject) -> JsonObject:
        feet = data.pop("feet")
        assert isinstance(feet, int)
        return {**data, "metres": feet * 0.3048}

    def with_weather(data: JsonObject) -> JsonObject:
        return {**data, "weather": "unknown"}

    @catalogue.event("kite.flown", in_metres, with_weather)
    class Flown(Event):
        metres: float
        weather: str

    assert catalogue.read("kite.flown", {"feet": 100}) == Flown(metres=30.48, weather="unknown")
    assert catalogue.read("kite.flown", {"v": 2, "metres": 9.0}) == Flown(metres=9.0, weather="unknown")
    written = Flown(actor=ANN, metres=9.0, weather="wind").data
    assert written == {"v": 3, "metres": 9.0, "weather": "wind"}
    assert catalogue.read("kite.flown", written, ANN) == Flown(actor=ANN, metres=9.0, weather="wind")


def test_a_newer_version_is_read_as_far_as_it_is_known() -> None:
    catalogue = Catalogue()

    @catalogue.event("kite.flown")
    class Flown(Event):
        height: int

    assert catalogue.read("kite.flown", {"v": 5, "height": 3, "colour": "red"}) == Flown(height=3)
    assert catalogue.read("kite.flown", {"v": 5, "heights": [3]}) is None
    assert catalogue.read("kite.lost", {}) is None


@pytest.mark.parametrize("data", [None, {}])
def test_of_an_event_whose_data_is_no_longer_kept_nothing_is_read(data: JsonObject | None) -> None:
    assert read_any("hold.decided", data) is None


def test_what_the_first_versions_wrote_is_still_read() -> None:
    """As they are in logs: without the fields that came later."""
    reviewed = {"verdict": "approve", "reason": None, "roles": ["cto"], "digest": "d", "revision": 1, "approvals": 1}
    amended = {"revision": 2, "digest": "e", "previous_digest": "d", "reason": "less", "counts_as_approval": False}
    assessed = {"risk": "high", "rules": ["r"], "policy_version": 1}
    step = {"step": 1, "node": "plan", "task": "t", "namespace": ["outer:1", "inner:2"], "update": None}
    found = [
        read_any("hold.reviewed", {**reviewed, "approvals_needed": 2}),
        read_any("hold.amended", {**amended, **assessed}),
        read_any("hold.escalated", {"added_roles": ["cto"], "digest": "d"}),
        read_any("hold.reopened", {"cause": "withdrawn", "digest": "d"}),
        read_any("run.step_completed", step),
    ]
    assert [type(event) for event in found] == [
        HoldReviewed,
        HoldAmended,
        HoldEscalated,
        HoldReopened,
        RunStepCompleted,
    ]
    assert isinstance(found[-1], RunStepCompleted)
    assert found[-1].namespace == "outer:1|inner:2"


def test_a_field_that_may_be_missing_is_left_out_and_others_are_null() -> None:
    assert RunToolReturned(content=None).data == {"name": None, "call_id": None, "content": None}
    assert RunToolReturned(name="look", call_id="c", content=1, failed=True).data["failed"] is True
    assert RunGraphChanged(from_="a", to="b").data == {"from": "a", "to": "b"}
    assert read_any("run.graph_changed", {"from": "a", "to": "b"}) == RunGraphChanged(from_="a", to="b")


def test_blotting_reaches_every_value_and_leaves_what_counts() -> None:
    catalogue = Catalogue()

    @catalogue.event("kite.flown")
    class Flown(Event):
        step: int
        over: str
        ids: tuple[UUID, ...]
        seen: JsonObject
        failed: Maybe[bool] = None

    flown = Flown(step=7, over="the sea", ids=(ANN,), seen={"at": [7, "the sea"]})
    blotted = flown.blotted(lambda said: "■" if said in (7, "the sea") else {"at": "■"})
    assert blotted == Flown(step=7, over="■", ids=(ANN,), seen={"at": "■"})
