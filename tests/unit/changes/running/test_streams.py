"""Each test is said as it ends, and ends as the report at the end has it."""

from __future__ import annotations

import json

import pytest
from changes_recorded import SUITES, data

from handrail.changes.results.model import Output
from handrail.changes.results.parsers import parse
from handrail.changes.running.model import MarkedLines
from handrail.changes.running.tools import RUNNERS

TAP = """TAP version 13
# Subtest: adds
    # Subtest: small
    ok 1 - small
      ---
      duration_ms: 0.1
      ...
    # Subtest: large
    not ok 2 - large
    1..2
not ok 1 - adds
# Subtest: later
ok 2 - later # SKIP
# Subtest: sole
ok 3 - sole
1..3
# tests 4
"""


@pytest.mark.parametrize("tool", ["unittest", "go test"])
def test_what_is_streamed_is_what_the_report_has(tool: str) -> None:
    output = SUITES[tool]
    stream = RUNNERS[tool].stream()
    heard = [test for line in output.all_text.splitlines() if (test := stream.hear(line))]
    reported = {(test.id.partition(" #")[0], test.outcome) for test in parse(tool, output).tests}
    assert heard
    assert {(test.id, test.outcome) for test in heard} <= reported


def test_cargo_names_the_program_in_the_report_alone() -> None:
    stream = RUNNERS["cargo test"].stream()
    heard = [test for line in data("cargo.txt").decode().splitlines() if (test := stream.hear(line))]
    reported = [test.id for test in parse("cargo test", SUITES["cargo test"]).tests]
    assert len(heard) >= len(reported) > 0
    assert all(
        any(name.partition(" #")[0].endswith(test.id.partition(" (line")[0]) for test in heard) for name in reported
    )


@pytest.mark.parametrize(
    ("tool", "line", "name", "outcome", "seconds"),
    [
        ("surefire", "[INFO] a.BTest.adds -- Time elapsed: 0.25 s", "a.BTest::adds", "passed", 0.25),
        ("surefire", "[ERROR] a.BTest.adds -- Time elapsed: 1.5 s <<< FAILURE!", "a.BTest::adds", "failed", 1.5),
        ("surefire", "adds(a.BTest)  Time elapsed: 0.5 sec  <<< ERROR!", "a.BTest::adds", "errored", 0.5),
        ("dotnet test", "  Passed A.B.Adds [3 ms]", "A.B.Adds", "passed", 0.003),
        ("dotnet test", "  Failed A.B.Adds(x: 1) [1 s]", "A.B.Adds(x: 1)", "failed", 1.0),
        ("dotnet test", "  Skipped A.B.Later", "A.B.Later", "skipped", 0.0),
    ],
)
def test_lines_of_runners_that_are_not_here_are_known(
    tool: str, line: str, name: str, outcome: str, seconds: float
) -> None:
    heard = RUNNERS[tool].stream().hear(line)
    assert heard
    assert (heard.id, heard.outcome, heard.seconds) == (name, outcome, seconds)


@pytest.mark.parametrize(
    "line",
    ["", "\x1e", "\x1e[]", "\x1e{", '\x1e{"id": 3}', '\x1e{"id": "a", "outcome": "great"}', '{"id": "a"}'],
)
def test_other_lines_end_no_test(line: str) -> None:
    assert all(runner.stream().hear(line) is None for runner in RUNNERS.values())


def test_a_line_of_a_reporter_of_ours_ends_a_test() -> None:
    heard = MarkedLines().hear("\x1e" + json.dumps({"id": "a::b", "outcome": "failed", "seconds": 2, "message": "no"}))
    assert heard
    assert (heard.id, heard.outcome, heard.seconds, heard.message) == ("a::b", "failed", 2.0, "no")


def test_tap_is_read_with_its_nested_tests() -> None:
    report = parse("npm test", Output(1, stdout=TAP.encode()))
    assert [(test.id, test.outcome.value) for test in report.tests] == [
        ("adds > small", "passed"),
        ("adds > large", "failed"),
        ("later", "skipped"),
        ("sole", "passed"),
    ]
    assert not report.fault


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no results in the Test Anything Protocol"),
        ("fine!\n", "no results in the Test Anything Protocol"),
        ("ok 1 - a\n1..3\n", "planned 2 more tests"),
        ("1..0\n", "No test ran"),
    ],
)
def test_tap_that_is_not_whole_is_a_fault(text: str, said: str) -> None:
    assert said in parse("npm test", Output(0, stdout=text.encode())).fault
