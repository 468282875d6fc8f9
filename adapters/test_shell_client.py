"""A client of the protocol in curl and jq: it runs what was approved, as amended, once, and nothing else."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest
from sdk_office import Office, open_office
from server import environment

CLIENT = Path(__file__).parents[1] / "examples" / "clients" / "handrail.sh"


@pytest.fixture(scope="module")
def office() -> Generator[Office]:
    with open_office() as office:
        yield office


def start(office: Office, key: str, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [CLIENT, key, *words],
        env=environment(office.server.folder, HANDRAIL_URL=office.server.url, HANDRAIL_TOKEN=office.agent),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_a_low_command_runs_at_once_and_only_once(office: Office) -> None:
    assert ended(start(office, "low", "echo", "it's", "a b")) == (0, "it's a b\n", "")
    code, out, err = ended(start(office, "low", "echo", "it's", "a b"))
    assert (code, out) == (1, "")
    assert "redeemed" in err


def test_an_amended_command_runs_as_amended(office: Office, tmp_path: Path) -> None:
    client = start(office, "amended", "touch", f"{tmp_path}/asked")
    with office.deciding() as person:
        hold = person.get(office.one_pending(text="touch"))
        assert hold.action is not None
        hold.action.args["argv"][1] = f"{tmp_path}/approved 'this' $(one)"
        amended = person.review(hold.id, "amend", digest=hold.digest, amended_action=hold.action)
        person.review(hold.id, "approve", digest=amended.digest)
    assert ended(client)[0] == 0
    assert [file.name for file in tmp_path.iterdir()] == ["approved 'this' $(one)"]


def test_a_rejected_command_does_not_run_and_a_restart_finds_the_decision(office: Office, tmp_path: Path) -> None:
    client = start(office, "rejected", "touch", f"{tmp_path}/made")
    hold_id = office.one_pending(text="made")
    client.kill()
    client.communicate()
    with office.deciding() as person:
        person.review(hold_id, "reject", digest=person.get(hold_id).digest, reason="not here")
    code, _, err = ended(start(office, "rejected", "touch", f"{tmp_path}/made"))
    assert (code, "not here" in err, list(tmp_path.iterdir())) == (1, True, [])
