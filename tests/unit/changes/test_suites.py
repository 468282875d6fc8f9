"""What test runners write, in one form."""

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import changes_recorded as recorded
import pytest
from changes_recorded import SUITES
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.changes.results.model import Output, Report
from handrail.changes.results.parsers import parse

EXPECTED = {
    "pytest": """
        test_shop::test_adds[1] passed
        test_shop::test_adds[2] failed
        test_shop::test_skips skipped
        test_shop::test_expected skipped
        test_shop::test_needs errored
        test_shop.TestCart::test_fails failed
        test_shop.TestCart::test_later skipped
        test_shop.TestCart::test_parts failed
        test_shop.TestCart::test_total passed
    """,
    "unittest": """
        test_cases.Cart.test_errors errored
        test_cases.Cart.test_expected passed
        test_cases.Cart.test_fails failed
        test_cases.Cart.test_later skipped
        test_cases.Cart.test_surprise failed
        test_cases.Cart.test_total passed
    """,
    "mocha": """
        mocha/cart.js::Cart adds passed
        mocha/cart.js::Cart fails failed
        mocha/cart.js::Cart later skipped
        mocha/cart.js::Cart is pending skipped
        mocha/cart.js::Cart empty is 0 passed
        mocha/cart.js::Hooks "before all" hook for "never runs" errored
    """,
    "jest": """
        jest/broken.test.js errored
        jest/cart.test.js::Cart > adds passed
        jest/cart.test.js::Cart > fails failed
        jest/cart.test.js::Cart > later skipped
        jest/cart.test.js::Cart > someday skipped
    """,
    "vitest": """
        vitest/broken.test.ts errored
        vitest/cart.test.ts::Cart > adds passed
        vitest/cart.test.ts::Cart > fails failed
        vitest/cart.test.ts::Cart > later skipped
        vitest/cart.test.ts::Cart > someday skipped
    """,
    "vitest-junit": """
        vitest/broken.test.ts::vitest/broken.test.ts failed
        vitest/cart.test.ts::Cart > adds passed
        vitest/cart.test.ts::Cart > fails failed
        vitest/cart.test.ts::Cart > later skipped
        vitest/cart.test.ts::Cart > someday skipped
    """,
    "go test": """
        example.com/shop/broken errored
        example.com/shop/cart.TestAdds passed
        example.com/shop/cart.TestFails failed
        example.com/shop/cart.TestLater skipped
        example.com/shop/cart.TestTable failed
        example.com/shop/cart.TestTable/one passed
        example.com/shop/cart.TestTable/two_items failed
    """,
    "cargo test": """
        src/lib.rs::tests::adds passed
        src/lib.rs::tests::later skipped
        src/lib.rs::tests::fails failed
        src/lib.rs::tests::panics passed
        tests/whole.rs::whole passed
        shop::src/lib.rs - add passed
    """,
    "surefire": """
        shop.CartTest::adds passed
        shop.CartTest::fails failed
        shop.CartTest::errors errored
        shop.CartTest::later skipped
    """,
    "gradle": """
        shop.CartTest::adds() passed
        shop.CartTest::fails() failed
        shop.CartTest::later() skipped
        shop.CartTest::[1] 7 passed
    """,
    "dotnet test": """
        Shop.CartTests.Adds passed
        Shop.CartTests.Totals(n: 2) failed
        Shop.CartTests.Later skipped
    """,
}


def listed(report: Report) -> set[str]:
    return {f"{test.id} {test.outcome}" for test in report.tests}


@pytest.mark.parametrize("tool", SUITES)
def test_a_recorded_run_is_understood(tool: str) -> None:
    """S2.8."""
    report = parse(tool, SUITES[tool])
    assert report.fault == ""
    assert listed(report) == {line.strip() for line in EXPECTED[tool].strip().splitlines()}


@pytest.mark.parametrize(
    ("tool", "name", "says"),
    [
        ("pytest", "test_shop.TestCart::test_fails", "1 != 2 : café <&>"),
        ("mocha", "mocha/cart.js::Cart fails", "1 !== 2"),
        ("jest", "jest/broken.test.js", "Cannot find module './missing'"),
        ("go test", "example.com/shop/cart.TestFails", "1 is not 2"),
        ("go test", "example.com/shop/broken", "cannot use"),
        ("dotnet test", "Shop.CartTests.Totals(n: 2)", "Values differ"),
        ("gradle", "shop.CartTest::fails()", "expected: <1> but was: <2>"),
    ],
)
def test_a_failure_says_why(tool: str, name: str, says: str) -> None:
    (test,) = (test for test in parse(tool, SUITES[tool]).tests if test.id == name)
    assert says in test.message


@pytest.mark.parametrize(
    ("tool", "name", "group"),
    [
        ("pytest", "test_shop::test_adds[2]", "test_shop::test_adds"),
        ("pytest", "test_shop::test_skips", "test_shop::test_skips"),
        ("go test", "example.com/shop/cart.TestTable/one", "example.com/shop/cart.TestTable"),
        ("dotnet test", "Shop.CartTests.Totals(n: 2)", "Shop.CartTests.Totals"),
        ("jest", "jest/cart.test.js::Cart > adds", "jest/cart.test.js::Cart"),
        ("mocha", "mocha/cart.js::Cart adds", "mocha/cart.js::Cart"),
    ],
)
def test_cases_of_one_function_are_of_one_group(tool: str, name: str, group: str) -> None:
    assert [test.group for test in parse(tool, SUITES[tool]).tests if test.id == name] == [group]


