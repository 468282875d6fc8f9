"""Random commands over holds: the core and the model agree on every one, and the events tell the whole story."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal
from uuid import UUID

import pytest
from unit.core.hold_model import Model, Refused
from unit.core.samples import (
    AGENT,
    BOTH,
    CRITICAL,
    CTO,
    DEVELOPER,
    HIGH,
    LEAD,
    LEAD_2,
    LOW,
    MEDIUM,
    MINUTE,
    ONE_LEAD,
    STARTER,
    T0,
    TECH,
    asked,
    principal,
    question,
)

from handrail.core import agreement, canonical, errors, transitions
from handrail.core.agreement import Agreement, Record
from handrail.core.events import Event
from handrail.core.holds import Action, Hold, Kind, Result, Status, Verdict
from handrail.core.people import PrincipalKind
from handrail.core.risk import Assessment, ExpiryOutcome, Level
from handrail.core.transitions import Step

ALL_ROLES = ("team_lead", "tech_lead", "cto")
PEOPLE = [
    LEAD, LEAD_2, TECH, CTO, BOTH, STARTER, DEVELOPER,
    replace(DEVELOPER, roles=frozenset({"cto"})),
    replace(LEAD, roles=frozenset({"tech_lead"})),
    AGENT,
    principal(50, *ALL_ROLES, kind=PrincipalKind.service),
    principal(51, *ALL_ROLES, kind=PrincipalKind.agent),
    principal(52, *ALL_ROLES, active=False),
]  # fmt: skip
TERMS = [
    LOW,
    MEDIUM,
    HIGH,
    CRITICAL,
    replace(MEDIUM, requirements=replace(ONE_LEAD, approvals=2, rejections=2)),
    replace(HIGH, requirements=ONE_LEAD),
    replace(MEDIUM, timeout=20 * MINUTE, escalate_after=8 * MINUTE, escalate_to=frozenset({"cto"})),
    replace(HIGH, timeout=12 * MINUTE),
    Assessment(Level.critical, replace(ONE_LEAD, justification=True), escalate_after=3 * MINUTE),
]
CONTENTS = {name: Action(name, {"n": len(name)}) for name in ("a", "ab", "abc")}
VERDICTS = {True: Verdict.approve, False: Verdict.reject}
GRANT = UUID(int=70)
OUTCOMES: list[Literal["succeeded", "failed"]] = ["succeeded", "failed"]


@dataclass
class Told:
    """What someone who only reads the events knows of the hold."""

    status: str = ""
    revision: int = 1
    digest: str = ""
    redeemed: bool = False
    resulted: bool = False
    escalated: bool = False

    def hear(self, event: Event) -> None:
        canonical.check(event.data, event.type)
        data: dict[str, Any] = dict(event.data)
        match event.type:
            case "hold.opened":
                self.status, self.digest = "pending", data["digest"]
            case "hold.reviewed":
                assert self.status == "pending"
                assert event.actor is not None
            case "hold.amended":
                assert (self.status, data["previous_digest"]) == ("pending", self.digest)
                self.revision, self.digest, self.escalated = data["revision"], data["digest"], False
            case "hold.decided":
                assert self.status == "pending"
                self.status = data["outcome"]
            case "hold.reopened":
                assert self.status == "approved" and not self.redeemed
                self.status = "pending"
                if data["cause"] == "policy":
                    self.escalated = False
            case "hold.redeemed":
                assert self.status == "approved" and not self.redeemed
                self.redeemed = True
            case "hold.resulted":
                assert self.redeemed and not self.resulted
                self.resulted = True
            case "hold.escalated":
                assert self.status == "pending" and not self.escalated
                self.escalated = True
            case "hold.withdrawn":
                assert not self.redeemed
            case unknown:
                raise AssertionError(unknown)
        assert data["digest"] == self.digest


class Play:
    """One hold and its model, under the same commands."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.minute = 0.0
        self.told = Told()
        self.said: list[Record] = []
        self.log: list[str] = []
        kind = self.random.choice([*Kind, Kind.approval, Kind.confirmation])
        terms = self.random.choice(TERMS)
        opener = self.random.choice([AGENT, AGENT, LEAD, BOTH])
        starter = self.random.choice([None, STARTER, CTO])
        self.on_expiry: ExpiryOutcome = self.random.choice(["expire", "reject"])
        asked_minutes = self.random.choice([None, None, None, None, 5, 15])
        takes_response = kind is not Kind.input and self.random.random() < 0.5
        self.hold: Hold = asked(
            question(kind, action=CONTENTS["a"]),
            terms,
            opener=opener.id,
            starter=starter and starter.id,
            on_expiry=self.on_expiry,
            asked_expiry=asked_minutes and T0 + asked_minutes * MINUTE,
            takes_response=takes_response,
        )
        self.model = Model(kind.value, {opener.id, *([starter.id] if starter else [])}, terms, "a")
        self.model.asked_expiry, self.model.takes_response = asked_minutes, takes_response
        self.seen = {"a": self.hold.digest}
        observed, granted = self.random.random() < 0.35, self.random.random() < 0.5
        self.both(
            f"open {kind} {terms.level}{' observed' * observed}{' granted' * granted}",
            lambda: transitions.open_(self.hold, observed=observed, grant=GRANT if granted else None),
            lambda: self.model.open(observed=observed, granted=granted),
        )

    def both(self, what: str, command: Callable[[], Step], rule: Callable[[], None]) -> None:
        self.log.append(f"{self.minute:g} min: {what}")
        try:
            rule()
            expected = "taken"
        except Refused:
            expected = "refused"
        try:
            step = command()
            outcome = "taken"
        except errors.Rejected as error:
            step, outcome = None, "refused"
            self.log.append(f"  {error.code}")
        assert outcome == expected
        if step is not None:
            self.accept(step)
        self.compare()

    def accept(self, step: Step) -> None:
        changed = step.hold != self.hold or (step.events[:1] and step.events[0].type == "hold.opened")
        assert bool(step.events) is bool(changed), "a change without an event, or an event without a change"
        now = T0 + self.minute * MINUTE
        for event in step.events:
            self.told.hear(event)
            self.said.append(Record.of(event.type, event.actor, now, event.data))
        self.hold = step.hold
        self.seen[self.model.content] = self.hold.digest

    def compare(self) -> None:
        hold, model, told = self.hold, self.model, self.told
        assert hold.status.value == model.status == told.status
        assert agreement.compare(hold, self.said) == Agreement()
        assert (hold.decision is None) is (hold.status is Status.pending)
        assert hold.decision is None or hold.decision.outcome is hold.status
        assert (hold.grant is not None) is model.granted
        assert hold.revision == model.revision == told.revision
        assert hold.digest == hold.question.digest() == told.digest
        assert hold.question.action == CONTENTS[model.content]
        responded = {r.by for r in hold.reviews if r.verdict is Verdict.respond}
        assert responded == {by for by, say in model.says.items() if say.words}
        assert hold.approvers == {by: say.roles for by, say in model.says.items() if say.yes}
        assert (hold.redemption is not None) is (model.key is not None) is told.redeemed
        assert (hold.result is not None) is (model.recorded is not None) is told.resulted
        assert (hold.escalated_at is not None) is told.escalated is model.escalated
        deadline = model.deadline()
        if hold.status is Status.pending:
            assert hold.expires_at == (None if deadline is None else T0 + deadline * MINUTE)

    def step(self) -> None:
        self.minute += self.random.choice([0, 0, 0, 1, 3])
        commands = [self.review] * 8 + [self.amend] * 2 + [self.redeem] * 3 + [self.withdraw] * 2
        commands += [self.answer, self.answer, self.respond, self.respond]
        self.random.choice([*commands, self.result, self.cancel, self.sweep, self.sweep])()

    def digest_choice(self) -> str | None:
        """Mostly the present content; else none, or one that was or could be."""
        return self.random.choice([self.model.content] * 6 + [None, *self.seen])

    def review(self) -> None:
        who = self.random.choice(PEOPLE)
        yes = self.random.random() < 0.8
        of = self.digest_choice()
        reason = self.random.choice(["", "checked"])
        now = T0 + self.minute * MINUTE
        digest = None if of is None else self.seen[of]
        self.both(
            f"{VERDICTS[yes]} by {who.name} {sorted(who.roles)} of {of} {reason!r}",
            lambda: transitions.review(self.hold, who, VERDICTS[yes], now, digest=digest, reason=reason),
            lambda: self.model.review(who, yes, of, reason, self.minute),
        )

    def answer(self) -> None:
        who, of, text = self.random.choice(PEOPLE), self.digest_choice(), self.random.choice(["", "yes"])
        digest = None if of is None else self.seen[of]
        now = T0 + self.minute * MINUTE
        self.both(
            f"answer by {who.name} of {of} {text!r}",
            lambda: transitions.review(self.hold, who, Verdict.answer, now, digest=digest, answer=text),
            lambda: self.model.answer(who, of, text, self.minute),
        )

    def respond(self) -> None:
        who, of, text = self.random.choice(PEOPLE), self.digest_choice(), self.random.choice(["", "ask again", "wait"])
        digest = None if of is None else self.seen[of]
        now = T0 + self.minute * MINUTE
        self.both(
            f"respond by {who.name} of {of} {text!r}",
            lambda: transitions.review(self.hold, who, Verdict.respond, now, digest=digest, answer=text),
            lambda: self.model.respond(who, of, text, self.minute),
        )

    def amend(self) -> None:
        who, of, terms = self.random.choice(PEOPLE), self.digest_choice(), self.random.choice(TERMS)
        content, reason = self.random.choice(list(CONTENTS)), self.random.choice(["", "checked"])
        digest = None if of is None else self.seen[of]
        now = T0 + self.minute * MINUTE
        self.both(
            f"amend of {of} to {content} {terms.level} by {who.name}",
            lambda: transitions.amend(self.hold, who, CONTENTS[content], terms, now, digest=digest, reason=reason),
            lambda: self.model.amend(who, content, terms, of, reason, self.minute),
        )

    def withdraw(self) -> None:
        who = self.random.choice(PEOPLE)
        now = T0 + self.minute * MINUTE
        self.both(
            f"withdraw by {who.name}",
            lambda: transitions.withdraw(self.hold, who, now),
            lambda: self.model.withdraw(who),
        )

    def redeem(self) -> None:
        of = self.random.choice([self.model.content] * 6 + [*self.seen])
        key = self.random.choice("kkl")
        terms = self.random.choice([self.model.terms, self.random.choice(TERMS)])
        observed, granted = self.random.random() < 0.4, self.random.random() < 0.4
        now, standing = T0 + self.minute * MINUTE, self.hold.approvers
        self.both(
            f"redeem of {of} by key {key} under {terms.level}{' observed' * observed}{' granted' * granted}",
            lambda: transitions.redeem(
                self.hold,
                AGENT.id,
                self.seen[of],
                key,
                terms,
                now,
                roles_now=standing,
                observed=observed,
                granted=granted,
            ),
            lambda: self.model.redeem(of, key, terms, self.minute, observed=observed, granted=granted),
        )

    def result(self) -> None:
        outcome = self.random.choice(OUTCOMES)
        now = T0 + self.minute * MINUTE
        self.both(
            f"result {outcome}",
            lambda: transitions.record_result(self.hold, AGENT.id, Result(outcome, now)),
            lambda: self.model.result(outcome),
        )

    def cancel(self) -> None:
        if self.random.random() < 0.8:
            return
        now = T0 + self.minute * MINUTE
        self.both(
            "cancel",
            lambda: transitions.cancel(self.hold, AGENT.id, now),
            lambda: self.model.cancel(self.minute),
        )

    def sweep(self) -> None:
        now = T0 + self.minute * MINUTE

        def command() -> Step:
            due = self.hold.due(now)
            if due is None:
                return Step(self.hold, ())
            return transitions.escalate(self.hold, now) if due == "escalate" else transitions.expire(self.hold, now)

        self.both("sweep", command, lambda: self.model.sweep(self.minute, self.on_expiry))


