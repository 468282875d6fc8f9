"""What tests of code changes at work share: a repository, a model with a script, runs that continue when told to."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine_world import holds_of, look, principal, said
from langgraph.runtime import RunControl

from handrail import settings
from handrail.changes.kinds import CHANGE, DEMO
from handrail.cli.kinds import built_in
from handrail.core.holds import Hold, Verdict
from handrail.core.runs import Budget, Run
from handrail.engine.checkpoints import connect
from handrail.engine.context import Engine
from handrail.engine.driver import Seat, drive
from handrail.engine.registry import Workflow, load
from handrail.engine.starting import Start, start
from handrail.holds import deciding
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.store import claims, holds
from handrail.store.workflows import publish

MOST = Budget(1000, 3600.0)


class ChangeWorld:
    def __init__(self, seat: Seat, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.context: Context = seat.context
        self._seat = seat
        self.folder = folder
        self._patch = patch

    def script(self, **parts: Sequence[Mapping[str, Any]]) -> None:
        """What the model says in each part (`intent`, `plan`, `edit`, `answer`), turn by turn."""
        scripts = self.folder / "scripts"
        scripts.mkdir(exist_ok=True)
        for name, steps in parts.items():
            # JSON is YAML
            (scripts / f"change-{name}.yaml").write_text(json.dumps(steps))
        self._patch.setenv("HANDRAIL_LLM_MODEL", f"scripted:{scripts}")

    async def start(self, request: str, repo_url: str, workflow: str = CHANGE, **more: Any) -> Run:
        sam = await principal(self.context.database, "sam", "developer")
        asked = Start(workflow, {"request": request, "repo_url": repo_url, **more})
        return await start(Engine(self.context, built_in(settings.load()), MOST), sam, asked)

    async def work(self, run: Run) -> Run:
        """As a worker does: to the next pause, or the end."""
        async with self.context.database.transaction() as conn:
            [claimed] = await claims.claim(conn, "w", [CHANGE, DEMO])
        assert claimed.id == run.id
        await drive(replace(self._seat, settings=settings.load()), claimed, RunControl())
        return await look(self.context.database, run)

    async def hold(self, run: Run) -> Hold:
        """The one that the run waits for."""
        [hold] = (await holds_of(self.context, run)).values()
        return hold

    async def decide(
        self, run: Run, verdict: Verdict = Verdict.approve, who: str = "mara", role: str = "tech_lead", **more: Any
    ) -> Hold:
        hold = await self.hold(run)
        person = await principal(self.context.database, who, role)
        return await deciding.review(self.context, person, hold.id, Say(verdict, hold.digest, **more))

    async def came_of(self, hold: Hold) -> tuple[str, Any]:
        """What the hold says of its approval's use, and the code or reason that stands there."""
        async with self.context.database.connection() as conn:
            found = await holds.get(conn, hold.id)
        assert found is not None and found.result is not None and isinstance(found.result.detail, dict)
        detail = found.result.detail
        return found.result.outcome, detail.get("code", detail.get("why"))

    async def events(self, run: Run) -> list[tuple[str, Any]]:
        return await said(self.context.database, run)


@asynccontextmanager
async def opened(context: Context, folder: Path, patch: pytest.MonkeyPatch) -> AsyncGenerator[ChangeWorld]:
    patch.setenv("HANDRAIL_DATA", str(folder / "data"))
    patch.setenv("HANDRAIL_REPOSITORY_ROOTS", str(folder))
    known = settings.load()
    found = [await load(built_in(known).of(name), known) for name in (CHANGE, DEMO)]
    workflows = {each.name: each for each in found if isinstance(each, Workflow)}
    assert len(workflows) == len(found), found
    async with context.database.transaction() as conn:
        await publish(conn, [each.published() for each in found])

    async def same_policy() -> None:
        return

    async with await connect(context.database.dsn) as connection:
        yield ChangeWorld(Seat(context, connection, workflows, same_policy, known), folder, patch)
