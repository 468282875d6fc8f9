"""Whether there is something to do in the background, of each kind, in one statement."""

from __future__ import annotations

from enum import StrEnum

from handrail.store.database import Connection

# Each is the first entry of an index that has only what waits. That something exists would be looked for in the whole
# table, where the planner does not know how little it is: 0.5 s with a million pending holds.
LOOK = """
SELECT (SELECT min(alarm_at) FROM holds) <= moment.now AS holds,
  EXISTS (SELECT FROM brakes WHERE lifted_at IS NULL) AS brakes,
  (SELECT min(next_at) FROM deliveries WHERE status = 'queued') <= moment.now AS deliveries,
  (
    SELECT due_at FROM messages WHERE due_at IS NOT NULL AND NOT lost ORDER BY channel, due_at LIMIT 1
  ) IS NOT NULL AS messages,
  (SELECT min(wished_at) FROM attestations WHERE attestation IS NULL AND refusal IS NULL) IS NOT NULL AS attestations,
  (SELECT min(id) FROM event_inbox) IS NOT NULL AS events,
  (SELECT max(version) FROM policies) <> %(policy)s AS policy
FROM (SELECT handrail_now() AS now) AS moment
"""


class Due(StrEnum):
    """What may be due. `brakes` is whether one is on; `messages` are due until they have been written, and `events`
    until they have been numbered, also while somebody is at it; `policy` is whether another version is in force."""

    holds = "holds"
    brakes = "brakes"
    deliveries = "deliveries"
    messages = "messages"
    attestations = "attestations"
    events = "events"
    policy = "policy"


async def look(conn: Connection, policy: int) -> frozenset[Due]:
    """By a process that has this version of the policy. The time this takes does not grow with what is pending."""
    row = await (await conn.execute(LOOK, {"policy": policy})).fetchone()
    assert row is not None
    return frozenset(each for each in Due if row[each])
