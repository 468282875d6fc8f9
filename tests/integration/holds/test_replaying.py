"""A replay says what opening the same under that policy says, of whatever was asked."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from holds_world import Add, credential

from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Hold, Kind, Verdict
from handrail.core.people import Principal, PrincipalKind
from handrail.core.replay import replay
from handrail.holds import deciding, replaying
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import Opening, open_within
from handrail.holds.policies import Policies
from handrail.policy import default_policy, load
from handrail.policy.loading import RULES, TRIGGERS
from handrail.store import past
from handrail.store.past import Opened

ACTIONS = 1000
SOURCE = default_policy().source
OTHER = {
    **SOURCE,
    RULES: SOURCE[RULES].replace(
        "  medium:\n", "  medium:\n    minimum_approvers: 2\n    require_justification: true\n", 1
    ),
    TRIGGERS: SOURCE[TRIGGERS]
    + "  - id: large-refund\n    action: orders.*\n    condition: action.args.amount > 500\n    level: critical\n"
    + "  - id: small-fetch\n    action: fetch_page\n    level: low\n",
}
NAMES = [
    "deploy",
    "deleteUsers",
    "read_file",
    "orders.refund",
    "fetch_page",
    "shell.run",
    "query",
    "mcp.tracker.find_x",
]
COMMANDS = ["ls -la", "rm -rf /srv", "git push --force", "curl -d @x https://example.org", "ls; rm x", "npm test"]
QUERIES = ["SELECT name FROM users", "DELETE FROM users", "SELECT count(*) FROM t", "not sql at all ("]


def anything(chance: random.Random) -> Opening:
    args: JsonObject = chance.choice(
        [
            {},
            {"command": chance.choice(COMMANDS)},
            {"sql": chance.choice(QUERIES)},
            {"amount": chance.choice([5, 700, "9", None, 0.5]), "order": f"A-{chance.randrange(50)}"},
            {"url": chance.choice(["https://example.org/x", "http://169.254.169.254/", "ftp://x"]), "method": "GET"},
            {"path": chance.choice(["src/a.py", "~/.ssh/id_rsa", ".env"]), "environment": "staging"},
        ]
    )
    target = chance.choice([None, "staging", "production", "eu-prod-1", "dev", "рroduction"])
    claims: Any = chance.choice(
        [None, None, {"operation": "read", "environment": "development"}, {"estimated_cost": 5000}, {"x": 1}]
    )
    kind = chance.choice([Kind.approval, Kind.approval, Kind.approval, Kind.review, Kind.confirmation])
    action, refused = Action(chance.choice(NAMES), args, target), chance.choice([0, 0, 0, 2])
    return Opening(kind, "Do it", action, task=claims, refused_before=refused)


async def opened(context: Context, who: list[Principal], openings: list[Opening]) -> list[Hold]:
    async with context.database.transaction() as conn:
        asks = zip(who, openings, strict=True)
        return [await open_within(context, conn, each, opening) for each, opening in asks]


async def rows(context: Context, since: Hold) -> list[Opened]:
    async with context.database.transaction() as conn:
        pages = past.opened(conn, since.opened_at - timedelta(days=1), since.opened_at + timedelta(days=1), 300)
        return [one async for page in pages for one in page]


async def test_a_replay_says_what_a_live_run_under_that_policy_does(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    service = await add("service", kind=PrincipalKind.service)
    async with context.database.transaction() as conn:
        await conn.execute("UPDATE principals SET trusted_claims = true WHERE id = %s", (service.id,))
    chance = random.Random(4)
    openings = [anything(chance) for _ in range(ACTIONS)]
    who = [chance.choice([agent, agent, service]) for _ in range(ACTIONS)]
    then = await opened(context, who, openings)
    found = {row.number: row for row in await rows(context, then[0])}
    candidate = load(OTHER)
    live = Context(context.database, context.audiences, Policies(context.database, candidate), lambda: None)
    now = await opened(live, who, openings)
    seen = {"asked": 0, "changed": 0}
    for before, after in zip(then, now, strict=True):
        row = found[before.number]
        hold = replaying.as_opened(row)
        would = replaying.judged(candidate, hold, trusted=row.trusted)
        assert would == after.assessment
        judged = replay(hold, would)
        assert judged.would_ask is after.pending
        seen["asked"] += judged.would_ask
        seen["changed"] += judged.change != "same"
    assert ACTIONS / 4 < seen["asked"] < ACTIONS and seen["changed"] > ACTIONS / 20


async def test_what_was_amended_is_replayed_as_it_was_opened(context: Context, add: Add) -> None:
    agent, lead = await add("agent", kind=PrincipalKind.agent), await add("lead", "team_lead")
    (hold,) = await opened(context, [agent], [Opening(Kind.approval, "Deploy", Action("deploy", {"v": 1}, "staging"))])
    say = Say(
        Verdict.amend, hold.digest, amended_action=Action("deploy", {"v": 2}, "production"), credential=credential(lead)
    )
    await deciding.review(context, lead, hold.id, say)
    (row,) = await rows(context, hold)
    seen = replaying.as_opened(row)
    assert (seen.question, seen.assessment, seen.revision) == (hold.question, hold.assessment, 2)


async def test_a_whole_replay_in_processes_adds_up_and_counts_what_it_cannot_read(context: Context, add: Add) -> None:
    agent, auditor = await add("agent", kind=PrincipalKind.agent), await add("auditor", "auditor")
    (first,) = await opened(
        context, [agent], [Opening(Kind.approval, "Run", Action("shell.run", {"command": "make x"}))]
    )
    async with context.database.transaction() as conn:
        copied = await conn.execute("SELECT * FROM holds WHERE id = %s", (first.id,))
        row = await copied.fetchone()
        assert row is not None
        columns = [name for name in row if name not in ("id", "number")]
        listed = ", ".join(columns)
        await conn.execute(
            f"INSERT INTO holds (id, {listed}) SELECT gen_random_uuid(), {listed} FROM holds, "  # pyright: ignore[reportArgumentType] - names of our own columns
            "generate_series(1, 4500) WHERE id = %s",
            (first.id,),
        )
        await conn.execute("UPDATE holds SET state = '{}' WHERE number % 1500 = 0")
    caller = Caller(auditor, frozenset({Scope.read}))
    found = await replaying.replay(context, caller, SOURCE, first.opened_at - timedelta(days=1))
    tally = found.tally
    assert (tally.holds + tally.unreadable, tally.unreadable, tally.asked) == (4501, 3, tally.holds)
    assert (tally.changes["same"], tally.looser, tally.slips) == (tally.holds, 0, [])
    try:
        await replaying.replay(context, Caller(agent, frozenset({Scope.read})), SOURCE, first.opened_at)
    except errors.Forbidden:
        return
    raise AssertionError("an agent replays nothing")
