"""Grants: which calls they cover, what they supply, and how much of them is left."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest
from unit.core.samples import (
    AGENT,
    CRITICAL,
    CTO,
    HIGH,
    LEAD,
    LEAD_2,
    LOW,
    MEDIUM,
    MINUTE,
    STARTER,
    T0,
    TECH,
    asked,
    question,
)

from handrail.core import errors, grant_proposals, grant_terms, grants, skills, transitions
from handrail.core.bounds import Anything, Cap, Exact, OneOf, Prefix, Range
from handrail.core.grant_terms import Terms, Use, sentence
from handrail.core.holds import GRANT, Action, Decision, DecisionBasis, Hold, Kind, Question, Status, Verdict
from handrail.core.ids import HoldId, PrincipalId, RunId
from handrail.core.people import Principal
from handrail.core.risk import Assessment

DAY = timedelta(days=1)
UNTIL = T0 + 7 * DAY


def allowing(terms: Assessment) -> Assessment:
    return replace(terms, requirements=replace(terms.requirements, grants=True))


def call(args: dict[str, Any], target: str | None = "eu", terms: Assessment = MEDIUM, **more: Any) -> Hold:
    about = question(action=Action("refund", args, target))
    return asked(about, allowing(terms), starter=None, **more)


def made(*makers: Principal, terms: Assessment = MEDIUM, reason: str | None = "fine") -> Hold:
    """The hold of a grant that these people approved, each with the roles that they have."""
    hold = Hold(HoldId(UUID(int=7)), makers[0].id, Question(Kind.review, "Allow", Action(GRANT, {})), "d",
                replace(allowing(terms), auto_approve=False), T0, origin="grant")  # fmt: skip
    for maker in makers:
        if hold.pending and hold.assessment.requirements.may_decide(maker.roles):
            hold = transitions.review(hold, maker, Verdict.approve, T0, reason=reason).hold
    return hold


def roles(*people: Principal) -> dict[PrincipalId, frozenset[str]]:
    return {who.id: who.roles for who in people}


TERMS = Terms(
    "refund",
    AGENT.id,
    UNTIL,
    {"order": Prefix("A-"), "amount": Range(0, 50), "why": Anything()},
    OneOf(("eu", "us")),
    amount=Cap("amount", per_day=80, total=100),
    uses=4,
)
CALL: dict[str, Any] = {"order": "A-7", "amount": 20, "why": "late; again"}


@pytest.mark.parametrize(
    ("hold", "covered"),
    [
        (call(CALL), True),
        (call({**CALL, "amount": 50.01}), False),
        (call({**CALL, "amount": -1}), False),
        (call({**CALL, "amount": "20"}), False),
        (call({**CALL, "amount": True}), False),
        (call({**CALL, "order": "B-7"}), False),
        (call({**CALL, "order": "A-../B-7"}), False),
        (call({**CALL, "force": True}), False),
        (call({name: CALL[name] for name in ("order", "amount")}), False),
        (call(CALL, target="cn"), False),
        (call(CALL, target=None), False),
        (call(CALL, opener=LEAD.id), False),
        (replace(call(CALL), question=question(action=Action("Refund", CALL, "eu"))), False),
        (replace(call(CALL), question=question(action=Action("refund ", CALL, "eu"))), False),
    ],
)
def test_a_call_is_covered_where_every_argument_is(hold: Hold, covered: bool) -> None:
    assert TERMS.covers(hold) is covered


def test_a_grant_for_a_case_covers_that_case_alone() -> None:
    terms = replace(TERMS, case_id="a")
    assert [terms.covers(call(CALL, case_id=case)) for case in ("a", "b", None)] == [True, False, False]


def test_terms_read_back_as_they_were_written() -> None:
    assert grant_terms.recorded(TERMS.record()) == TERMS


@pytest.mark.parametrize(
    "given",
    [{"args": None}, {"args": []}, {"args": {"a": 1}}, {"args": {}, "uses": 0}, {"args": {}, "uses": True},
     {"args": {}, "uses": 10**6}, {"args": {}, "amount": {"argument": "x", "total": 1}},
     {"args": {str(n): {"any": True} for n in range(101)}}, {"args": {}, "target": {"prefix": "x"}}],
)  # fmt: skip
def test_terms_that_do_not_parse_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(errors.Rejected):
        grant_terms.terms("refund", AGENT.id, UNTIL, given, None)


def test_a_grant_reads_as_a_sentence() -> None:
    assert sentence(TERMS, "bot") == (
        'bot may call refund on "eu" or "us" with order beginning with "A-", amount from 0 to 50, why of any content, '
        "up to 4 times, amount up to 80 per day and 100 in total, until 8 Jan 2026 12:00 UTC."
    )


def test_no_name_finishes_the_sentence() -> None:
    action = "get_time, once, until today. Also harmless: pay"
    args: dict[str, Any] = {"amount up to 5, note": Anything(), "to": Exact("eve")}
    said = sentence(replace(TERMS, action=action, args=args, target=None, amount=Cap("x, y", total=1)), "bot")
    assert f'may call "{action}" with "amount up to 5, note" of any content, to "eve"' in said
    assert '"x, y" up to 1 in total' in said


def test_uses_amounts_days_and_time_run_out() -> None:
    use = Use().after(TERMS, Decimal(50), T0)
    assert use == Use(1, Decimal(50), T0.date(), Decimal(50))
    assert use and use.after(TERMS, Decimal("30.01"), T0 + MINUTE) is None, "more than a day may take"
    next_day = use.after(TERMS, Decimal(50), T0 + DAY)
    assert next_day == Use(2, Decimal(100), (T0 + DAY).date(), Decimal(50))
    assert next_day and next_day.after(TERMS, Decimal("0.01"), T0 + 2 * DAY) is None, "more than the total"
    assert next_day.after(TERMS, Decimal(0), UNTIL) is None, "too late"
    fourth = Use(4, Decimal(0), None, Decimal(0))
    assert fourth.after(TERMS, Decimal(0), T0) is None, "used up"


@pytest.mark.parametrize(
    ("makers", "now", "terms", "supplied"),
    [
        ([LEAD], [LEAD], MEDIUM, True),
        ([LEAD], [], MEDIUM, False),
        ([LEAD], [replace(LEAD, roles=frozenset({"developer"}))], MEDIUM, False),
        ([LEAD], [LEAD], HIGH, False),
        ([LEAD, TECH], [LEAD, TECH], HIGH, True),
        ([LEAD, TECH], [LEAD], HIGH, False),
        ([TECH, CTO], [TECH, CTO], CRITICAL, False),
    ],
)
def test_a_grant_supplies_what_its_makers_could_say_now(
    makers: list[Principal], now: list[Principal], terms: Assessment, supplied: bool
) -> None:
    grant = made(*makers, terms=HIGH if len(makers) > 1 else MEDIUM)
    assert grant.status is Status.approved
    assert grants.supplies(grant, call(CALL, terms=terms), roles(*now)) is supplied


def test_a_grant_of_somebody_who_asked_supplies_nothing_even_where_they_might_decide() -> None:
    kind = replace(MEDIUM, requirements=replace(MEDIUM.requirements, requester_may_decide=True))
    grant = made(LEAD)
    assert grants.supplies(grant, call(CALL, terms=kind), roles(LEAD))
    assert not grants.supplies(grant, call(CALL, terms=kind, opener=LEAD.id), roles(LEAD))


def test_a_grant_supplies_nothing_that_people_must_say_themselves() -> None:
    grant, now = made(LEAD), roles(LEAD)
    hold = call(CALL)
    assert grants.supplies(grant, hold, now)
    unallowed = replace(hold, assessment=MEDIUM)
    of_a_run = replace(hold, run_id=RunId(UUID(int=1)))
    registration = replace(hold, question=question(action=Action(skills.REGISTER, {})))
    confirmation = replace(hold, question=replace(hold.question, kind=Kind.confirmation))
    by_passkey = replace(MEDIUM, requirements=replace(MEDIUM.requirements, passkey=True))
    signed = call(CALL, terms=by_passkey)
    for other in (unallowed, of_a_run, registration, confirmation, signed):
        assert not grants.supplies(grant, other, now)
    assert not grants.supplies(replace(grant, status=Status.pending, decision=None), hold, now)
    justified = replace(MEDIUM, requirements=replace(MEDIUM.requirements, justification=True))
    assert grants.supplies(grant, call(CALL, terms=justified), now)
    assert not grants.supplies(made(LEAD, reason=None), call(CALL, terms=justified), now)


def test_the_one_who_proposes_is_a_maker_and_the_one_who_asked_for_the_call_is_none() -> None:
    proposed = replace(made(LEAD, TECH, terms=HIGH), reviews=(), status=Status.pending, decision=None)
    proposed = replace(proposed, starter=STARTER.id)
    said = transitions.review(proposed, LEAD, Verdict.approve, T0, reason="fine").hold
    assert said.approvers == roles(LEAD)
    with pytest.raises(errors.OwnRequest):
        transitions.review(said, STARTER, Verdict.approve, T0, reason="fine")
    assert transitions.review(said, TECH, Verdict.approve, T0, reason="fine").hold.status is Status.approved


def test_a_grant_is_neither_amended_nor_redeemed() -> None:
    grant = made(LEAD)
    with pytest.raises(errors.NothingToRedeem):
        transitions.redeem(grant, LEAD.id, grant.digest, "k", MEDIUM, T0, roles_now=roles(LEAD))
    waiting = replace(grant, status=Status.pending, decision=None, reviews=())
    with pytest.raises(errors.WrongVerdict):
        transitions.amend(waiting, LEAD_2, Action(GRANT, {"uses": 10**6}), MEDIUM, T0)


def test_a_hold_says_by_which_grant_it_was_approved_and_is_asked_once_that_no_longer_supplies() -> None:
    grant = UUID(int=7)
    opened = transitions.open_(call(CALL), grant=grant)
    assert (opened.hold.status, opened.hold.grant) == (Status.approved, grant)
    decided = opened.events[-1].data
    assert (decided["basis"], decided["grant"], decided["digest"]) == ("grant", str(grant), opened.hold.digest)
    hold, terms = opened.hold, opened.hold.assessment
    used = transitions.redeem(hold, AGENT.id, hold.digest, "k", terms, T0, roles_now={}, granted=True)
    assert used.hold.redemption is not None
    void = transitions.redeem(hold, AGENT.id, hold.digest, "k", terms, T0, roles_now={}, granted=False)
    assert (void.hold.status, void.hold.grant, void.events[0].data["cause"]) == (Status.pending, None, "grant")


def test_neither_policy_nor_observation_passes_for_a_grant() -> None:
    low = transitions.open_(call(CALL, terms=LOW), grant=UUID(int=7)).hold
    seen = transitions.open_(call(CALL), observed=True, grant=UUID(int=7)).hold
    assert [(hold.decision and hold.decision.basis, hold.grant) for hold in (low, seen)] == [
        ("policy", None),
        ("observation", None),
    ]
    again = transitions.redeem(
        seen, AGENT.id, seen.digest, "k", seen.assessment, T0, roles_now={}, observed=False, granted=True
    )
    assert again.hold.status is Status.pending, "what was only observed is not what a grant approved"


def decided(hold: Hold, status: Status = Status.approved, basis: DecisionBasis = "people") -> Hold:
    return replace(hold, status=status, decision=Decision(status, basis, T0, LEAD.id if basis == "people" else None))


def test_proposed_bounds_cover_what_people_approved_and_nothing_that_they_did_not() -> None:
    def past(status: Status, **args: Any) -> Hold:
        return decided(call({**CALL, **args}), status)

    before = [past(Status.approved, amount=n, order=f"A-{n}") for n in range(10)]
    before.append(past(Status.rejected, amount=500, order="Z-1", why="x"))
    terms = grant_proposals.proposed(call(CALL), before, T0)
    assert terms.args == {"order": Prefix("A-"), "amount": Range(0, 20), "why": Exact("late; again")}
    assert (terms.target, terms.uses, terms.until) == (Exact("eu"), 20, T0 + 7 * DAY)
    assert terms.amount == Cap("amount", total=400)
    assert terms.covers(call(CALL))
    alone = grant_proposals.proposed(call(CALL), [], T0)
    assert alone.args == {name: Exact(value) for name, value in CALL.items()}
    few = grant_proposals.proposed(call(CALL), [past(Status.approved, why="lost")], T0)
    assert few.args["why"] == OneOf(("late; again", "lost"))


def test_what_went_through_unasked_widens_no_proposal() -> None:
    bases: tuple[DecisionBasis, ...] = ("policy", "observation", "grant")
    unasked = [decided(call({**CALL, "amount": 9000 + n}, "us"), basis=basis) for n, basis in enumerate(bases)]
    assert grant_proposals.proposed(call(CALL), unasked, T0) == grant_proposals.proposed(call(CALL), [], T0)


def test_a_call_of_another_level_widens_no_proposal() -> None:
    elsewhere = decided(call(CALL, "us", HIGH))
    assert grant_proposals.proposed(call(CALL), [elsewhere], T0).target == Exact("eu")
    likewise = replace(elsewhere, assessment=call(CALL).assessment)
    assert grant_proposals.proposed(call(CALL), [likewise], T0).target == OneOf(("eu", "us"))


def test_what_a_grant_would_have_covered_is_counted_within_its_limits() -> None:
    past = [replace(call({**CALL, "amount": 30}), opened_at=T0 - timedelta(days=20 - n)) for n in range(6)]
    assert grant_proposals.covered(TERMS, past) == past[:3], "the fourth would be more than 100 in total"
    assert grant_proposals.covered(TERMS, [replace(past[0], assessment=allowing(CRITICAL))]) == []


PEOPLE = [LEAD, LEAD_2, TECH, CTO, STARTER]
ALL = ("team_lead", "tech_lead", "cto", "developer")


def judged(makers: list[Principal], now: dict[PrincipalId, frozenset[str]], hold: Hold) -> bool:
    """The rule once more: enough different people who said so then, still may now, and did not ask for the call."""
    needed = hold.assessment.requirements
    if hold.assessment.level == "critical":
        return False
    standing = [
        maker.roles & now.get(maker.id, frozenset()) for maker in makers if maker.id not in (hold.opener, hold.starter)
    ]
    counted = [each for each in standing if each & needed.roles]
    return len(counted) >= needed.approvals and any(
        all(group & each for group, each in zip(needed.required, chosen, strict=True))
        for chosen in permutations(counted, len(needed.required))
    )


def test_no_sequence_lets_a_call_through_that_no_persons_word_covers() -> None:
    """Grants, their ends, changes of roles and of the policy, openings and uses, at random."""
    reached = Counter[str]()
    for seed in range(300):
        chance = random.Random(seed)
        level = chance.choice([MEDIUM, HIGH])
        makers = chance.sample(PEOPLE, chance.choice([1, 2, 3]))
        grant = made(*makers, terms=level)
        said = [who for who in makers if who.id in grant.approvers]
        now, ended, use = roles(*PEOPLE), False, Use()
        for minute in range(12):
            at = T0 + minute * 900 * MINUTE
            match chance.choice(["open", "open", "open", "roles", "end"]):
                case "roles":
                    who = chance.choice(PEOPLE)
                    now = {**now, who.id: frozenset(chance.sample(ALL, 2))}
                    now = {by: held for by, held in now.items() if by != who.id or chance.random() < 0.8}
                case "end" if chance.random() < 0.2:
                    ended = True
                case _:
                    terms = chance.choice([MEDIUM, MEDIUM, HIGH, CRITICAL])
                    args: dict[str, Any] = {**CALL, "amount": chance.choice([5, 20, 49.99, 51, -3, "20"])}
                    hold = call(args, chance.choice(["eu", "cn"]), terms, opener=chance.choice([AGENT, LEAD]).id)
                    used = use.after(TERMS, TERMS.taken(hold), at) if TERMS.covers(hold) else None
                    passes = used is not None and not ended and grants.supplies(grant, hold, now)
                    fine = hold.opener == AGENT.id and hold.question.action == Action("refund", args, "eu")
                    fine = fine and args["amount"] in (5, 20, 49.99) and not ended and at < UNTIL
                    assert not passes or (fine and grant.status is Status.approved and judged(said, now, hold))
                    if passes and used is not None:
                        use = used
                        assert use.uses <= 4 and use.spent <= 100 and use.today <= 80
                    reached[f"{passes} {terms.level}"] += 1
    assert reached["True medium"] > 50 and reached["True high"] > 5 and not reached["True critical"]
