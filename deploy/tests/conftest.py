"""A release, made once for all tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from deploy.tests.places import ROOT


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([ROOT / "scripts" / "dist.sh", folder], check=True)
    return folder
