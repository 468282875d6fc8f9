"""One version for all that is released together."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_server_sdk_and_pages_have_one_version() -> None:
    projects = [tomllib.loads((ROOT / name).read_text()) for name in ("pyproject.toml", "sdk/python/pyproject.toml")]
    versions = {each["project"]["version"] for each in projects}
    versions |= {
        json.loads((ROOT / name).read_text())["version"]
        for name in ("web/package.json", "web/package-lock.json", "sdk/typescript/package.json")
    }
    assert len(versions) == 1
    [version] = versions
    # no other one may be installed: an index could have another package by that name, or a newer one
    assert f"handrail-sdk=={version}" in projects[0]["project"]["dependencies"]
    kustomization = (ROOT / "deploy" / "kubernetes" / "base" / "kustomization.yaml").read_text()
    assert f"newTag: {version}\n" in kustomization
    assert f":-handrail:{version}}}\n" in (ROOT / "deploy" / "compose" / "compose.yaml").read_text()


def test_the_database_of_every_version_that_the_changelog_names_is_kept() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    released = {line.split()[1] for line in lines if line.startswith("## ")} - {"Unreleased"}
    assert {folder.name for folder in (ROOT / "tests" / "upgrades").iterdir()} >= released
