"""Processes that run users' graphs have no secret of Handrail's, and their login to the database decides nothing."""

from __future__ import annotations

import base64
import os
import secrets
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import server as servers
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from server import ServerProcess, until

from handrail.engine.surroundings import NOBODYS
from handrail.store.embedded import Server

FILE = Path(__file__).parent / "graphs" / "handrail.toml"
# not permitted; not a column that can be written; nothing to write
REFUSALS = {"42501", "55000", "0A000", "nothing done"}
IS_ROOT = os.geteuid() == 0
# root is an ordinary user too, in a user namespace
ORDINARY = ("unshare", "--user", "--map-user=1000", "--map-group=1000") if IS_ROOT else ()
DEPLOYMENTS = {"as_root": (), "as_an_ordinary_user": ORDINARY} if IS_ROOT else {"as_an_ordinary_user": ()}


def secret(what: str) -> str:
    """In a form that the graph recognises."""
    return f"open-sesame-{what}-{secrets.randbelow(900_000) + 100_000}"


@pytest.fixture(scope="module")
def databases() -> Generator[Callable[[], str]]:
    """Makes databases whose password is recognised too; its login may make others."""
    server = Server(Path(tempfile.mkdtemp(prefix="handrail-secrets-")), durable=False)
    dsn = server.start()
    password = secret("database")
    try:
        with psycopg.connect(dsn, autocommit=True) as conn:
            words = "CREATE ROLE marked LOGIN SUPERUSER PASSWORD {}"
            conn.execute(sql.SQL(words).format(sql.Literal(password)))
        place = conninfo_to_dict(make_conninfo(dsn, user="marked", password=password))

        def make() -> str:
            name = f"d{secrets.token_hex(4)}"
            with psycopg.connect(dsn, autocommit=True) as conn:
                conn.execute(sql.SQL("CREATE DATABASE {} OWNER marked").format(sql.Identifier(name)))
            return "postgresql://{user}:{password}@/{dbname}?host={host}&port={port}".format(
                **{**place, "dbname": name}
            )

        yield make
    finally:
        server.stop()


@pytest.fixture(scope="module", params=DEPLOYMENTS.values(), ids=list(DEPLOYMENTS))
def server(request: pytest.FixtureRequest, databases: Callable[[], str]) -> Generator[ServerProcess]:
    signing = base64.b64encode(secret("signing").encode()).decode()
    variables = {
        "HANDRAIL_DATABASE_URL": databases(),
        "HANDRAIL_ADMIN_TOKEN": f"hr_{secret('administrator')}",
        "HANDRAIL_WEBHOOK_URL": f"http://user:{secret('webhook')}@127.0.0.1:9/",
        "HANDRAIL_WEBHOOK_SECRET": f"whsec_{signing}",
        "HANDRAIL_MODEL_KEY": secret("model"),
        "HANDRAIL_WORKFLOWS_FILE": str(FILE),
        "HANDRAIL_CONCURRENCY": "1",
        "HANDRAIL_CHILD_ENV": "PROVIDER_KEY",
        "PROVIDER_KEY": "given to workflows",
        "SOMEBODYS_KEY": secret("somebody"),
    }
    with servers.running_as(request.param, **variables) as server:
        server.serves("prying")
        yield server


def result(server: ServerProcess, workflow: str) -> Any:
    with server.client() as http:
        started = http.post("/api/runs", json={"workflow": workflow, "input": {"data": str(server.data)}})
        run = started.raise_for_status().json()["id"]
        ended = until(lambda: _ended(http.get(f"/api/runs/{run}").json()))
    assert ended["status"] == "completed", ended["error"]
    return ended["result"]


def _ended(run: Any) -> Any:
    return run if run["status"] in {"completed", "failed"} else None


def test_a_graph_finds_no_secret_in_variables_processes_descriptors_objects_or_memory(server: ServerProcess) -> None:
    found = result(server, "prying")
    assert found["found"] == {}
    assert "PROVIDER_KEY" in found["environment"]
    assert [name for name in found["environment"] if name.startswith("HANDRAIL_")] == ["HANDRAIL_WORKFLOWS_FILE"]


def test_where_handrail_is_root_a_graph_is_another_user_who_reads_none_of_its_files(server: ServerProcess) -> None:
    found = result(server, "prying")
    if "as_root" in os.environ["PYTEST_CURRENT_TEST"]:
        assert (found["uid"], found["read"]) == (NOBODYS, [])
    else:
        # the same user's files cannot be kept from it: docs/langgraph.md says so
        assert found["uid"] == 1000 or not IS_ROOT


def test_what_a_graph_can_do_to_the_database_is_what_a_run_does(server: ServerProcess) -> None:
    with server.client() as http:
        body: dict[str, Any] = {"kind": "confirmation", "title": "Send", "action": {"name": "send", "args": {}}}
        hold = http.post("/api/holds", json=body).raise_for_status().json()["id"]
        refused = result(server, "forging")["refused"]
        assert {name: code for name, code in refused.items() if code not in REFUSALS} == {}
        assert http.get(f"/api/holds/{hold}").json()["status"] == "pending"
