"""The adapters of frameworks, type-checked beside their frameworks: the lock file has none of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.framework_world import CACHE, ROOT
from scripts.agents import FRAMEWORKS

ADAPTERS = ROOT / "sdk" / "python" / "src" / "handrail_sdk" / "frameworks"


@pytest.mark.parametrize("framework", [*FRAMEWORKS, "ag-ui", "a2a", "temporal"])
def test_an_adapter_fits_the_types_of_its_framework(framework: str) -> None:
    settings = {
        "include": [_from(ADAPTERS / f"{framework.replace('-', '_')}.py", framework)],
        "extraPaths": [_from(ROOT / "sdk" / "python" / "src", framework)],
        "typeCheckingMode": "strict",
        "reportMissingTypeStubs": False,
        "pythonVersion": "3.11",
        "venvPath": "..",
        "venv": framework,
    }
    file = CACHE / framework / "pyrightconfig.json"
    file.write_text(json.dumps(settings))
    checked = subprocess.run(
        [Path(sys.executable).with_name("pyright"), "-p", file], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout


def _from(path: Path, framework: str) -> str:
    """Relative, because pyright takes an absolute path for one below its settings."""
    return os.path.relpath(path, CACHE / framework)
