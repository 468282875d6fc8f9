"""A release, made once for all tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import server as servers

from deploy.tests.places import ROOT

# these run beside whatever else is done with a release, and nothing here is about time
servers.UNTIL_SECONDS = 600.0


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([ROOT / "scripts" / "dist.sh", folder], check=True)
    return folder
