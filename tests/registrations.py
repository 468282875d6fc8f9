"""Registers skills: on a test's app, with the worker's part done in the test's own process, and on a real server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apps
import httpx
from langgraph.runtime import RunControl
from server import ServerProcess

from handrail import settings
from handrail.cli.kinds import built_in
from handrail.core.runs import Run
from handrail.engine.checkpoints import connect, set_up
from handrail.engine.driver import Seat, drive
from handrail.engine.registry import Workflow, load
from handrail.skills.kinds import REGISTRATION
from handrail.store import claims
from handrail.store.workflows import publish

Json = dict[str, Any]


async def served(desk: apps.Desk) -> Workflow:
    """As a worker has told that it serves it."""
    known = settings.load()
    workflow = await load(built_in(known).of(REGISTRATION), known)
    assert isinstance(workflow, Workflow), workflow
    async with desk.database.transaction() as conn:
        await publish(conn, [workflow.published()])
    return workflow


async def claim(desk: apps.Desk) -> Run:
    async with desk.database.transaction() as conn:
        [claimed] = await claims.claim(conn, "w", [REGISTRATION])
    return claimed


async def drive_on(desk: apps.Desk, workflow: Workflow, claimed: Run) -> None:
    """As the worker that claimed it does."""

    async def same_policy() -> None:
        return

    await set_up(desk.database.dsn)
    async with await connect(desk.database.dsn) as connection:
        await drive(
            Seat(desk.context, connection, {REGISTRATION: workflow}, same_policy, settings.load()),
            claimed,
            RunControl(),
        )


async def work(desk: apps.Desk, workflow: Workflow) -> None:
    """Does the registration that is waiting."""
    await drive_on(desk, workflow, await claim(desk))


async def registered(desk: apps.Desk, who: httpx.AsyncClient, path: str = "/api/skills", **place: str) -> Json:
    """The registration, once it has ended. The settings are those of the environment."""
    workflow = await served(desk)
    begun = await who.post(path, json=place)
    assert begun.status_code == 202, begun.text
    await work(desk, workflow)
    return (await who.get(begun.headers["Location"])).raise_for_status().json()


def finished(server: ServerProcess, http: httpx.Client, folder: Path) -> Json:
    """The registration of a folder on a server with a worker, once it has ended."""
    server.serves(REGISTRATION)
    begun = http.post("/api/skills", json={"folder": str(folder)}).raise_for_status()
    done: Json = http.get(begun.headers["Location"], params={"wait": 100}, timeout=120).raise_for_status().json()
    assert done["status"] == "completed", done
    return done
