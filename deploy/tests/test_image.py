"""The image's recipe and the compose file are what their own tools call good."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.tests.places import ROOT, TOOLS
from handrail.settings import PREFIX, Settings
from scripts.shipping.pins import pins

DOCKERFILE = ROOT / "deploy" / "image" / "Dockerfile"
RECIPES = [DOCKERFILE, *sorted((ROOT / "deploy" / "containers").glob("*.Dockerfile"))]
COMPOSE = ROOT / "deploy" / "compose" / "compose.yaml"


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_hadolint_finds_nothing_wrong(recipe: Path) -> None:
    ran = subprocess.run([TOOLS / "ship" / "bin" / "hadolint", recipe], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")


def test_it_runs_as_a_user_with_a_health_check_and_an_init() -> None:
    last = DOCKERFILE.read_text().rpartition("\nFROM ")[2]
    assert re.search(r"^USER 10001:10001$", last, re.MULTILINE)
    assert re.search(r"^HEALTHCHECK ", last, re.MULTILINE)
    assert 'ENTRYPOINT ["tini", "--", "handrail"]' in last


def test_what_it_installs_is_what_the_lock_file_has_with_hashes() -> None:
    found = pins("x86_64")
    assert {"fastapi", "faiss-cpu", "langchain-openai"} <= {pin.partition("==")[0] for pin in found}
    assert all("--hash=sha256:" in pin for pin in found)
    assert not {"pytest", "ruff"} & {pin.partition("==")[0] for pin in found}


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_there_is_a_wheel_of_everything_for_either_machine(machine: str, tmp_path: Path) -> None:
    """Exactly those of the lock file, for Debian 12's Python; nothing is downloaded."""
    (tmp_path / "pins.txt").write_text("".join(pins(machine)))
    words = ["pip", "install", "--dry-run", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--quiet"]
    where = ["--python-platform", f"{machine}-manylinux_2_34", "--python-version", "3.11"]
    given = ["--python", sys.executable, "--target", tmp_path / "target", "--requirement", tmp_path / "pins.txt"]
    ran = subprocess.run([TOOLS / "bin" / "uv", *words, *where, *given], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_compose_file_is_valid() -> None:
    words = [TOOLS / "ship" / "bin" / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("name", ["api", "worker"])
def test_its_services_are_closed_and_their_settings_are_known(name: str) -> None:
    service: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())["services"][name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    known = {f"{PREFIX}{field}".upper() for field in Settings.model_fields}
    assert service["environment"].keys() <= known
