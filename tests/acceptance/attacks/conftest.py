"""One server that all attacks share, and everybody on it. An attack that harms it starts one of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

import pytest
import server as servers
import talking_model
from attacks_world import Cast, cast_of
from holds_world import adder, context_on
from server import ServerProcess
from skills_world import skill_in_force

from handrail.store.embedded import Server

# the limits on attempts have tests of their own: here they would hide what holds without them
PATIENT = {
    "HANDRAIL_WRONG_PASSWORDS_PER_ADDRESS": "10000",
    "HANDRAIL_TOKEN_FAILURES_PER_ADDRESS": "10000/minute",
    "HANDRAIL_OPENINGS_PER_AGENT": "10000/minute",
}


@pytest.fixture(scope="session")
def target() -> Generator[ServerProcess]:
    """With a process for runs, and a skill whose model asks for a colour."""
    with talking_model.talking() as model:
        variables = {
            **PATIENT,
            "HANDRAIL_CONCURRENCY": "1",
            "HANDRAIL_MODEL_ADVANCED": "openai:talker",
            "HANDRAIL_MODEL_URL": model.url,
            "HANDRAIL_MODEL_KEY": "sk-none",
        }
        with servers.running(**variables) as server:
            database = Server(server.data)
            try:
                asyncio.run(_approve_the_skill(database.start()))
                server.serves("skill")
                yield server
            finally:
                database.stop()


async def _approve_the_skill(dsn: str) -> None:
    async with context_on(dsn) as context:
        add = adder(context)
        await skill_in_force(context, await add("ann", "team_lead"), await add("bob", "team_lead"))


@pytest.fixture(scope="session")
def cast(target: ServerProcess) -> Cast:
    return cast_of(target)
