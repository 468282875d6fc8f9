"""Every cell of docs/agents.md is a test that pytest collects, for that agent or framework."""

from __future__ import annotations

import subprocess
import sys

from scripts.agents import MATRIX, PARAMETERS, ROOT, parameters


def test_every_cell_is_a_test_that_runs() -> None:
    """B8."""
    wanted = {
        (*row.test(cell), row.parameter or "")
        for row in MATRIX
        for cell in (*row.cells, *row.more)
        if isinstance(cell, str)
    }
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", *sorted({file for file, _, _ in wanted})],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    found = [line.partition("[")[::2] for line in listed]
    lost = [
        (file, name, parameter)
        for file, name, parameter in wanted
        if not any(
            test == f"{file}::{name}" and (parameter in given or not PARAMETERS & parameters(file)[name])
            for test, given in found
        )
    ]
    assert lost == []
