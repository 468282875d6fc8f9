"""`handrail change verify`: by files alone, in words and exit codes like those of `handrail audit verify`."""

from __future__ import annotations

import json
from pathlib import Path

import publishing_world as world
import pytest
from publishing_world import Change
from typer.testing import CliRunner, Result

from handrail.cli.main import app
from handrail.store.audit_files import KeyFile


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFile:
    keys = KeyFile(tmp_path_factory.mktemp("audit") / "key.pem")
    keys.create()
    return keys


@pytest.fixture(scope="module")
def change(tmp_path_factory: pytest.TempPathFactory) -> Change:
    return world.made(tmp_path_factory.mktemp("changes") / "shop")


@pytest.fixture
def body(tmp_path: Path, keys: KeyFile, change: Change) -> Path:
    file = tmp_path / "body.md"
    file.write_text(world.body_of(keys.signer(), change.evidence))
    return file


def verified(*words: object, text: str | None = None) -> Result:
    return CliRunner().invoke(app, ["change", "verify", *map(str, words)], input=text)


def test_a_valid_body_names_who_approved_what(body: Path, keys: KeyFile, change: Change) -> None:
    said = verified(body, "--key", keys.public_path, "--repo", change.folder)
    assert said.exit_code == 0, said.output
    assert "The attestation is valid, and the repository holds exactly what was approved." in said.stdout
    assert "Approved by Ada (0195)" in said.stdout
    assert f"Commit {change.evidence.head} on {change.evidence.base_commit}." in said.stdout
    assert "--repo" not in said.stdout


def test_without_a_repository_it_says_what_was_not_compared(body: Path, keys: KeyFile) -> None:
    said = verified("-", "--key", keys.public_path, text=body.read_text())
    assert said.exit_code == 0
    assert "Without --repo, the commits themselves were not compared." in said.stdout


def test_a_changed_body_ends_with_1_and_the_reason(body: Path, keys: KeyFile) -> None:
    body.write_text(body.read_text().replace("Rounds", "Doubles"))
    said = verified(body, "--key", keys.public_path)
    assert said.exit_code == 1
    assert "The attestation is NOT valid (text_changed)" in said.stdout
    assert "Approved by" not in said.stdout, "what was tampered with is not repeated"
    found = json.loads(verified(body, "--key", keys.public_path, "--json").stdout)
    assert (found["valid"], found["faults"][0]["wrong"]) == (False, "text_changed")


def test_files_that_are_not_there_end_with_3(tmp_path: Path, body: Path, keys: KeyFile) -> None:
    assert verified(tmp_path / "nothing.md", "--key", keys.public_path).exit_code == 3
    assert verified(body, "--key", keys.public_path, "--repo", tmp_path / "nowhere").exit_code == 3


def test_a_file_that_holds_no_key_ends_with_1(body: Path) -> None:
    assert verified(body, "--key", body).exit_code == 1


def test_without_a_key_the_server_is_asked(body: Path) -> None:
    said = verified(body, "--url", "http://127.0.0.1:9", "--token", "x")
    assert said.exit_code == 6
    assert "With --key key.pub, no server is needed." in said.output


def test_a_name_in_an_attestation_says_nothing_to_the_terminal(tmp_path: Path, keys: KeyFile, change: Change) -> None:
    file = tmp_path / "a.json"
    signed = world.attestation_of(keys.signer(), change.evidence, name="Ada\x1b[2K\u202e")
    file.write_text(json.dumps(signed.as_data()))
    said = verified(file, "--key", keys.public_path)
    assert said.exit_code == 0
    assert "\x1b" not in said.stdout and "\u202e" not in said.stdout