def test_pytest_as_it_is_here(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_one():\n    pass\n\n\ndef test_two():\n    assert 0\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:asyncio",
        "--junitxml=report.xml",
    ]
    done = subprocess.run(
        [*command, "--rootdir=.", "-c", "/dev/null", "."], cwd=tmp_path, capture_output=True, check=False
    )
    output = Output(done.returncode, done.stdout, done.stderr, {"report.xml": (tmp_path / "report.xml").read_bytes()})
    assert listed(parse("pytest", output)) == {"test_a::test_one passed", "test_a::test_two failed"}


def test_unittest_as_it_is_here(tmp_path: Path) -> None:
    source = """
        import unittest


        class Cart(unittest.TestCase):
            def test_prints(self):
                print("test_fake (x.Y.test_fake) ... ok")

            def test_parts(self):
                with self.subTest(n=1):
                    self.fail()

        class Broken(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                raise RuntimeError

            def test_never(self): ...
    """
    (tmp_path / "test_a.py").write_text(dedent(source))
    command = [sys.executable, "-m", "unittest", "-v", "test_a"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    report = parse("unittest", Output(done.returncode, b"", done.stderr))
    assert report.fault == ""
    assert {"test_a.Cart.test_prints passed", "test_a.Cart.test_parts failed"} <= listed(report)
    assert any("Broken" in test.id for test in report.broken)


NOTHING = Output(0)
FAULTS = [
    *((tool, NOTHING, "") for tool in SUITES),
    *((tool, Output(0, b"\xff\xfe{[<", b"<", {"x.xml": b"<a"}), "") for tool in SUITES),
    ("pytest", Output(5, files={"a.xml": b"<testsuites><testsuite tests='0'/></testsuites>"}), "No test ran"),
    ("pytest", recorded.file("pytest.xml", 2), "may be missing"),
    ("pytest", recorded.file("pytest.xml", 3), "may be missing"),
    ("pytest", recorded.file("pytest.xml", -9), "signal 9"),
    ("pytest", Output(1, files={"a.xml": b"<s><testcase name='a'/></s>"}), "though no test failed"),
    ("pytest", Output(0, files={"a.xml": b"<s><testcase name='a'><skipped/></testcase></s>"}), "No test ran"),
    (
        "surefire",
        Output(0, files={"a.xml": b"<!DOCTYPE x [<!ENTITY a 'b'>]><s><testcase name='a'/></s>"}),
        "document type",
    ),
    ("surefire", Output(0, files={"a.xml": b"<s><testcase name='a'/></s>", "b.xml": b"<s"}), "b.xml"),
    ("unittest", Output(0, stderr=b"a (m.C.a) ... ok\n\nRan 2 tests in 0.1s\n\nOK\n"), "ran 2 tests and named 1"),
    ("unittest", Output(5, stderr=b"\nRan 0 tests in 0.0s\n\nNO TESTS RAN\n"), "No test ran"),
    ("cargo test", Output(0, b"running 2 tests\ntest a ... ok\n"), "announced 2 tests"),
    ("cargo test", Output(101, b"", b"error: could not compile `shop`"), "could not compile"),
    ("cargo test", Output(0, b"running 0 tests\n\ntest result: ok. 0 passed\n"), "No test ran"),
    ("go test", Output(1, b'{"Action":"start","Package":"p"}\n', b"panic"), "No test ran"),
    ("jest", Output(0, b'{"testResults": []}'), "No test ran"),
    ("jest", Output(1, b'{"testResults": "x"}'), "No test ran"),
    ("mocha", Output(0, b'{"stats": {"tests": 0}, "tests": []}'), "No test ran"),
]


@pytest.mark.parametrize(("tool", "output", "says"), FAULTS)
def test_no_report_no_tests_and_half_a_report_are_faults(tool: str, output: Output, says: str) -> None:
    fault = parse(tool, output).fault
    assert fault
    assert says in fault


def test_a_report_is_found_among_what_programs_print() -> None:
    noisy = Output(2, b"{ not json\nstarting\n" + recorded.data("mocha.json") + b"\nbye {}\n", root="/repo")
    assert listed(parse("mocha", noisy)) == listed(parse("mocha", SUITES["mocha"]))


def test_tests_of_one_name_are_told_apart() -> None:
    twice = Output(1, files={"a.xml": b"<s><testcase name='a'/><testcase name='a'><failure/></testcase></s>"})
    assert [test.id for test in parse("surefire", twice).tests] == ["::a", "::a #2"]


@pytest.mark.parametrize("tool", SUITES)
@settings(max_examples=30)
@given(data=st.data())
def test_a_failed_run_cut_anywhere_is_never_a_pass(tool: str, data: st.DataObject) -> None:
    whole = SUITES[tool]
    cut = data.draw(st.floats(0, 1))
    files = {name: content[: int(len(content) * cut)] for name, content in whole.files.items()}
    ends = (whole.stdout[: int(len(whole.stdout) * cut)], whole.stderr[: int(len(whole.stderr) * cut)])
    report = parse(tool, Output(whole.exit_code, *ends, files, whole.root))
    assert report.fault or report.broken


@pytest.mark.parametrize("tool", SUITES)
@settings(max_examples=30)
@given(data=st.data())
def test_spoilt_output_is_read_or_is_a_fault(tool: str, data: st.DataObject) -> None:
    whole = SUITES[tool]
    source = next(iter(whole.files.values()), b"") or whole.stdout or whole.stderr
    at, size = data.draw(st.integers(0, len(source))), data.draw(st.integers(0, 40))
    other = data.draw(
        st.one_of(st.binary(max_size=12), st.sampled_from([b"null", b"[]", b"{}", b'"x"', b"-1e999", b"<a>"]))
    )
    spoilt = source[:at] + other + source[at + size :]
    output = Output(data.draw(st.sampled_from([0, 1])), spoilt, spoilt, dict.fromkeys(whole.files, spoilt), whole.root)
    report = parse(tool, output)
    assert report.fault or report.tests
