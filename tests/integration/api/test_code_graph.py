"""`POST /clone-and-generate`: refused at once, under way, the graph, or why there is none."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import apps
import git_server
import pytest
from langgraph.runtime import RunControl

from handrail import settings
from handrail.cli.kinds import built_in
from handrail.codegraph.document import schema
from handrail.engine.checkpoints import connect
from handrail.engine.driver import Seat, drive
from handrail.engine.registry import Workflow, load
from handrail.store import claims
from handrail.store.workflows import publish

FILES = {
    "app.py": b"from fastapi import FastAPI\nfrom shop import price\napp = FastAPI()\n"
    b"@app.get('/price')\ndef show():\n    return price()\n",
    "shop.py": b"def price():\n    return 1\n",
}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[git_server.GitServer]:
    monkeypatch.setenv("HANDRAIL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HANDRAIL_GIT_PRIVATE_HOSTS", "127.0.0.1")
    with git_server.serving(tmp_path / "served") as server:
        yield server


@asynccontextmanager
async def seated(desk: apps.Desk) -> AsyncGenerator[Seat]:
    known = settings.load()
    workflow = await load(built_in(known).of("code_graph"), known)
    assert isinstance(workflow, Workflow), workflow
    async with desk.database.transaction() as conn:
        await publish(conn, [workflow.published()])

    async def same_policy() -> None:
        return

    async with await connect(desk.database.dsn) as connection:
        yield Seat(desk.context, connection, {workflow.name: workflow}, same_policy, known)


async def work(seat: Seat) -> None:
    async with seat.context.database.transaction() as conn:
        [claimed] = await claims.claim(conn, "w", ["code_graph"])
    await drive(seat, claimed, RunControl())


async def test_the_graph_of_a_repository(server: git_server.GitServer, desk: apps.Desk) -> None:
    """S2.13."""
    url = server.repository("shop", FILES)
    ann, bob = await desk.member("ann"), await desk.member("bob")
    async with seated(desk) as seat:

        async def asked(**query: Any) -> Any:
            begun = await ann.post("/clone-and-generate", params={"wait": 0, **query}, json={"repo_url": url})
            assert begun.status_code == 202, begun.text
            link = begun.json()["link"]
            assert link == begun.headers["Location"]
            assert (await ann.get(link)).status_code == 202
            await work(seat)
            assert (await bob.get(link)).status_code == 404
            return await ann.get(link)

        made = (await asked()).raise_for_status().json()
        assert sorted(module["path"] for module in made["modules"]) == ["app.py", "shop.py"]
        assert [endpoint["path"] for endpoint in made["endpoints"]] == ["/price"]
        assert made["project"]["name"] == "shop"
        assert made["gitSha"] == git_server.git(server.folder / "shop", "rev-parse", "HEAD").strip()
        assert set(schema()["required"]) <= made.keys()
        assert not (await asked(fan_threshold=99)).json()["symbols"]
        assert (await asked(include_features=False)).json()["features"] == []
        drawn = await asked(format="mermaid")
        assert drawn.headers["content-type"].startswith("text/plain")
        assert drawn.text.startswith("flowchart LR")
    told = [event["data"].get("node") for event in await desk.events() if event["type"] == "run.step_completed"]
    assert told[:2] == ["fetch", "index"]


async def test_what_is_refused_and_what_fails(server: git_server.GitServer, desk: apps.Desk) -> None:
    ann = await desk.member("ann")
    async with seated(desk) as seat:
        for address, code in (
            ("ext::sh -c id", "invalid_field"),
            ("https://10.0.0.1/x", "clone_refused"),
            ("/etc", "clone_refused"),
        ):
            refused = await ann.post("/clone-and-generate", json={"repo_url": address})
            assert (refused.status_code, refused.json()["code"]) == (422, code)
        missing = f"{server.url}/missing"
        begun = await ann.post("/clone-and-generate", params={"wait": 0}, json={"repo_url": missing})
        await work(seat)
        failed = await ann.get(begun.json()["link"])
        assert (failed.status_code, failed.json()["code"]) == (422, "graph_failed")
        assert failed.json()["data"]["reason"] == "clone_refused"
        # whoever starts the workflow by itself is refused by it too
        start = {"workflow": "code_graph", "input": {"repo_url": "/etc"}}
        run = (await ann.post("/api/runs", json=start)).raise_for_status().json()
        await work(seat)
        assert (await ann.get(f"/clone-and-generate/{run['id']}")).json()["data"]["reason"] == "clone_refused"
