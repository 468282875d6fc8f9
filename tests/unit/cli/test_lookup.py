"""What a person may type for a hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from handrail.cli import lookup
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

Json = dict[str, Any]
Holds = Callable[..., Json]

FIRST = "019a8f3c-7701-7abc-8def-000000000001"
SECOND = "019a8f3c-7701-7abc-8def-000000000002"
RUN = "019a8f3d-0000-7000-8000-00000000000a"


class Shelf(Server):
    """A server that has these holds pending, in pages of two."""

    def __init__(self, *holds: Json, endless: bool = False) -> None:
        super().__init__()
        self._holds = list(holds)
        self._endless = endless

    def get(self, path: str, **query: Any) -> Json:
        if path != "/api/holds":
            for hold in self._holds:
                if path.endswith(hold["id"]):
                    return hold
            raise Failure(Exit.not_found, "There is no such hold.")
        start = int(query.get("cursor") or 0)
        fitting = [hold for hold in self._holds if "run" not in query or hold["run_id"] == str(query["run"])]
        more = start + 2 < len(fitting) or self._endless
        return {"holds": fitting[start : start + 2], "next": str(start + 2) if more else None}


def test_a_whole_id(hold: Holds):
    assert lookup.hold(Shelf(hold(id=FIRST), hold(id=SECOND)), SECOND)["id"] == SECOND


def test_a_beginning_that_only_one_has(hold: Holds):
    shelf = Shelf(hold(id=FIRST), hold(id=RUN), hold(id=SECOND))

    assert lookup.hold(shelf, "019A8F3D")["id"] == RUN


def test_a_beginning_on_a_later_page(hold: Holds):
    shelf = Shelf(hold(id=FIRST), hold(id=SECOND), hold(id=RUN))

    assert lookup.hold(shelf, "019a8f3d")["id"] == RUN


def test_a_beginning_of_several_lists_them(hold: Holds):
    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(hold(id=FIRST), hold(id=SECOND)), "019a8f3c")

    assert failure.value.exit is Exit.usage
    assert FIRST in failure.value.message
    assert SECOND in failure.value.message


def test_a_beginning_of_none(hold: Holds):
    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(hold(id=FIRST)), "ffff")

    assert failure.value.exit is Exit.not_found


def test_a_run_means_its_one_pending_hold(hold: Holds):
    assert lookup.hold(Shelf(hold(id=FIRST, run_id=RUN), hold(id=SECOND)), RUN)["id"] == FIRST


def test_a_run_with_several_pending_holds_lists_them(hold: Holds):
    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(hold(id=FIRST, run_id=RUN), hold(id=SECOND, run_id=RUN)), RUN)

    assert failure.value.exit is Exit.usage
    assert [one["id"] for one in failure.value.problem["holds"]] == [FIRST, SECOND]


def test_an_id_that_is_neither_hold_nor_run(hold: Holds):
    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(hold(id=FIRST)), RUN)

    assert failure.value.exit is Exit.not_found


@pytest.mark.parametrize("typed", ["abc", "xyz-1234", "../people", "", "019a8f3c%00"])
def test_what_is_no_id_is_refused_before_it_is_sent(typed: str):
    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(), typed)

    assert failure.value.exit is Exit.usage


def test_a_beginning_is_not_guessed_where_not_all_holds_were_looked_at(hold: Holds):
    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(hold(id=FIRST), endless=True), "019a8f3c")

    assert "whole id" in failure.value.message


class Rack(Shelf):
    """A server that has these runs, too."""

    def __init__(self, *holds: Json, runs: list[Json]) -> None:
        super().__init__(*holds)
        self._runs = runs

    def get(self, path: str, **query: Any) -> Json:
        if path == "/api/runs":
            return {"runs": self._runs, "next": None}
        for run in self._runs:
            if path == f"/api/runs/{run['id']}":
                return run
        return super().get(path, **query)


def a_run(run_id: str, status: str = "completed") -> Json:
    return {"id": run_id, "status": status, "workflow": "deploy"}


def test_a_run_by_its_id_and_by_its_beginning() -> None:
    rack = Rack(runs=[a_run(FIRST), a_run(RUN)])

    assert lookup.run(rack, RUN)["id"] == RUN
    assert lookup.run(rack, "019A8f3d")["id"] == RUN
    assert lookup.run_if_any(rack, "019b") is None
    assert lookup.run_if_any(rack, SECOND) is None


def test_a_beginning_of_several_runs_lists_them() -> None:
    with pytest.raises(Failure) as failure:
        lookup.run(Rack(runs=[a_run(FIRST), a_run(SECOND)]), "019a8f3c")

    assert failure.value.exit is Exit.usage
    assert FIRST in failure.value.message and SECOND in failure.value.message


def test_a_run_that_waits_for_nobody_says_so() -> None:
    with pytest.raises(Failure) as failure:
        lookup.hold(Rack(runs=[a_run(RUN)]), RUN)

    assert failure.value.exit is Exit.conflict
    assert "it is completed" in failure.value.message


def test_a_run_whose_hold_is_decided_means_that_hold(hold: Holds) -> None:
    assert lookup.hold(Rack(hold(id=FIRST, run_id=RUN), runs=[]), RUN)["id"] == FIRST
