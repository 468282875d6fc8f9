"""The supervisor's side of a process that cannot be started."""

from __future__ import annotations

import psutil
import pytest

from handrail.engine.children import Child, Nursery
from handrail.engine.kinds import Kinds, Owner
from handrail.engine.orders import Orders
from handrail.engine.surroundings import User
from handrail.settings import Settings


class Killed(Nursery):
    async def fork(self, user: User | None, *ends: int) -> int:
        raise ConnectionError("the process that starts others ended")


async def test_a_process_that_cannot_be_started_leaves_nothing_open() -> None:
    child = Child(Owner.ours, Killed({}), lambda _, __: None, lambda _: None)
    orders = Orders(Owner.ours, Kinds(), "", None, Settings(), frozenset(), False, {})
    before = psutil.Process().num_fds()
    with pytest.raises(ConnectionError):
        await child.start(orders, None)
    assert psutil.Process().num_fds() == before