SEEDS = 100
STEPS = 30


@pytest.mark.parametrize("block", range(8))
def test_the_core_and_the_model_agree_on_random_commands(block: int) -> None:
    for seed in range(block * SEEDS, (block + 1) * SEEDS):
        play = Play(seed)
        try:
            for _ in range(STEPS):
                play.step()
        except Exception as failure:
            failure.add_note(f"seed {seed}:\n" + "\n".join(play.log))
            raise


def test_random_commands_reach_what_they_are_meant_to_reach() -> None:
    reached = Counter[str]()
    for seed in range(2 * SEEDS):
        play = Play(seed)
        for _ in range(STEPS):
            before, reopened = play.hold, play.hold.status is Status.approved
            play.step()
            reached[play.hold.status.value] += 1
            reached["used unasked"] += play.hold.redemption is not None and play.hold.unasked
            reached["used by a grant"] += play.hold.redemption is not None and play.hold.grant is not None
            reached["asked after a grant"] += before.grant is not None and play.hold.pending
            reached["asked after all"] += before.unasked and play.hold.pending
            reached["responded"] += play.hold.status is Status.answered and play.hold.takes_response
            reached["responded, not settled"] += play.hold.pending and any(
                r.verdict is Verdict.respond for r in play.hold.reviews
            )
            reached["redeemed"] += play.hold.redemption is not None
            reached["resulted"] += play.hold.result is not None
            reached["reopened"] += reopened and play.hold.pending
            reached["amended and approved"] += play.hold.revision > 1 and play.hold.status is Status.approved
            reached["escalated"] += play.hold.escalated_at is not None
            reached["approvals of two"] += len(play.hold.approvers) > 1
            reached["changed"] += play.hold != before
    rare = {what: n for what, n in reached.items() if n < 10}
    assert not rare
    assert {status.value for status in Status} <= set(reached)
