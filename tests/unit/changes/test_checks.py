"""What linters and type checkers write, in one form."""

import subprocess
from pathlib import Path

import changes_recorded as recorded
import pytest
from changes_recorded import CHECKS
from hypothesis import given, settings
from hypothesis import strategies as st

from handrail.changes.results.model import Output
from handrail.changes.results.parsers import parse

EXPECTED = {
    "ruff": {"F401 bad.py:1", "UP035 bad.py:2", "UP006 bad.py:5", "F841 bad.py:10", "F821 bad.py:11"},
    "flake8": {"F401 bad.py:1", "F841 bad.py:10", "F821 bad.py:11"},
    "mypy": {"return-value bad.py:6"},
    "pyright": {"reportReturnType bad.py:6", "reportUndefinedVariable bad.py:11"},
    "eslint": {"no-var lint/a.js:1", "eqeqeq lint/a.js:2", "no-debugger lint/a.js:2", "syntax lint/b.js:1"},
    "tsc": {"TS2322 lint/c.ts:1", "TS2552 lint/c.ts:2"},
    "go vet": {"vet cart/cart.go:5"},
    "clippy": {"unused_variables src/lib.rs:7", "clippy::needless_return src/lib.rs:8"},
}


def listed(tool: str, output: Output) -> set[str]:
    return {f"{each.rule} {each.path}:{each.line}" for each in parse(tool, output).findings}


@pytest.mark.parametrize("tool", CHECKS)
def test_a_recorded_run_is_understood(tool: str) -> None:
    assert parse(tool, CHECKS[tool]).fault == ""
    assert listed(tool, CHECKS[tool]) == EXPECTED[tool]


def test_mypy_and_go_vet_are_understood_as_json_too() -> None:
    assert listed("mypy", recorded.said("mypy.json")) == EXPECTED["mypy"]
    assert listed("go vet", recorded.said("govet.json", 0)) == {"printf cart/cart.go:5"}


def test_tsc_is_understood_when_pretty() -> None:
    place = b"\x1b[96mlint/c.ts\x1b[0m:\x1b[93m1\x1b[0m:\x1b[93m7\x1b[0m"
    pretty = place + b" - \x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0mNo.\n"
    assert listed("tsc", Output(2, pretty)) == {"TS2322 lint/c.ts:1"}
    assert listed("tsc", Output(2, b"error TS18003: No inputs were found in config file.\n")) == {"TS18003 :0"}


def test_severity_is_kept() -> None:
    found = {each.rule: each.severity for each in parse("eslint", CHECKS["eslint"]).findings}
    assert (found["no-debugger"], found["eqeqeq"]) == ("warning", "error")


def test_ruff_as_it_is_here(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import os\n")
    command = [
        Path(__file__).parents[3] / ".venv/bin/ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--output-format",
        "json",
    ]
    done = subprocess.run([*command, "."], cwd=tmp_path, capture_output=True, check=False)
    assert listed("ruff", Output(done.returncode, done.stdout, done.stderr, root=str(tmp_path))) == {"F401 a.py:1"}


@pytest.mark.parametrize(
    ("tool", "clean"),
    [
        ("ruff", b"[]"), ("flake8", b""), ("mypy", b"Success: no issues found in 1 source file\n"), ("tsc", b""),
        ("pyright", b'{"generalDiagnostics": []}'), ("eslint", b'[{"filePath": "/repo/a.js", "messages": []}]'),
        ("go vet", b""), ("clippy", b'{"reason": "build-finished", "success": true}'),
    ],
)  # fmt: skip
def test_a_clean_run_has_no_findings_and_no_fault(tool: str, clean: bytes) -> None:
    report = parse(tool, Output(0, clean))
    assert (report.findings, report.fault) == ((), "")


FAULTS = [
    *((tool, Output(1, b"", b"Traceback: it crashed")) for tool in CHECKS),
    *((tool, Output(-9, CHECKS[tool].stdout)) for tool in CHECKS),
    *((tool, Output(0)) for tool in ("ruff", "pyright", "eslint", "clippy")),
    ("mypy", Output(2, b"a.py: error: Source file found twice under different module names\n")),
    ("mypy", Output(2, recorded.data("mypy.txt"))),
    ("eslint", Output(2, b"", b"ESLint couldn't find a configuration file.")),
    ("ruff", Output(2, b"[]", b"ruff failed: unknown rule")),
    ("clippy", Output(101, b'{"reason": "compiler-artifact"}', b"error: could not compile")),
]


@pytest.mark.parametrize(("tool", "output"), FAULTS)
def test_a_tool_that_did_not_do_its_work_is_a_fault(tool: str, output: Output) -> None:
    assert parse(tool, output).fault


@pytest.mark.parametrize("tool", CHECKS)
@settings(max_examples=30)
@given(data=st.data())
def test_spoilt_output_is_read_or_is_a_fault(tool: str, data: st.DataObject) -> None:
    source = CHECKS[tool].stdout
    at, size = data.draw(st.integers(0, len(source))), data.draw(st.integers(0, 40))
    other = data.draw(
        st.one_of(st.binary(max_size=12), st.sampled_from([b"null", b"[]", b"{}", b'"x"', b"-1e999", b"\n"]))
    )
    spoilt = Output(1, source[:at] + other + source[at + size :], root="/repo")
    report = parse(tool, spoilt)
    assert report.fault or report.findings
