"""The CI files are valid, and run commands that there are."""

from __future__ import annotations

import re
import subprocess

import pytest

from deploy.tests.places import ROOT, TOOLS

FILES = {".github/workflows/ci.yml": "vendor.github-workflows", ".gitlab-ci.yml": "vendor.gitlab-ci"}


@pytest.mark.parametrize(("file", "schema"), FILES.items())
def test_a_file_is_valid(file: str, schema: str) -> None:
    words = [TOOLS / "ship" / "bin" / "check-jsonschema", "--builtin-schema", schema, ROOT / file]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("file", FILES)
def test_it_runs_the_two_commands_and_only_targets_that_there_are(file: str) -> None:
    called = set(re.findall(r"^ *(?:- )?(?:run: )?make ([a-z-]+)", (ROOT / file).read_text(), re.MULTILINE))
    assert called >= {"up", "test"}
    for target in called:
        subprocess.run(["make", "--dry-run", "--silent", target], cwd=ROOT, capture_output=True, check=True)
