"""systemd accepts the units, and finds them closed as far as the sandbox allows."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from deploy.tests import debian
from deploy.tests.places import ROOT

UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))


def analyze(*words: str | Path) -> tuple[int, str]:
    program = debian.program("systemd-analyze", "systemd")
    ran = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr


@pytest.fixture
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """With programs and files that are on this machine."""
    source: Path = request.param
    file = tmp_path / source.name.replace("@", "@1")
    text = source.read_text().replace("/opt/handrail/bin/handrail", str(ROOT / ".venv" / "bin" / "handrail"))
    file.write_text(text)
    return file


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name, indirect=True)
def test_a_unit_is_valid(unit: Path) -> None:
    code, said = analyze("verify", "--man=no", unit)
    ours = [line for line in said.splitlines() if unit.name in line]
    assert (code, ours) == (0, [])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name, indirect=True)
def test_a_unit_exposes_little(unit: Path) -> None:
    """Without the sandbox it would be under 2: user namespaces and all system calls count for the rest."""
    _, said = analyze("security", "--offline=true", unit)
    found = re.search(r"exposure level for .*: ([\d.]+)", said)
    assert found, said
    assert float(found[1]) <= 4.5, said
