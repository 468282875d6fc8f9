"""What a person may type for a hold or a run."""

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
    """A server that has these holds and runs, and knows each by both of its ids."""

    def __init__(self, *holds: Json, runs: tuple[Json, ...] = ()) -> None:
        super().__init__()
        self._holds = holds
        self._runs = runs

    def get(self, path: str, **query: Any) -> Json:
        if path == "/api/holds":
            run = query["run"]
            return {"holds": [hold for hold in self._holds if run in (hold["run_id"], hold["run_short_id"])]}
        places = {"/api/holds/": self._holds, "/api/runs/": self._runs}
        for place, things in places.items():
            for thing in things:
                if path in (place + thing["id"], place + thing["short_id"]):
                    return thing
        raise Failure(Exit.not_found, "There is no such thing.")


def a_run(status: str = "completed") -> Json:
    return {"id": RUN, "short_id": "R-7", "status": status, "workflow": "deploy"}


@pytest.mark.parametrize("typed", [SECOND, SECOND.upper(), "H-2", "h-2"])
def test_a_hold_by_its_long_or_short_id(hold: Holds, typed: str):
    shelf = Shelf(hold(id=FIRST, short_id="H-1"), hold(id=SECOND, short_id="H-2"))

    assert lookup.hold(shelf, typed)["id"] == SECOND


@pytest.mark.parametrize("typed", [RUN, "R-7", "r-7"])
def test_a_run_means_its_one_pending_hold(hold: Holds, typed: str):
    shelf = Shelf(hold(id=FIRST, run_id=RUN, run_short_id="R-7"), hold(id=SECOND))

    assert lookup.hold(shelf, typed)["id"] == FIRST


@pytest.mark.parametrize("typed", [RUN, "R-7"])
def test_a_run_with_several_pending_holds_lists_them(hold: Holds, typed: str):
    of_run = {"run_id": RUN, "run_short_id": "R-7"}

    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(hold(id=FIRST, **of_run), hold(id=SECOND, short_id="H-9", **of_run)), typed)

    assert failure.value.exit is Exit.usage
    assert "H-1042" in failure.value.message and "H-9" in failure.value.message
    assert [one["id"] for one in failure.value.problem["holds"]] == [FIRST, SECOND]


@pytest.mark.parametrize("typed", [RUN, "H-3", "R-3"])
def test_an_id_that_nothing_has(hold: Holds, typed: str):
    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(hold(id=FIRST)), typed)

    assert failure.value.exit is Exit.not_found


@pytest.mark.parametrize("typed", ["abc", "019a8f3c", "../people", "", "H-0", "H-", "H-1/../2", "X-1", "H-1%00"])
def test_what_is_no_id_is_refused_before_it_is_sent(typed: str):
    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(), typed)

    assert failure.value.exit is Exit.usage
    assert "H-1042" in failure.value.message


@pytest.mark.parametrize("typed", [RUN, "R-7", "H-1042"])
def test_a_run_by_its_ids_and_by_its_hold(hold: Holds, typed: str) -> None:
    shelf = Shelf(hold(id=FIRST, run_id=RUN, run_short_id="R-7"), runs=(a_run(),))

    assert lookup.run(shelf, typed)["id"] == RUN


def test_a_hold_outside_of_a_run_is_no_run(hold: Holds) -> None:
    with pytest.raises(Failure) as failure:
        lookup.run(Shelf(hold(id=FIRST)), "H-1042")

    assert failure.value.exit is Exit.usage


def test_there_may_be_no_run(hold: Holds) -> None:
    assert lookup.run_if_any(Shelf(hold(id=FIRST)), SECOND) is None
    assert lookup.run_if_any(Shelf(hold(id=FIRST)), "R-8") is None
    assert lookup.run_if_any(Shelf(hold(id=FIRST)), "H-1042") is None


@pytest.mark.parametrize("typed", [RUN, "R-7"])
def test_a_run_that_waits_for_nobody_says_so(typed: str) -> None:
    with pytest.raises(Failure) as failure:
        lookup.hold(Shelf(runs=(a_run(),)), typed)

    assert failure.value.exit is Exit.conflict
    assert "R-7" in failure.value.message and "it is completed" in failure.value.message
