"""Results, proofs, coverage and criteria as checks, and all checks of a change together."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from changes_pairs import ANYWHERE, Files, change, rules

from handrail.changes.environments.model import Command
from handrail.changes.results.comparing import Comparison, Flaky, compare
from handrail.changes.results.model import Case, Finding, Outcome, Report
from handrail.changes.results.reading import Unreadable
from handrail.changes.running import judging
from handrail.changes.running.executing import Ran
from handrail.changes.running.judging import CheckOutcome, Judgement
from handrail.changes.running.model import Call
from handrail.changes.verifying import coverage, criteria, outcomes, overlays, proof
from handrail.changes.verifying.gates import GATES
from handrail.changes.verifying.model import Verdict
from handrail.changes.verifying.scope import Scope
from handrail.changes.verifying.verify import Evidence, verify

CALL = Call("pytest", "tests", "", Command(("pytest",)), "tests/")
RUFF = Call("ruff", "lint", "", Command(("ruff",)), "ruff.toml")
KEY = ("pytest", "")


def report(fault: str = "", **tests: str) -> Report:
    cases = tuple(Case(name, Outcome(outcome), name) for name, outcome in tests.items())
    return Report("pytest", cases, fault=fault)


def compared(base: Report, head: Report) -> judging.SuiteOutcome:
    return judging.SuiteOutcome(CALL, compare([base, base], head), Ran(head))


def test_a_new_failure_fails_and_an_old_one_does_not() -> None:
    """S2.10."""
    assert outcomes.tests([compared(report(a="failed"), report(a="failed"))]).verdict is Verdict.passed
    broken = outcomes.tests([compared(report(a="passed"), report(a="failed"))])
    assert (broken.verdict, rules(broken), broken.findings[0].what) == (Verdict.failed, ["test_broken"], "pytest: a")


def test_missing_skipped_and_flaky_tests_are_for_a_person() -> None:
    found = outcomes.tests([compared(report(a="passed", b="passed", c="passed"), report(b="skipped", c="passed"))])
    assert (found.verdict, set(rules(found))) == (Verdict.unsure, {"test_missing", "test_skipped"})
    flaky = judging.SuiteOutcome(CALL, Comparison("", flaky=(Flaky("a", (0, 2), (1, 4)),)), Ran(report(a="failed")))
    assert rules(outcomes.tests([flaky])) == ["test_flaky"]


def test_no_result_and_no_tests_are_no_pass() -> None:
    fault = judging.SuiteOutcome(CALL, Comparison("The head: No test ran."), Ran(report("No test ran.")))
    assert outcomes.tests([fault]).verdict is Verdict.failed
    assert outcomes.tests([]).verdict is Verdict.unsure


def test_the_base_s_own_tests_have_to_pass_on_the_new_code() -> None:
    assert outcomes.base_tests([], is_needed=False).verdict is Verdict.not_applicable
    assert outcomes.base_tests([], is_needed=True).verdict is Verdict.unsure
    same, broken = (compared(report(a="passed"), report(a=now)) for now in ("passed", "failed"))
    assert outcomes.base_tests([same], is_needed=True).verdict is Verdict.passed
    assert outcomes.base_tests([broken], is_needed=True).verdict is Verdict.failed
    assert outcomes.base_tests([broken], is_needed=True, is_announced=True).verdict is Verdict.unsure


def test_a_test_that_passes_only_since_it_was_edited_fails() -> None:
    still = compared(report(a="failed"), report(a="failed"))
    for now in ("passed", "skipped"):
        edited = compared(report(a="failed"), report(a=now))
        found = outcomes.base_tests([still], [edited], is_needed=True)
        assert (found.verdict, rules(found)) == (Verdict.failed, ["edited_to_pass"])
        announced = outcomes.base_tests([still], [edited], is_needed=True, is_announced=True)
        assert announced.verdict is Verdict.unsure
    mended = compared(report(a="failed"), report(a="passed"))
    assert outcomes.base_tests([mended], [mended], is_needed=True).verdict is Verdict.passed


def test_new_findings_of_linters_fail() -> None:
    new = CheckOutcome(RUFF, (Finding("F401", "a.py", 3, "unused"),))
    found = outcomes.lint([new])
    assert (found.verdict, found.findings[0].path, found.findings[0].line) == (Verdict.failed, "a.py", 3)
    assert outcomes.lint([CheckOutcome(RUFF)]).verdict is Verdict.passed
    assert outcomes.lint([CheckOutcome(RUFF, fault="crashed", is_new=True)]).verdict is Verdict.failed
    assert outcomes.lint([CheckOutcome(RUFF, fault="never ran")]).verdict is Verdict.unsure
    assert outcomes.lint([]).verdict is Verdict.not_applicable


def test_new_tests_that_fail_on_the_base_show_the_change() -> None:
    ran = compared(report(old="passed"), report(old="passed", new="passed"))
    found = proof.check([ran], {KEY: report(old="passed", new="failed")}, required=True)
    assert (found.verdict, found.words) == (Verdict.passed, "1 test failed on the base and passes now.")


def test_new_tests_that_pass_on_the_base_are_named() -> None:
    ran = compared(report(old="passed"), report(old="passed", new="passed", other="passed"))
    both = proof.check([ran], {KEY: report(old="passed", new="passed", other="failed")}, required=True)
    assert (both.verdict, [finding.what for finding in both.findings]) == (Verdict.unsure, ["new"])
    none = proof.check([ran], {KEY: report(old="passed", new="passed", other="passed")}, required=True)
    assert (none.verdict, rules(none)[0]) == (Verdict.failed, "no_proof")


def test_a_test_that_failed_and_is_skipped_now_shows_nothing() -> None:
    skipped = compared(report(a="failed", b="passed"), report(a="skipped", b="passed"))
    found = proof.check([skipped], {}, required=True)
    assert (found.verdict, rules(found)) == (Verdict.failed, ["no_proof"])
    assert "0 that failed before pass now" not in outcomes.tests([skipped]).words


def test_a_test_that_the_change_mended_shows_it_too() -> None:
    ran = compared(report(old="failed"), report(old="passed"))
    assert proof.check([ran], {}, required=True).verdict is Verdict.passed


def test_without_new_tests_it_depends_on_the_request() -> None:
    ran = compared(report(old="passed"), report(old="passed"))
    assert proof.check([ran], {}, required=True).verdict is Verdict.failed
    assert proof.check([ran], {}, required=False).verdict is Verdict.not_applicable


@pytest.mark.parametrize(
    ("overlaid", "ending"),
    [
        (report(**{"tests.test_new": "errored", "old": "passed"}), "unloaded"),
        (report(**{"tests/test_new.py": "errored", "old": "passed"}), "unloaded"),
        (report("It ended with 2."), "unloaded"),
        (report(old="passed"), "unknown"),
        (report(**{"tests.test_other": "errored"}), "unknown"),
        (report(**{"tests.test_new::test_it": "skipped"}), "unknown"),
        (None, "unknown"),
    ],
)
def test_a_new_test_that_cannot_be_loaded_on_the_base_fails_there(overlaid: Report | None, ending: str) -> None:
    shown = proof.show(["tests.test_new::test_it"], overlaid)
    assert [name for name in shown._fields if getattr(shown, name)] == [ending]


def test_overlays_put_new_tests_on_old_code_and_old_tests_on_new_code(tmp_path: Path) -> None:
    base: Files = {"shop/a.py": "old\n", "tests/test_a.py": "old\n", "tests/test_gone.py": "gone\n"}
    head: Files = {"shop/a.py": "new\n", "tests/test_a.py": "new\n", "tests/data/x.json": "{}\n"}
    made = change(tmp_path, base, head)
    (tmp_path / "base" / ".git").mkdir()
    forward, backward = overlays.new_tests_on_base(made), overlays.old_tests_on_head(made)
    forward.make(tmp_path / "base", tmp_path / "forward")
    backward.make(tmp_path / "head", tmp_path / "backward")
    assert {path: (tmp_path / "forward" / path).read_text() for path in ("shop/a.py", "tests/test_a.py")} == {
        "shop/a.py": "old\n",
        "tests/test_a.py": "new\n",
    }
    assert (tmp_path / "forward" / "tests/data/x.json").exists()
    assert not (tmp_path / "forward" / ".git").exists()
    assert (tmp_path / "backward" / "shop/a.py").read_text() == "new\n"
    assert (tmp_path / "backward" / "tests/test_a.py").read_text() == "old\n"
    assert (tmp_path / "backward" / "tests/test_gone.py").exists()
    assert forward.hash_with("1") not in {forward.hash_with("2"), backward.hash_with("1")}


def test_a_change_without_tests_needs_no_overlay(tmp_path: Path) -> None:
    made = change(tmp_path, {"a.py": "1\n"}, {"a.py": "2\n"})
    assert not overlays.new_tests_on_base(made)
    assert not overlays.old_tests_on_head(made)


COBERTURA = b"""<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM 'http://cobertura.sourceforge.net/xml/coverage-04.dtd'>
<coverage><sources><source>/work/shop</source></sources><packages><package><classes>
<class filename="a.py"><lines><line number="1" hits="1"/><line number="2" hits="0"/><line number="3" hits="0"/>
<line number="5" hits="2"/></lines></class></classes></package></packages></coverage>"""
JSON = json.dumps({"files": {"shop/a.py": {"executed_lines": [1, 5], "missing_lines": [2, 3]}}}).encode()
LCOV = b"TN:\nSF:/work/shop/a.py\nDA:1,1\nDA:2,0\nDA:3,0,x\nDA:5,2\nend_of_record\n"
ISTANBUL = json.dumps(
    {
        "/work/shop/a.py": {
            "path": "/work/shop/a.py",
            "statementMap": {str(n): {"start": {"line": n}} for n in (1, 2, 3, 5)},
            "s": {"1": 1, "2": 0, "3": 0, "5": 2},
        }
    }
).encode()


@pytest.mark.parametrize("data", [COBERTURA, JSON, LCOV, ISTANBUL])
def test_changed_lines_that_no_test_runs_are_listed(tmp_path: Path, data: bytes) -> None:
    made = change(tmp_path, {"shop/a.py": "1\n"}, {"shop/a.py": "1\n2\n3\n4\n5\n"})
    found = coverage.check(made, coverage.read(data, "/work"), 0.5)
    assert found.verdict is Verdict.failed
    assert [(finding.line, finding.what) for finding in found.findings] == [(2, "Lines 2 to 3 were not run.")]
    assert found.words == "33% of 3 changed lines that can be run were run; 50% are needed."
    assert coverage.check(made, coverage.read(data, "/work"), 0.3).verdict is Verdict.passed


def test_without_coverage_it_is_said(tmp_path: Path) -> None:
    found = coverage.check(change(tmp_path, {}, {"a.py": "1\n"}), None)
    assert (found.verdict, found.words.startswith("There is no coverage report")) == (Verdict.not_applicable, True)


def test_code_that_no_report_measures_is_for_a_person(tmp_path: Path) -> None:
    made = change(tmp_path, {}, {"shop/b.py": "1\n", "README.md": "1\n", "tests/test_b.py": "1\n"})
    found = coverage.check(made, coverage.read(JSON))
    assert (found.verdict, [finding.path for finding in found.findings]) == (Verdict.unsure, ["shop/b.py"])


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"<x/>", b"{", b"\0\1", b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>", b"[1]"],
)
def test_what_is_no_coverage_report_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        coverage.read(data)


def test_shares_of_files_feed_the_risk_score() -> None:
    assert coverage.read(JSON).shares() == {"shop/a.py": 0.5}


@pytest.mark.parametrize(
    ("text", "kind", "target"),
    [
        ("The test `tests/test_a.py::test_b` passes.", "test", "tests/test_a.py::test_b"),
        ("`docs/cart.md` exists.", "file", "docs/cart.md"),
        ("`old.py` is removed.", "no_file", "old.py"),
        ("`GET /total` is added.", "endpoint", "GET /total"),
        ("`test_a` does not pass.", "person", ""),
        ("`docs/cart.md` exists and explains every option of the cart in detail.", "person", ""),
        ("The total is right.", "person", ""),
        ("`a.py` and `b.py` exist.", "person", ""),
    ],
)
def test_a_criterion_is_a_check_only_where_it_says_no_more(text: str, kind: str, target: str) -> None:
    assert criteria.understood(text) == criteria.Criterion(text, kind, target)  # type: ignore[arg-type]


def test_criteria_are_met_or_not_or_for_a_person() -> None:
    known = criteria.Knowledge(
        tests=report(**{"t::a": "passed", "t::b": "failed", "t::c": "skipped"}).tests,
        has_file=lambda path: path == "a.py",
        has_endpoint=lambda method, path: (method, path) == ("GET", "/x"),
    )
    made = [
        criteria.Criterion("1", "test", "t::a"),
        criteria.Criterion("2", "test", "b"),
        criteria.Criterion("3", "test", "t::c"),
        criteria.Criterion("4", "test", "t::none"),
        criteria.Criterion("5", "file", "a.py"),
        criteria.Criterion("6", "no_file", "a.py"),
        criteria.Criterion("7", "endpoint", "GET /x"),
        criteria.Criterion("8", "endpoint", "POST /x"),
        criteria.Criterion("9"),
    ]
    found = criteria.check(made, known)
    assert found.verdict is Verdict.failed
    assert [(each.what, each.rule) for each in found.findings] == [
        ("2", "not_met"),
        ("3", "not_met"),
        ("6", "not_met"),
        ("8", "not_met"),
        ("4", "for_a_person"),
        ("9", "for_a_person"),
    ]
    assert found.words == "3 of 9 criteria checked and met; 2 for a person."


def test_a_criterion_that_nobody_can_check_is_for_a_person() -> None:
    made = [criteria.Criterion("1", "endpoint", "GET /x"), criteria.Criterion("2", "no_file", "a.py")]
    found = criteria.check(made, criteria.Knowledge())
    assert (found.verdict, rules(found)) == (Verdict.unsure, ["for_a_person"] * 2)


def evidence(root: Path, base: Files, head: Files) -> Evidence:
    tests = compared(report(old="passed"), report(old="passed", new="passed"))
    return Evidence(
        change=change(root, base, head),
        scope=ANYWHERE,
        judged=Judgement((tests,), (CheckOutcome(RUFF),)),
        old_tests=(compared(report(old="passed"), report(old="passed")),),
        new_tests={KEY: report(old="passed", new="failed")},
        tests_required=True,
        coverage=coverage.Coverage({"shop/cart.py": {2: True}}),
        criteria=(criteria.Criterion("`shop/cart.py` exists.", "file", "shop/cart.py"),),
        known=criteria.Knowledge(has_file=lambda path: path == "shop/cart.py"),
    )


BASE: Files = {
    "shop/cart.py": "def total():\n    return 2\n",
    "tests/test_cart.py": "def test_a():\n    assert total()\n",
}
HEAD: Files = {
    "shop/cart.py": "def total():\n    return 3\n",
    "tests/test_cart.py": "def test_a():\n    assert total()\n\n\ndef test_b():\n    assert total() == 3\n",
}


async def test_an_honest_change_passes_every_check(tmp_path: Path) -> None:
    found = await verify(evidence(tmp_path, BASE, HEAD))
    assert {check.name: str(check.verdict) for check in found.checks} == dict.fromkeys(GATES, "passed")
    assert (found.verdict, found.words) == (Verdict.passed, "Every check passed.")


async def test_a_change_of_the_test_instead_of_the_code_is_stopped(tmp_path: Path) -> None:
    cheat: Files = {**HEAD, "tests/test_cart.py": "def test_a():\n    assert True\n"}
    found = await verify(evidence(tmp_path, BASE, cheat))
    assert found.verdict is Verdict.failed
    assert found.words == "The change cannot be offered: test integrity."
    json.dumps(found.as_data())


async def test_edited_tests_whose_old_form_never_ran_are_for_a_person(tmp_path: Path) -> None:
    found = await verify(replace(evidence(tmp_path, BASE, HEAD), old_tests=()))
    assert (found.verdict, found.words) == (Verdict.unsure, "Nothing failed, but a person should look at: base tests.")


async def test_a_change_of_behaviour_that_the_plan_announced_reaches_people(tmp_path: Path) -> None:
    other: Files = {**HEAD, "tests/test_cart.py": "def test_a():\n    assert total() == 3\n"}
    broken = (compared(report(old="passed"), report(old="failed")),)
    plain = replace(evidence(tmp_path, BASE, other), old_tests=broken)
    announced = replace(plain, scope=Scope(lambda _: True, weakens=lambda path: path == "tests/test_cart.py"))
    assert {check.name for check in (await verify(plain)).blocking} == {"test_integrity", "base_tests"}
    found = await verify(announced)
    assert (found.verdict, [check.name for check in found.doubtful]) == (
        Verdict.unsure,
        ["test_integrity", "base_tests"],
    )
