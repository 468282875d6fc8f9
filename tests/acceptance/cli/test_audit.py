"""`handrail audit` against a real server: verify, tamper, export, offline, rotate, kill, erase."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from server import HANDRAIL, ServerProcess, environment, running
from team import CONFIRMATION

from handrail.store.embedded import Server


@pytest.fixture
def admin(server: ServerProcess) -> Generator[ServerProcess]:
    open_holds(server, 3)
    yield server


def open_holds(server: ServerProcess, count: int) -> None:
    with server.client() as http:
        for _ in range(count):
            http.post("/api/holds", json=CONFIRMATION).raise_for_status()


def alter(server: ServerProcess, statement: str) -> None:
    """Somebody who can write the database."""
    user = Server(server.data)
    try:
        with psycopg.connect(user.start(), autocommit=True) as conn:
            conn.execute(statement.encode())
    finally:
        user.stop()


def test_verify_export_tamper_and_verify_offline(admin: ServerProcess, tmp_path: Path) -> None:
    """B2."""
    key = shutil.copy(admin.data / "audit" / "key.pub", tmp_path)
    honest = admin.run("audit", "verify", token=admin.admin_token)
    assert honest.exit == 0, honest.err
    assert "is intact" in honest.out and "server itself named this key" in honest.out
    file = tmp_path / "export.jsonl"
    assert admin.run("audit", "export", str(file), token=admin.admin_token).exit == 0

    alter(admin, "UPDATE events SET data = replace(data::text, 'low', 'high')::json, type = 'x' WHERE seq = 3")
    found = admin.run("audit", "verify", "--key", str(key), "--json", token=admin.admin_token)
    assert found.exit == 1
    assert found.json()["faults"][0]["seq"] == 3
    told = admin.run("audit", "verify", token=admin.admin_token)
    assert told.exit == 1
    assert "First problem: entry 3" in told.out

    admin.stop()
    shutil.rmtree(admin.data)
    assert offline(tmp_path, str(file), "--key", str(key)).returncode == 0
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(line.replace("hold.opened", "hold.decided") for line in lines))
    spoilt = offline(tmp_path, str(file), "--key", str(key))
    assert spoilt.returncode == 1
    assert "NOT intact" in spoilt.stdout


def offline(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """On a machine that has no server, no database and no settings."""
    variables = {"HANDRAIL_DATABASE_URL": "postgresql://nowhere.invalid/x", "HANDRAIL_URL": "http://127.0.0.1:9"}
    return subprocess.run(
        [HANDRAIL, "audit", "verify", *words],
        env=environment(folder, **variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_killed_server_keeps_the_chain_whole_and_its_heads(admin: ServerProcess) -> None:
    for _ in range(3):
        admin.kill()
        admin.start()
        open_holds(admin, 5)
    heads = str(admin.data / "audit" / "heads.jsonl")
    found = admin.run("audit", "verify", "--head", heads, "--json", token=admin.admin_token)
    assert found.exit == 0, found.out
    admin.stop()
    newest = json.loads(Path(heads).read_text().splitlines()[-1])
    assert newest["seq"] >= found.json()["sealed"], "what a stop leaves is the newest head"


def test_a_rotated_key_seals_and_the_first_one_is_enough_to_verify(admin: ServerProcess, tmp_path: Path) -> None:
    first = Path(shutil.copy(admin.data / "audit" / "key.pub", tmp_path))
    done = admin.run("audit", "rotate-key", "--data", str(admin.data), "--json")
    assert done.exit == 0, done.err
    assert done.json()["in_use"]
    open_holds(admin, 2)
    found = admin.run("audit", "verify", "--key", str(first), "--json", token=admin.admin_token)
    assert found.exit == 0, found.out
    assert found.json()["keys"][-1] == done.json()["key_id"]
    assert (admin.data / "audit" / "key.pem").stat().st_mode & 0o777 == 0o600

    admin.stop()
    waits = admin.run("audit", "rotate-key", "--data", str(admin.data), "--json")
    assert not waits.json()["in_use"]
    admin.start()
    open_holds(admin, 1)
    again = admin.run("audit", "verify", "--key", str(first), "--json", token=admin.admin_token)
    assert (again.exit, again.json()["keys"][-1]) == (0, waits.json()["key_id"])


def test_a_lost_key_stops_the_start_until_another_takes_its_place(admin: ServerProcess, tmp_path: Path) -> None:
    first = Path(shutil.copy(admin.data / "audit" / "key.pub", tmp_path))
    admin.stop()
    shutil.rmtree(admin.data / "audit")
    with pytest.raises(RuntimeError, match="rotate-key --lost"):
        admin.start()
    assert admin.run("audit", "rotate-key", "--lost", "--data", str(admin.data)).exit == 0
    admin.start()
    open_holds(admin, 1)
    assert admin.run("audit", "verify", "--key", str(first), token=admin.admin_token).exit == 1
    both = tmp_path / "both.pub"
    both.write_bytes(first.read_bytes() + (admin.data / "audit" / "key.pub").read_bytes())
    found = admin.run("audit", "verify", "--key", str(both), "--json", token=admin.admin_token)
    assert found.exit == 0, found.out


def test_data_is_kept_as_long_as_configured_and_the_proof_for_ever() -> None:
    with running(HANDRAIL_AUDIT_KEEP_DAYS="30") as server:
        open_holds(server, 3)
        before = server.run("audit", "verify", "--json", token=server.admin_token).json()
        assert (before["whole"], before["pruned"]) == (True, 0)
        server.stop()
        alter(server, "UPDATE clock SET shift = shift + interval '40 days'")
        server.start()
        deadline = time.monotonic() + 60
        while not (found := server.run("audit", "verify", "--json", token=server.admin_token).json())["pruned"]:
            assert time.monotonic() < deadline, found
        assert found["whole"], found["faults"]
        assert found["pruned"] >= before["entries"] - 3, "the holds that wait keep theirs"
        alter(server, "UPDATE events SET actor_id = gen_random_uuid() WHERE seq = 2")
        told = server.run("audit", "verify", token=server.admin_token)
        assert (told.exit, "First problem: entry 2" in told.out) == (1, True)
        assert "past the configured retention" in told.out


def test_erase_asks_for_an_inactive_person_and_keeps_the_proof(admin: ServerProcess) -> None:
    """B2."""
    admin.token_of("Maria Muster", "developer")
    refused = admin.run("audit", "erase", "Maria Muster", "--yes", token=admin.admin_token)
    assert (refused.exit, "deactivate them first" in refused.err) == (5, True)
    assert admin.run("people", "change", "Maria Muster", "--inactive", token=admin.admin_token).exit == 0
    assert admin.run("audit", "erase", "Maria Muster", "--yes", token=admin.admin_token).exit == 0
    assert "Maria" not in admin.run("audit", "export", token=admin.admin_token).out
    assert admin.run("audit", "verify", token=admin.admin_token).exit == 0
