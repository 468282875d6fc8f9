"""The workflow `register_skills`: looks through a source and puts each skill of it before people."""
# LangGraph is typed in part; annotations are read when the graph is made, so they are not postponed
# pyright: reportUnknownMemberType=false

from typing import Any

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from handrail.core.errors import Unavailable
from handrail.engine.failures import Failed
from handrail.engine.port import Port, here
from handrail.skills import registering
from handrail.skills.execution import told
from handrail.skills.kinds import RegistrationInput
from handrail.skills.registering import Desk, FolderOutcome
from handrail.store import claims, people
from handrail.store.claims import Claim


class RegistrationOutput(TypedDict):
    candidates: list[dict[str, Any]]


class State(RegistrationInput, total=False):
    candidates: list[dict[str, Any]]


def graph() -> "StateGraph[Any, Any, Any, Any]":
    builder = StateGraph(State, input_schema=RegistrationInput, output_schema=RegistrationOutput)
    builder.add_node("register", register)
    builder.add_edge(START, "register")
    builder.add_edge("register", END)
    return builder


async def register(state: State) -> RegistrationOutput:
    """Run again after a crash, it proposes what is not proposed yet."""
    with told():
        found = await _registered(await _desk(here()), state)
    return {"candidates": [dict(one.as_data()) for one in found]}


async def _desk(at: Port) -> Desk:
    """In the name of the person who started the run: they are the requester of every hold."""
    run, database = at.run, at.context.database
    async with database.connection() as conn:
        starter = await people.get(conn, run.starter)
    assert starter is not None, "principals are never deleted"
    if not starter.principal.active:
        raise Failed("principal_inactive", f"{starter.principal.name} is no longer active and cannot propose skills")
    # what a run proposes after it was cancelled does not count
    fenced = lambda: claims.fenced(database, Claim.of(run))  # noqa: E731 - a name for it would say nothing more
    return Desk(at.context, at.settings, starter.principal, fenced, at.say, run.created_at)


async def _registered(desk: Desk, state: State) -> list[FolderOutcome]:
    match state:
        case {"url": url}:
            try:
                return await registering.register_git(desk, url)
            except Unavailable as error:
                # git is missing or too old
                raise Failed(error.code, error.message) from error
        case {"folder": folder}:
            return await registering.register_folder(desk, folder)
        case {"skill": name}:
            return await registering.sync(desk, name)
        case _:
            raise Failed("invalid_field", "name a `url`, a `folder` or a `skill`")
