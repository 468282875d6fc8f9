"""Thresholds: how many people, with which roles, each group with a person of its own."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.core.samples import (
    BOTH,
    CTO,
    DEVELOPER,
    LEAD,
    LEAD_2,
    ONE_LEAD,
    TECH,
    TECH_AND_CTO,
    TWO_OF_THREE,
    principal,
)

from handrail.core import ids
from handrail.core.ids import PrincipalId
from handrail.core.people import Principal
from handrail.core.risk import Level, Requirements

BOTH_2 = principal(40, "tech_lead", "cto")


@pytest.mark.parametrize(
    ("requirements", "people", "met"),
    [
        (ONE_LEAD, [], False),
        (ONE_LEAD, [LEAD], True),
        (ONE_LEAD, [DEVELOPER], False),
        (ONE_LEAD, [DEVELOPER, CTO], False),
        (TWO_OF_THREE, [LEAD], False),
        (TWO_OF_THREE, [CTO], False),
        (TWO_OF_THREE, [BOTH], False),
        (TWO_OF_THREE, [LEAD, LEAD_2], False),
        (TWO_OF_THREE, [LEAD, TECH], True),
        (TWO_OF_THREE, [TECH, CTO], True),
        (TWO_OF_THREE, [CTO, DEVELOPER], False),
        (TWO_OF_THREE, [LEAD, LEAD_2, CTO], True),
        (TECH_AND_CTO, [TECH, CTO], True),
        (TECH_AND_CTO, [BOTH], False),
        (TECH_AND_CTO, [BOTH, BOTH_2], True),
        (TECH_AND_CTO, [TECH, BOTH], True),
        (TECH_AND_CTO, [BOTH, CTO], True),
        (TECH_AND_CTO, [TECH, principal(41, "tech_lead")], False),
        (Requirements(1, frozenset({"tech_lead", "cto"}), TECH_AND_CTO.required), [BOTH], False),
        (Requirements(1, frozenset({"tech_lead", "cto"}), TECH_AND_CTO.required), [BOTH, TECH], True),
        (Requirements(3, frozenset({"team_lead"})), [LEAD, LEAD_2], False),
        (Requirements(2, frozenset({"team_lead"})), [LEAD, LEAD_2], True),
    ],
)
def test_thresholds(requirements: Requirements, people: list[Principal], met: bool) -> None:
    assert requirements.met_by({who.id: who.roles for who in people}) is met
    assert requirements.met_by({who.id: who.roles for who in reversed(people)}) is met


ROLES = st.frozensets(st.sampled_from("abcd"), max_size=3)
PEOPLE = st.dictionaries(st.integers(0, 9).map(lambda n: principal(n).id), ROLES, max_size=5)
GROUPS = st.lists(ROLES.filter(bool), max_size=4).map(tuple)


def enough_by_trying_all(requirements: Requirements, people: Mapping[PrincipalId, frozenset[str]]) -> bool:
    able = [roles for roles in people.values() if roles & requirements.roles]
    groups = requirements.required
    if len(able) < requirements.approvals or len(able) < len(groups):
        return False
    return any(
        all(group & roles for group, roles in zip(groups, order, strict=False))
        for order in permutations(able, len(groups))
    )


@settings(max_examples=150)
@given(st.integers(1, 4), ROLES, GROUPS, PEOPLE)
def test_thresholds_agree_with_trying_every_assignment(
    approvals: int, roles: frozenset[str], groups: tuple[frozenset[str], ...], people: dict[PrincipalId, frozenset[str]]
) -> None:
    requirements = Requirements(approvals, roles, groups)
    assert requirements.met_by(people) is enough_by_trying_all(requirements, people)


def test_levels_have_an_order() -> None:
    assert [level.rank for level in (Level.low, Level.medium, Level.high, Level.critical)] == [0, 1, 2, 3]


def test_fresh_ids_are_uuids_of_version_7_in_the_order_of_time() -> None:
    made = [ids.fresh() for _ in range(200)]
    assert len(set(made)) == 200
    assert {(one.version, one.variant) for one in made} == {(7, "specified in RFC 4122")}
    millis = [one.int >> 80 for one in made]
    assert millis == sorted(millis)
    assert millis[0] > 1_700_000_000_000
