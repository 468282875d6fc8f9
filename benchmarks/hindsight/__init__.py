"""Standing permission and the past.

Opening an ordinary call with none and with ten thousand live grants, in turns. Replaying a hundred thousand holds of
ordinary tool calls, no two alike, under a changed policy, against the floor: assessing the same actions, with nothing
else done, in one process. Processor time is that of the replay without the database: on a busy machine it says more
than the time that passed. Putting a decision pack together with ten thousand past holds of the same action, against
reading the hold.
"""

from __future__ import annotations

import asyncio

from benchmarks.hindsight import granting, packing, replaying


def run() -> dict[str, float]:
    return asyncio.run(granting.measure()) | asyncio.run(replaying.measure()) | asyncio.run(packing.measure())
