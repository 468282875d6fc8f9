"""Processes of an earlier release and of this one work side by side on one database while an upgrade is under way."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import database as databases
import psycopg
import pytest
import server as servers
import upgrade_world as world
from server import ServerProcess, until

from deploy.tests.places import ROOT
from handrail.store.embedded import Server

RELEASES = sorted(world.RELEASES.iterdir())
ADMINISTRATOR = f"hr_{secrets.token_urlsafe(32)}"


@pytest.fixture(scope="module", params=RELEASES, ids=[release.name for release in RELEASES])
def earlier(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture(scope="module")
def old_program(earlier: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    commit = (earlier / world.COMMIT).read_text().strip()
    archive = folder / "source.tar"
    words = ["git", "archive", "--output", archive, commit, "src", "sdk/python/src"]
    made = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, f"this checkout lacks {commit}: git fetch --unshallow\n{made.stderr}"
    subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)
    # an environment with the old code before the libraries: its processes start others, which must be old too
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    [site] = (folder / "venv" / "lib").glob("python*/site-packages")
    paths = (folder / "src", folder / "sdk" / "python" / "src", Path(psycopg.__file__).parents[1])
    (site / "old.pth").write_text("".join(f"{path}\n" for path in paths))
    program = folder / "venv" / "bin" / "handrail"
    program.write_text(f"#!{program.with_name('python')}\nfrom handrail.cli.main import run\nrun()\n")
    program.chmod(0o755)
    return program


@pytest.fixture(scope="module")
def dsn(earlier: Path) -> Generator[str]:
    """The release's database, in a PostgreSQL that both versions use."""
    data = databases.new_folder() / "data"
    world.put_back(data, earlier)
    user = Server(data)
    yield user.start()
    user.stop()


def serving(program: Path, dsn: str) -> ServerProcess:
    folder = databases.new_folder()
    world.write_key(folder / "data")
    before, servers.HANDRAIL = servers.HANDRAIL, program
    try:
        return ServerProcess(
            folder, HANDRAIL_DATABASE_URL=dsn, HANDRAIL_ADMIN_TOKEN=ADMINISTRATOR, HANDRAIL_CONCURRENCY="1"
        )
    finally:
        servers.HANDRAIL = before


def approve(server: ServerProcess, person: str, hold: world.Json) -> None:
    with server.client(person) as http:
        review = {"verdict": "approve", "digest": hold["digest"], "reason": "checked"}
        http.post(f"/api/holds/{hold['id']}/reviews", json=review).raise_for_status()


def test_each_finishes_what_the_other_began(dsn: str, old_program: Path) -> None:
    old, new = serving(old_program, dsn), serving(servers.HANDRAIL, dsn)
    try:
        # the old one runs when the new one migrates
        old.start()
        new.start()
        person = new.make_own(new.token_of("Pat", "tech_lead"))
        agent = old.token_of("agent of both", kind="agent")
        for opening, deciding, using in ((old, new, old), (new, old, new)):
            question = {"kind": "confirmation", "title": opening.url, "action": {"name": "note"}}
            with opening.client(agent) as http:
                hold = http.post("/api/holds", json=question).raise_for_status().json()
            approve(deciding, person, hold)
            with using.client(agent) as http:
                use = {"digest": hold["digest"], "key": "once"}
                http.post(f"/api/holds/{hold['id']}/redeem", json=use).raise_for_status()
        # runs that the old version paused and started, taken by workers of either
        with old.client() as theirs:
            pending = {hold["title"]: hold for hold in theirs.get("/api/holds").json()["holds"]}
            refund = next(hold for hold in pending.values() if hold["run_id"] and "Refund" in hold["title"])
            approve(new, person, refund)
            path = f"/api/runs/{refund['run_id']}"
            assert until(lambda: theirs.get(path).json()["status"] not in {"paused", "queued", "running"})
            assert theirs.get(path).json()["status"] == "completed"
        # the old one may be the last to leave
        assert new.stop() == 0
        with old.client() as theirs:
            assert theirs.get("/health").json()["status"] == "ok"
    finally:
        for server in (old, new):
            server.close()
