"""What can be said of two trees by their tests, and what cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.changes.results.comparing import Flaky, Verdict, compare, suspects
from handrail.changes.results.model import BROKEN, Case, Outcome, Report

P, F, E, S = Outcome.passed, Outcome.failed, Outcome.errored, Outcome.skipped


def report(**outcomes: Outcome) -> Report:
    return Report("pytest", tuple(Case(name, outcome, name) for name, outcome in outcomes.items()))


def cases(group: str, *each: tuple[str, Outcome]) -> Report:
    return Report("pytest", tuple(Case(f"{group}[{name}]", outcome, group) for name, outcome in each))


def test_what_failed_before_is_not_held_against_the_change() -> None:
    base = report(a=P, b=F, c=F)
    found = compare([base, base], report(a=P, b=F, c=P))
    assert found.verdict is Verdict.passed
    assert (found.broken, found.still_broken, found.mended) == ((), ("b",), ("c",))


@pytest.mark.parametrize(("head", "mended"), [((S,), ()), ((P,), ("t",)), ((P, S), ()), ((P, P), ("t",))])
def test_what_failed_and_is_skipped_now_is_not_mended(head: tuple[Outcome, ...], mended: tuple[str, ...]) -> None:
    # ids with a clock in them, so that the group is what is compared
    bases = [cases("t", *((f"{run}:{n}", F) for n in range(len(head)))) for run in range(2)]
    found = compare(bases, cases("t", *((f"9:{n}", outcome) for n, outcome in enumerate(head))))
    assert (found.mended, bool(found.newly_skipped)) == (mended, S in head)
    one = report(a=F)
    assert compare([one, one], report(a=S)).mended == ()


@pytest.mark.parametrize("end", [F, E])
def test_what_passed_and_does_not_now_is_broken(end: Outcome) -> None:
    base = report(a=P, b=P)
    found = compare([base, base], report(a=P, b=end))
    assert (found.verdict, found.broken) == (Verdict.failed, ("b",))


def test_a_new_test_that_fails_is_broken_and_one_that_passes_is_added() -> None:
    base = report(a=P)
    found = compare([base, base], report(a=P, b=P, c=F))
    assert (found.verdict, found.broken, found.added) == (Verdict.failed, ("c",), ("b", "c"))


@pytest.mark.parametrize(("head", "what"), [(report(a=P), "missing"), (report(a=P, b=S), "newly_skipped")])
def test_a_test_that_is_gone_or_skipped_is_for_a_person(head: Report, what: str) -> None:
    base = report(a=P, b=P)
    found = compare([base, base], head)
    assert found.verdict is Verdict.unsure
    assert getattr(found, what) == ("b",)


@pytest.mark.parametrize("side", ["base", "head"])
def test_a_run_that_is_no_result_is_never_a_pass(side: str) -> None:
    good, bad = report(a=P), Report("pytest", fault="No test ran.")
    found = compare([good, bad], good) if side == "base" else compare([good, good], bad)
    assert found.verdict is Verdict.failed
    assert found.fault == f"The {side}: No test ran."
    assert compare([], good).verdict is Verdict.failed


def test_ids_that_hold_a_clock_are_compared_by_their_group_and_count() -> None:
    bases = [cases("t", ("10:00", P), ("x", P)), cases("t", ("10:01", P), ("x", P))]
    same = compare(bases, cases("t", ("10:02", P), ("x", P)))
    assert (same.verdict, same.unstable, same.missing, same.added) == (Verdict.passed, ("t",), (), ())
    worse = compare(bases, cases("t", ("10:02", F), ("x", P)))
    assert (worse.verdict, worse.broken) == (Verdict.failed, ("t",))
    fewer = compare(bases, cases("t", ("10:02", P)))
    assert (fewer.verdict, fewer.missing) == (Verdict.unsure, ("t",))


def test_an_unstable_group_that_failed_before_may_fail_as_often() -> None:
    bases = [cases("t", ("10:00", F), ("x", P)), cases("t", ("10:01", F), ("x", P))]
    assert compare(bases, cases("t", ("10:02", F), ("x", P))).verdict is Verdict.passed
    assert compare(bases, cases("t", ("10:02", F), ("x", F))).broken == ("t",)


def test_a_test_that_differs_between_runs_of_the_base_is_flaky_and_shown() -> None:
    found = compare([report(a=P, b=P), report(a=P, b=F)], report(a=P, b=P))
    assert found.verdict is Verdict.passed
    assert found.flaky == (Flaky("b", (1, 2), (0, 1)),)


def test_a_flaky_test_that_always_fails_now_is_for_a_person() -> None:
    found = compare([report(b=P), report(b=F)], report(b=F), head_again=[report(b=F)] * 3)
    assert (found.verdict, found.broken) == (Verdict.unsure, ())
    assert found.flaky == (Flaky("b", (1, 2), (4, 4)),)


def test_a_new_failure_that_comes_and_goes_is_flaky_and_for_a_person() -> None:
    base = report(a=P, b=P)
    again = [report(b=P), report(b=F), report(b=P)]
    found = compare([base, base], report(a=P, b=F), base_again=[report(b=P)] * 3, head_again=again)
    assert (found.verdict, found.broken) == (Verdict.unsure, ())
    assert found.flaky == (Flaky("b", (0, 5), (2, 4)),)


def test_a_new_failure_that_the_base_has_too_when_run_again_is_flaky() -> None:
    base = report(a=P, b=P)
    found = compare([base, base], report(a=P, b=F), base_again=[report(b=F)], head_again=[report(b=P)])
    assert (found.verdict, found.flaky) == (Verdict.passed, (Flaky("b", (1, 3), (1, 2)),))


def test_a_new_failure_that_stays_is_broken() -> None:
    base = report(a=P, b=P)
    found = compare([base, base], report(a=P, b=F), base_again=[report(b=P)] * 3, head_again=[report(b=F)] * 3)
    assert (found.verdict, found.broken, found.flaky) == (Verdict.failed, ("b",), ())


def test_what_is_run_again_are_new_failures_alone() -> None:
    base = report(a=P, b=F, c=P)
    assert suspects([base, base], report(a=F, b=F, c=P)) == ("a",)
    bases = [cases("t", ("10:00", P)), cases("t", ("10:01", P))]
    assert suspects(bases, cases("t", ("10:02", F))) == ("t[10:02]",)


OUTCOMES = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([P, F, E, S]), min_size=1)


@given(OUTCOMES, OUTCOMES)
def test_of_stable_runs_nothing_that_broke_is_lost(before: dict[str, Outcome], after: dict[str, Outcome]) -> None:
    base = report(**before)
    found = compare([base, base], report(**after))
    broken = {key for key, end in after.items() if end in BROKEN and before.get(key) not in BROKEN}
    assert set(found.broken) == broken
    assert found.flaky == ()
    assert (found.verdict is Verdict.passed) <= (not broken and set(before) <= set(after))


@given(st.lists(OUTCOMES, min_size=2, max_size=4), OUTCOMES, st.lists(OUTCOMES, max_size=3))
def test_every_failure_of_the_head_is_shown_somewhere(
    before: list[dict[str, Outcome]], after: dict[str, Outcome], again: list[dict[str, Outcome]]
) -> None:
    found = compare([report(**run) for run in before], report(**after), head_again=[report(**run) for run in again])
    shown = {*found.broken, *found.still_broken, *(flaky.id for flaky in found.flaky)}
    assert {key for key, end in after.items() if end in BROKEN} <= shown
