"""Thresholds of several rules, put together: each is met, with no more people than can be seen at once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.core import thresholds
from handrail.core.ids import PrincipalId, fresh
from handrail.core.thresholds import Group, Groups


def groups(*words: str) -> Groups:
    """`groups("ab", "c!")`: one person with role a or b, and one with c whatever is added later."""
    return tuple(Group(frozenset(word.rstrip("!")), word.endswith("!")) for word in words)


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (groups("ab"), groups("ab"), groups("ab")),
        (groups("abc"), groups("a"), groups("a")),
        (groups("a"), groups("abc"), groups("a")),
        (groups("ab"), groups("bc"), groups("ab", "bc")),
        (groups("a"), groups("b"), groups("a", "b")),
        (groups("bc", "abc"), groups("c"), groups("c", "abc")),
        (groups("abc"), groups("bc", "abc"), groups("bc", "abc")),
        (groups("abc", "abc"), groups("a", "b"), groups("a", "b")),
        (groups("a", "b"), groups("abc", "abc", "abc"), groups("a", "b", "abc")),
        (groups("abc"), groups("a!"), groups("a!")),
        (groups("abc!"), groups("a"), groups("a!")),
    ],
)
def test_a_narrower_group_stands_in_for_a_wider_one(one: Groups, other: Groups, together: Groups) -> None:
    def sorted_groups(wanted: Groups) -> list[tuple[list[str], bool]]:
        return sorted((sorted(group.roles), group.required) for group in wanted)

    assert sorted_groups(thresholds.both(one, other)) == sorted_groups(together)


def test_requirements_name_the_groups_that_ask_for_more_than_any_role() -> None:
    needed = thresholds.requirements(groups("bc", "abc"), rejections=2, justification=True)

    assert (needed.approvals, needed.roles, needed.required) == (2, frozenset("abc"), (frozenset("bc"),))
    assert (needed.rejections, needed.justification) == (2, True)


def test_a_required_group_is_named_even_where_nobody_else_counts() -> None:
    assert thresholds.requirements(groups("a!")).required == (frozenset("a"),)
    assert thresholds.requirements(groups("a")).required == ()


def test_roles_that_may_not_approve_do_not_count_and_an_empty_group_takes_who_may() -> None:
    assert thresholds.limited(groups("ab", "a"), frozenset("bc")) == groups("b", "bc")


some_roles = st.frozensets(st.sampled_from("abc"), min_size=1)
some_groups = st.lists(st.builds(Group, some_roles, st.booleans()), min_size=1, max_size=3).map(tuple)
people = st.lists(st.frozensets(st.sampled_from("abc"), min_size=1, max_size=2), max_size=4)


@settings(max_examples=200)
@given(some_groups, some_groups, people)
def test_thresholds_put_together_ask_for_no_less_than_each(
    one: Groups, other: Groups, roles: list[frozenset[str]]
) -> None:
    approvers = {PrincipalId(fresh()): held for held in roles}

    def met(wanted: Groups) -> bool:
        return thresholds.requirements(wanted).met_by(approvers)

    if met(thresholds.both(one, other)):
        assert met(one)
        assert met(other)


@given(some_groups)
def test_thresholds_put_together_with_themselves_ask_for_no_more(wanted: Groups) -> None:
    assert len(thresholds.both(wanted, wanted)) == len(wanted)
