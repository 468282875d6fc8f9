"""No sequence of commands lets a hold be approved without its thresholds, by its requester, by an agent, by somebody
whose role was taken away, or with a credential that is not one's own where the policy asks for one.
Random commands on a real database, judged by the rules written out once more."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from itertools import permutations

import pytest
from holds_world import Add, credential, opening

from handrail.core import errors
from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Hold, Kind, Status, Verdict
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal, PrincipalKind
from handrail.holds import deciding, reading, using
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import open_hold

PRODUCTION: JsonObject = {"operation": "deploy", "environment": "production"}
DELETION: JsonObject = {"operation": "delete", "environment": "production"}
ROLES = ("team_lead", "tech_lead", "cto")
HOLDS, COMMANDS = 12, 40


async def set_roles(context: Context, who: Principal, roles: frozenset[str], active: bool) -> Principal:
    async with context.database.transaction() as conn:
        await conn.execute(
            "UPDATE principals SET roles = %s, active = %s WHERE id = %s", (sorted(roles), active, who.id)
        )
    return replace(who, roles=roles, active=active)


@dataclass
class World:
    context: Context
    chance: random.Random
    people: list[Principal]
    hold: Hold
    approvals: dict[PrincipalId, frozenset[str]] = field(default_factory=dict[PrincipalId, frozenset[str]])
    """Whose yes to this revision was taken and stands, with the roles they had then."""

    async def command(self) -> None:
        act = self.chance.choice([self.review] * 6 + [self.change_roles] * 4 + [self.withdraw, self.amend])
        await act()
        self.hold = await reading.get(self.context, self.people[0], self.hold.id)

    async def review(self) -> None:
        who = self.chance.choice(self.people)
        # now and then with roles that were taken away since: a request that was on its way
        claimed = replace(who, roles=frozenset(ROLES), active=True) if self.chance.random() < 0.2 else who
        reason, own = self.chance.choice(["checked", None]), self.chance.random() < 0.8
        say = Say(Verdict.approve, self.hold.digest, reason, credential=credential(who, own=own))
        try:
            await deciding.review(self.context, claimed, self.hold.id, say)
        except errors.Rejected:
            return
        assert own or not self.hold.assessment.requirements.own_credential
        assert who.is_person and who.active, f"{who.name} decided"
        assert who.roles == claimed.roles, f"{who.name} decided with roles that they do not have"
        self.approvals[who.id] = who.roles

    async def change_roles(self) -> None:
        place = self.chance.randrange(1, len(self.people))
        who = self.people[place]
        roles = frozenset(role for role in ROLES if self.chance.random() < 0.5)
        self.people[place] = await set_roles(self.context, who, roles, self.chance.random() < 0.9)

    async def withdraw(self) -> None:
        who = self.chance.choice(self.people)
        try:
            await deciding.withdraw(self.context, who, self.hold.id, None)
        except errors.Rejected:
            return
        del self.approvals[who.id]

    async def amend(self) -> None:
        who = self.chance.choice(self.people)
        action = Action("deploy", {"version": self.chance.randrange(1000)})
        say = Say(Verdict.amend, self.hold.digest, "better", amended_action=action, credential=credential(who))
        try:
            await deciding.review(self.context, who, self.hold.id, say)
        except errors.Rejected:
            return
        self.approvals = {who.id: who.roles}

    def judge(self) -> None:
        """The approved hold, by the contract's words: two people, each still with a role, none of whom asked."""
        now = {who.id: who for who in self.people}
        standing = {
            by: roles & now[by].roles
            for by, roles in self.approvals.items()
            if now[by].active and now[by].is_person and by not in self.hold.requesters
        }
        groups = self.hold.assessment.requirements.required
        allowed = self.hold.assessment.requirements.roles
        counted = {by: roles for by, roles in standing.items() if roles & allowed}
        assert len(counted) >= 2
        assert any(
            all(counted[by] & group for by, group in zip(chosen, groups, strict=True))
            for chosen in permutations(counted, len(groups))
        )


@pytest.mark.parametrize("task", [PRODUCTION, DELETION], ids=["deploy", "delete"])
async def test_no_sequence_of_commands_goes_past_the_thresholds(context: Context, add: Add, task: JsonObject) -> None:
    agent = await add("agent", *ROLES, kind=PrincipalKind.agent)
    service = await add("service", *ROLES, kind=PrincipalKind.service)
    people = [await add(f"person-{n}", *ROLES) for n in range(5)]
    approved = 0
    for seed in range(HOLDS):
        chance = random.Random(seed)
        people = [await set_roles(context, who, frozenset(chance.sample(ROLES, 2)), True) for who in people]
        opener = chance.choice([agent, people[0]])
        asked = opening(Kind.approval, task=task, action=Action("deploy", {"version": 1}))
        hold = await open_hold(context, opener, asked)
        assert hold.pending, "high and critical always wait"
        world = World(context, chance, [opener, *(who for who in (agent, service, *people) if who != opener)], hold)
        for _ in range(COMMANDS):
            await world.command()
            if world.hold.status is Status.approved:
                world.judge()
                approved += 1
                break
        people = sorted((who for who in world.people if who.is_person), key=lambda who: who.name)
    assert approved >= HOLDS // 3, "the commands must reach approvals, too"


async def test_an_approval_stops_counting_with_the_role(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    first, second, third = [await add(name, "tech_lead") for name in ("ann", "ben", "cyd")]
    hold = await open_hold(context, agent, opening(Kind.approval, task=PRODUCTION))
    await deciding.review(context, first, hold.id, Say(Verdict.approve, hold.digest))
    await set_roles(context, first, frozenset({"developer"}), True)
    left = await deciding.review(context, second, hold.id, Say(Verdict.approve, hold.digest))
    assert (left.status, list(left.approvers)) == (Status.pending, [second.id])
    done = await deciding.review(context, third, hold.id, Say(Verdict.approve, hold.digest))
    assert done.status is Status.approved
    await using.redeem(context, agent, hold.id, hold.digest, "k")
