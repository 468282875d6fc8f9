"""Reports as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from handrail.cli import reports
from handrail.cli.exits import Exit, Failure


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    reports.write(file, b"first")
    with pytest.raises(Failure) as refused:
        reports.write(file, b"second")
    assert refused.value.exit is Exit.usage and file.read_bytes() == b"first"


def test_without_a_browser_it_says_what_else_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(reports.VARIABLE, "there-is-no-such-browser")
    with pytest.raises(Failure, match="print"):
        reports.printed("<p>report</p>")


def test_a_browser_that_prints_nothing_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\necho no display >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv(reports.VARIABLE, str(program))
    with pytest.raises(Failure, match="no display"):
        reports.printed("<p>report</p>")
