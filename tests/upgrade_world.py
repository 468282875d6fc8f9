"""Databases of releases: how one is filled before it is kept, and how it is put back for a test.

`python tests/upgrade_world.py VERSION` keeps one, with the code of that release: part of every release.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from server import HANDRAIL, ServerProcess, beginning, environment, until

from handrail.store.embedded import Server, programs
from handrail.store.migrate import migrations

ROOT = Path(__file__).parents[1]
RELEASES = ROOT / "tests" / "upgrades"
DUMP, MIGRATIONS, COMMIT = "database.dump", "migrations.sha256", "commit"
APPROVED, USED, OPEN = "Approved before the upgrade", "Used before the upgrade", "Open before the upgrade"
AGENT = "agent of the old version"
OBSERVED, STAND_IN = "observed by the old version", "Nele Next"

Json = dict[str, Any]


def write_key(data: Path) -> None:
    """The audit key of all these databases: it protects nothing, so it is made from words instead of kept in a file."""
    key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"the audit key of upgrade tests").digest())
    (data / "audit").mkdir(mode=0o700, parents=True)
    data.chmod(0o700)
    file = data / "audit" / "key.pem"
    file.touch(0o600)
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def checksums() -> str:
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in migrations())


def put_back(data: Path, release: Path) -> None:
    """The release's database in a new data folder, as its own processes left it: nothing is void."""
    write_key(data)
    user = Server(data)
    try:
        dsn = user.start()
        words = ["--no-owner", "--no-privileges", "--exit-on-error", f"--dbname={dsn}", str(release / DUMP)]
        subprocess.run([programs.path("pg_restore"), *words], check=True)
    finally:
        user.stop()


def fill(server: ServerProcess) -> None:
    """Runs that wait for people, and holds in each state."""
    agent = server.token_of(AGENT, kind="agent")
    person = server.make_own(server.token_of("Olga Old", "tech_lead"))
    for title in (APPROVED, USED, OPEN):
        with server.client(agent) as http:
            question = {"kind": "confirmation", "title": title, "action": {"name": "note", "args": {"text": title}}}
            hold = http.post("/api/holds", json=question).raise_for_status().json()
            if title == OPEN:
                continue
            review = {"verdict": "approve", "digest": hold["digest"], "reason": "as agreed"}
            with server.client(person) as theirs:
                theirs.post(f"/api/holds/{hold['id']}/reviews", json=review).raise_for_status()
            if title == USED:
                use = {"digest": hold["digest"], "key": "once"}
                http.post(f"/api/holds/{hold['id']}/redeem", json=use).raise_for_status()
    server.token_of(STAND_IN, "tech_lead")
    server.token_of(OBSERVED, kind="agent")
    for token, *words in (
        (person, "away", "set", STAND_IN, "--until", "5d"),
        (server.admin_token, "observe", "on", OBSERVED, "--reason", "a first look"),
        (server.admin_token, "demo", "--quiet"),
    ):
        asked = server.run(*words, token=token)
        assert asked.exit == 0, asked.err
    # a backup has no event without its number
    with server.client() as http:
        until(lambda: http.get("/api/audit/head").json()["waiting"] == 0)


def keep(version: str) -> None:
    folder = RELEASES / version
    folder.mkdir()
    with beginning(HANDRAIL_CONCURRENCY="1") as server:
        # a true first start, but with the key that the tests can make again
        server.stop()
        subprocess.run(["rm", "-rf", server.data], check=True)
        write_key(server.data)
        server.start()
        fill(server)
        command = [HANDRAIL, "backup", folder / DUMP, "--data", server.data]
        subprocess.run(command, env=environment(server.folder), check=True)
    (folder / MIGRATIONS).write_text(checksums())
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (folder / COMMIT).write_text(commit)


if __name__ == "__main__":
    keep(sys.argv[1])
