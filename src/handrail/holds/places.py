"""Where the run that a decision wakes can resume at once: with the worker of this process, if it has one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol
from uuid import UUID

from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.core.runs import Run, Waking
from handrail.store import claims, sealed
from handrail.store.database import Connection, Cursor
from handrail.store.sealed import Box


class Offer(NamedTuple):
    """By the worker of this name: room for one run of these workflows."""

    worker: str
    workflows: Sequence[str]


class Taken(NamedTuple):
    """A run that was claimed, and its secret answers."""

    run: Run
    boxes: Sequence[Box]


class Worker(Protocol):
    def keep(self) -> Offer | None:
        """Room for one run, if there is some, until `settle` is called."""
        ...

    def settle(self, taken: Taken | None) -> None:
        """The room is used for this run, or no longer needed."""
        ...


@dataclass(slots=True)
class Places:
    """The worker of this process, once it has one."""

    worker: Worker | None = None

    def place(self) -> Place:
        return Place(self.worker)


class Place:
    """Of one decision. The run that it wakes is claimed in the decision's transaction, and handed over when that has
    committed: a claim by itself would be another transaction on disk, which the run waits for.

    Where the block ends with an error nothing is handed over. If the claim was committed in spite of it, the lease ends
    as that of a worker that died.
    """

    def __init__(self, worker: Worker | None) -> None:
        self._worker = worker
        self._kept = False
        self._asked: tuple[Cursor, Cursor] | None = None
        self.taken: Taken | None = None

    async def claim(self, conn: Connection, run_id: UUID) -> None:
        """In the pipeline of the decision's writes; the run is awake, and whoever sets a brake waits for this."""
        offer = self._worker.keep() if self._worker is not None else None
        if offer is not None:
            self._kept = True
            self._asked = (
                await claims.ask_one(conn, run_id, offer.worker, offer.workflows),
                await sealed.ask_of_runs(conn, [run_id]),
            )

    async def take(self, hold: Hold, who: Principal) -> None:
        """What was claimed, with the decision of this hold by this principal. Once the pipeline has ended."""
        if self._asked is None:
            return
        claimed, boxes = self._asked
        for run in await claims.claimed(claimed):
            decision = hold.decision
            known = decision is not None and decision.by == who.id
            woken_by = Waking(hold, {who.id: who.name}) if known else None
            self.taken = Taken(replace(run, woken_by=woken_by), await sealed.boxes(boxes))

    def __enter__(self) -> Place:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._worker is not None and self._kept:
            if kind is not None:
                self.taken = None
            self._worker.settle(self.taken)
