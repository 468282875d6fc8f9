"""A PostgreSQL that archives its log is put back to a moment (docs/deployment.md); what was used since is void."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import database as databases
import psycopg
import pytest
import server as servers

from handrail.store.embedded import programs

CONFIGURATION = """
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = ''
wal_level = replica
archive_mode = on
archive_command = 'test ! -f {archive}/%f && cp %p {archive}/%f'
restore_command = 'cp {archive}/%f %p'
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@contextmanager
def postgres(cluster: Path) -> Generator[None]:
    log = cluster.with_suffix(".log")
    words = ["-D", str(cluster), "-w", "-l", str(log)]
    programs.run("pg_ctl", "start", *words)
    try:
        yield
    finally:
        programs.run("pg_ctl", "stop", "-m", "fast", *words)


@pytest.fixture
def place() -> Generator[Path]:
    folder = databases.new_folder()
    # PostgreSQL runs as another user where we are root
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_an_approval_that_was_used_after_the_moment_cannot_be_used_again(place: Path) -> None:
    port = free_port()
    cluster, archive, copy = place / "cluster", place / "archive", place / "copy"
    archive.mkdir()
    programs.run("initdb", "-D", str(cluster), "--username", "handrail", "--auth=trust", "--encoding=UTF8")
    with (cluster / "postgresql.conf").open("a") as file:
        file.write(CONFIGURATION.format(port=port, archive=archive))
    dsn = f"postgresql://handrail@127.0.0.1:{port}/postgres"
    question = {"kind": "confirmation", "title": "Send it", "action": {"name": "send"}}
    server = servers.ServerProcess(databases.new_folder(), ("serve",), HANDRAIL_DATABASE_URL=dsn)
    try:
        with postgres(cluster):
            server.start()
            # the backup is taken while people work
            programs.run("pg_basebackup", "--dbname", dsn, "-D", str(copy), "--checkpoint=fast")
            agent, person = server.token_of("agent", kind="agent"), server.make_own(server.token_of("Ann", "tech_lead"))
            with server.client(agent) as http, server.client(person) as theirs:
                hold = http.post("/api/holds", json=question).raise_for_status().json()
                review = {"verdict": "approve", "digest": hold["digest"]}
                theirs.post(f"/api/holds/{hold['id']}/reviews", json=review).raise_for_status()
                with psycopg.connect(dsn, autocommit=True) as connection:
                    connection.execute("SELECT pg_create_restore_point('before the accident')")
                use = {"digest": hold["digest"], "key": "once"}
                http.post(f"/api/holds/{hold['id']}/redeem", json=use).raise_for_status()
            with server.client() as ours:
                servers.until(lambda: ours.get("/api/audit/head").raise_for_status().json()["waiting"] == 0)
            assert server.stop() == 0
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute("SELECT pg_switch_wal()")
        # back to the moment, from the copy and the archive
        with (copy / "postgresql.conf").open("a") as file:
            file.write("recovery_target_name = 'before the accident'\nrecovery_target_action = promote\n")
        (copy / "recovery.signal").touch()
        with postgres(copy):
            with psycopg.connect(dsn) as connection:
                servers.until(lambda: connection.execute("SELECT NOT pg_is_in_recovery()").fetchone() == (True,))
            settings = servers.environment(server.folder, HANDRAIL_DATABASE_URL=dsn, HANDRAIL_DATA=str(server.data))
            seen = subprocess.run(
                [servers.HANDRAIL, "doctor"], env=settings, capture_output=True, text=True, check=False
            )
            assert seen.returncode == 1
            assert "handrail restore --in-place" in seen.stdout
            subprocess.run([servers.HANDRAIL, "restore", "--in-place"], env=settings, check=True, capture_output=True)
            server.start()
            with server.client() as http:
                token = http.post("/api/tokens", json={"principal": "agent"}).raise_for_status().json()["token"]
                again = http.get(f"/api/holds/{hold['id']}").json()
            assert again["status"] == "approved"
            with server.client(token) as http:
                refused = http.post(f"/api/holds/{hold['id']}/redeem", json={**use, "key": "twice"})
            assert (refused.status_code, refused.json()["code"]) == (409, "approval_void")
            assert server.stop() == 0
    finally:
        server.close()
