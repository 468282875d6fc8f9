"""What tests of skills at work share: a skill that people approved, a scripted model, runs that go on when told to."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine_world import look, principal
from langgraph.runtime import RunControl
from skills_world import COLOUR, skill_in_force

from handrail import settings
from handrail.cli.kinds import built_in
from handrail.core.runs import Budget, Run
from handrail.core.sessions import WORKFLOW, Mode
from handrail.core.skills import Files
from handrail.engine.checkpoints import connect
from handrail.engine.context import Engine
from handrail.engine.driver import Seat, drive
from handrail.engine.registry import Workflow, load
from handrail.engine.starting import Start, start
from handrail.holds.context import Context
from handrail.skills import sources
from handrail.skills.sources import SkillFolder
from handrail.store import claims
from handrail.store.workflows import publish

EXAMPLES = Path(__file__).parents[1] / "examples" / "skills"
MOST = Budget(1000, 3600.0)


def colour(default: str = "") -> Files:
    """A skill that asks for a colour."""
    inputs = f"inputs:\n  colour: {{description: The favourite colour.{default and f', default: {default}'}}}"
    text = f"---\nname: {COLOUR}\ndescription: Paints a card.\n{inputs}\n---\nAsk for it, then paint the card.\n"
    return {"SKILL.md": text.encode()}


class Workshop:
    def __init__(self, seat: Seat, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.context: Context = seat.context
        self._seat = seat
        self._folder = folder
        self._patch = patch

    def script(self, *steps: Mapping[str, Any]) -> None:
        """What the model says from now on, turn by turn."""
        file = self._folder / "script.json"
        file.write_text(json.dumps(steps))
        self._patch.setenv("HANDRAIL_MODEL_ADVANCED", f"scripted:{file}")

    async def skill(self, files: Files) -> None:
        """A skill of these files, that people approved."""
        ann, tom = [await principal(self.context.database, name, "tech_lead") for name in ("ann", "tom")]
        await skill_in_force(self.context, ann, tom, files)

    async def example(self, name: str) -> None:
        """One of those that come with Handrail."""
        (found,) = sources.find(EXAMPLES / name)
        assert isinstance(found, SkillFolder)
        await self.skill(found.files)

    async def start(self, skill: str, request: str = "Please.", mode: Mode = Mode.hitl, **more: Any) -> Run:
        sam = await principal(self.context.database, "sam", "developer")
        asked = Start(WORKFLOW, {"skill_id": skill, "input": request, **more}, mode.of_run)
        return await start(Engine(self.context, built_in(settings.load()), MOST), sam, asked)

    async def work(self, run: Run) -> Run:
        """As a worker does: to the next pause, or the end."""
        async with self.context.database.transaction() as conn:
            [claimed] = await claims.claim(conn, "w", [WORKFLOW])
        assert claimed.id == run.id
        await drive(replace(self._seat, settings=settings.load()), claimed, RunControl())
        return await look(self.context.database, run)


@asynccontextmanager
async def opened(context: Context, folder: Path, patch: pytest.MonkeyPatch) -> AsyncGenerator[Workshop]:
    known = settings.load()
    workflow = await load(built_in(known).of(WORKFLOW), known)
    assert isinstance(workflow, Workflow), workflow
    async with context.database.transaction() as conn:
        await publish(conn, [workflow.published()])

    async def same_policy() -> None:
        return

    async with await connect(context.database.dsn) as connection:
        yield Workshop(Seat(context, connection, {WORKFLOW: workflow}, same_policy, known), folder, patch)


def told(events: Sequence[tuple[str, Any]], type_: str) -> list[Any]:
    """The data of the events of a type."""
    return [data for each, data in events if each == type_]


def calls(**tools: dict[str, Any]) -> dict[str, Any]:
    """A step in which the model calls these tools."""
    return {"calls": [{"name": name, "args": args} for name, args in tools.items()]}
