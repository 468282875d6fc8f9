"""Whatever is proposed, agreed to, amended, taken back and revoked, in whatever order: nothing runs unless the words of
enough people, who could give them now, cover it."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from holds_world import Add, credential, shift_clock

from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Hold, Kind, Status, Verdict
from handrail.core.people import Principal, PrincipalKind
from handrail.holds import deciding, granting, using
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.granting import Wish
from handrail.holds.opening import Opening, Use, open_hold
from handrail.holds.policies import Policies
from handrail.people import accounts
from handrail.policy import load
from handrail.policy.loading import ACTIONS, APPROVALS, RULES, TRIGGERS
from handrail.store import clock

STEPS = 1500
POLICY = {
    RULES: "levels:\n"
    "  {low: {auto_approve: true}, medium: {}, high: {minimum_approvers: 2}, critical: {minimum_approvers: 2}}\n"
    "rules:\n"
    "  - {id: small, action: pay, level: medium}\n"
    "  - {id: large, action: pay, condition: action.args.amount > 100, level: high}\n"
    "  - {id: huge, action: pay, condition: action.args.amount > 1000, level: critical}\n",
    TRIGGERS: "",
    APPROVALS: "roles: {boss: {may_approve: [low, medium, high, critical]}, guest: {may_approve: [low]}}\n",
    ACTIONS: "",
}
AMOUNTS, ORDERS = [5, 80, 80, 150, 150, 400, 5000], ["A-1", "A-2", "A-3", "B-1"]
MOST = 400
"""What a grant may allow for one call here."""


def people_for(action: Action) -> int:
    """As the policy above says, written once more."""
    amount = action.args["amount"]
    assert isinstance(amount, int)
    return 1 if amount <= 100 else 2


@dataclass
class Allowed:
    """A grant as those who made it know it."""

    orders: str
    uses: int
    until: datetime
    owner: str
    words: set[str] = field(default_factory=set[str])
    used: int = 0
    ended: bool = False

    def covers(self, action: Action) -> bool:
        order, amount = action.args["order"], action.args["amount"]
        assert isinstance(order, str) and isinstance(amount, int)
        return action.name == "pay" and order.startswith(self.orders) and 0 <= amount <= MOST


@dataclass
class Office:
    """Does something at random, and keeps its own books of who said what."""

    context: Context
    agent: Principal
    chief: Principal
    people: dict[str, Principal]
    chance: random.Random
    holds: dict[UUID, Hold] = field(default_factory=dict[UUID, Hold])
    words: dict[UUID, set[str]] = field(default_factory=dict[UUID, set[str]])
    asked: dict[UUID, int] = field(default_factory=dict[UUID, int])
    grants: dict[UUID, Allowed] = field(default_factory=dict[UUID, Allowed])
    seen: Counter[str] = field(default_factory=Counter[str])

    def action(self) -> Action:
        return Action("pay", {"order": self.chance.choice(ORDERS), "amount": self.chance.choice(AMOUNTS)})

    def bosses(self, names: set[str]) -> set[str]:
        return {name for name in names if "boss" in self.people[name].roles}

    async def now(self) -> datetime:
        async with self.context.database.connection() as conn:
            return await clock.now(conn)

    async def open(self) -> None:
        action = self.action()
        at_once = Use(str(self.chance.random())) if self.chance.random() < 0.3 else None
        hold = await open_hold(self.context, self.agent, Opening(Kind.approval, "Pay", action), use=at_once)
        self.holds[hold.id], self.words[hold.id], self.asked[hold.id] = hold, set(), people_for(action)
        if hold.grant is None:
            assert hold.pending and hold.redemption is None
            return
        grant = self.grants[hold.grant]
        grant.used += 1
        assert grant.used <= grant.uses
        assert (hold.redemption is not None) is (at_once is not None)
        await self.check(hold, "ran at once" if at_once else "opened")

    async def review(self) -> None:
        (hold, name), verdict = self.some(), self.chance.choice([*[Verdict.approve] * 6, Verdict.reject])
        after = await deciding.review(self.context, self.people[name], hold.id, self.says(hold, name, verdict))
        if verdict is Verdict.approve:
            self.words[hold.id].add(name)
        if after.status is Status.approved:
            # before anything compares the hold with the log
            assert len(self.words[hold.id]) >= self.asked[hold.id], "words on an earlier revision counted"
            self.seen["approved"] += 1

    async def amend(self) -> None:
        (hold, name), action = self.some(), self.action()
        say = replace(self.says(hold, name, Verdict.amend), amended_action=action)
        self.holds[hold.id] = await deciding.review(self.context, self.people[name], hold.id, say)
        assert self.holds[hold.id].pending, "an amendment decides nothing by itself"
        rose = people_for(action) > self.asked[hold.id] or action.args["amount"] == 5000
        self.words[hold.id] = set() if rose else {name}
        self.asked[hold.id] = max(self.asked[hold.id], people_for(action))
        self.seen["amended"] += 1

    async def take_back(self) -> None:
        hold, name = self.some()
        await deciding.withdraw(self.context, self.people[name], hold.id, None)
        self.words[hold.id].discard(name)
        self.seen["taken back"] += 1

    async def propose(self) -> None:
        hold, name = self.some()
        orders, uses = self.chance.choice(["A-", "A-", "B-"]), self.chance.choice([1, 2, 5])
        args: JsonObject = {"order": {"prefix": orders}, "amount": {"range": {"min": 0, "max": MOST}}}
        wish = Wish(args, uses=uses)
        made = await granting.propose(self.context, self.caller(name), hold.id, hold.digest, wish, None)
        self.grants[made.grant.id] = Allowed(orders, uses, await self.now() + timedelta(days=7), name, {name})
        self.seen["proposed"] += 1

    async def agree(self) -> None:
        id_, name = self.chance.choice([*self.grants][-3:]), self.name()
        say = Say(Verdict.approve, credential=credential(self.people[name]))
        await deciding.review(self.context, self.people[name], id_, say)
        self.grants[id_].words.add(name)

    async def take_back_grant(self) -> None:
        id_, name = self.chance.choice([*self.grants][-3:]), self.name()
        await deciding.withdraw(self.context, self.people[name], id_, None)
        self.grants[id_].words.discard(name)
        self.seen["grant taken back"] += 1

    async def revoke(self) -> None:
        id_ = self.chance.choice([*self.grants][-3:])
        await granting.revoke(self.context, self.caller(self.name()), id_, "over")
        self.grants[id_].ended = True
        self.seen["revoked"] += 1

    async def change_roles(self) -> None:
        name = self.name()
        roles = self.chance.choice([*[["boss"]] * 4, ["guest"], []])
        who = self.people[name]
        by = Caller(self.chief, frozenset(Scope))
        await accounts.change(self.context.database, by, who.id, roles=roles)
        self.people[name] = replace(who, roles=frozenset(roles))
        for grant in self.grants.values():
            grant.ended |= grant.owner == name and "boss" not in roles

    async def wait(self) -> None:
        await shift_clock(self.context.database, 86_400)

    async def redeem(self) -> None:
        hold, _ = self.some()
        other = self.chance.choice([*self.holds.values()])
        digest = self.chance.choice([*[hold] * 9, other]).digest
        key = str(self.chance.random())
        self.seen["tried"] += 1
        ran = await using.redeem(self.context, self.agent, hold.id, digest, key)
        assert ran.digest == digest and ran.redemption is not None and ran.redemption.key == key
        await self.check(ran, "ran")

    async def check(self, hold: Hold, what: str) -> None:
        """By the books: who said so, and could say so now."""
        action, made = hold.question.action, hold.decision
        assert action is not None and made is not None
        if made.basis == "people":
            words = self.words[hold.id]
        else:
            assert made.basis == "grant" and made.grant is not None
            grant = self.grants[made.grant]
            assert not grant.ended and grant.covers(action) and await self.now() < grant.until
            words = grant.words
        assert len(self.bosses(words)) >= people_for(action)
        self.seen[f"{what} by {made.basis} of {people_for(action)}"] += 1

    def some(self) -> tuple[Hold, str]:
        """One of the newest, so that much is done to few."""
        return self.holds[self.chance.choice([*self.holds][-4:])], self.name()

    def name(self) -> str:
        return self.chance.choice([*self.people])

    def says(self, hold: Hold, name: str, verdict: Verdict) -> Say:
        return Say(verdict, hold.digest, credential=credential(self.people[name]))

    def caller(self, name: str) -> Caller:
        who = self.people[name]
        return Caller(who, frozenset({Scope.read, Scope.decide}), credential(who))


async def test_nothing_runs_that_no_persons_word_covers(context: Context, add: Add) -> None:
    strict = Context(context.database, context.audiences, Policies(context.database, load(POLICY)), lambda: None)
    people = {name: await add(name, "boss") for name in ("ann", "ben", "cem")}
    agent, chief = await add("bot", kind=PrincipalKind.agent), await add("chief", "administrator")
    office = Office(strict, agent, chief, people, random.Random(1))
    usual: list[tuple[Any, int]] = [
        (office.open, 6),
        (office.review, 8),
        (office.amend, 4),
        (office.take_back, 2),
        (office.propose, 4),
        (office.agree, 6),
        (office.take_back_grant, 1),
        (office.revoke, 2),
        (office.change_roles, 3),
        (office.wait, 1),
        (office.redeem, 8),
    ]
    refused = Counter[str]()
    while not office.grants:
        await office.open()
        with suppress(errors.Rejected):
            await office.propose()
    for _ in range(STEPS):
        (act,) = office.chance.choices([each for each, _ in usual], [often for _, often in usual])
        try:
            await act()
        except errors.Rejected as error:
            refused[error.code] += 1
    assert refused["approval_void"] and refused["not_approved"] and refused["stale_digest"]
    ways = [f"ran by {basis} of {count}" for basis in ("people", "grant") for count in (1, 2)]
    for reached in (
        *ways,
        "opened by grant of 2",
        "ran at once by grant of 2",
        "approved",
        "amended",
        "taken back",
        "grant taken back",
        "revoked",
    ):
        assert office.seen[reached], reached
