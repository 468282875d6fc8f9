"""Tools of MCP servers in a skill's run: each call waits for people, unless the policy knows it."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import mcp_tracker
import pytest
import workshop as workshops
from engine_graphs import Killed
from engine_world import confirm, holds_of, said
from holds_world import shift_clock
from langchain_core.tools import StructuredTool
from policy_world import policy
from skills_world import COLOUR
from workshop import Workshop, calls, colour, told

from handrail.core.errors import Misconfigured
from handrail.core.runs import RunStatus
from handrail.core.sessions import Mode
from handrail.holds.context import Context
from handrail.holds.policies import Policies
from handrail.skills.servers import Offer, connections
from handrail.store.claims import LEASE_SECONDS

FIND, CLOSE = {"word": "door"}, {"number": 9}
DONE = {"say": "Two doors."}


@pytest.fixture(autouse=True)
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that answers, and one that does not."""
    tracker = {"command": sys.executable, "args": [mcp_tracker.__file__]}
    file = tmp_path / "servers.json"
    file.write_text(json.dumps({"mcpServers": {"tracker": tracker, "gone": {"command": "/nowhere"}}}))
    monkeypatch.setenv("HANDRAIL_MCP_SERVERS", str(file))


async def test_a_call_to_a_server_waits_for_people(workshop: Workshop) -> None:
    """S1.17: servers that the operator allows; no rule knows their tools, so people are asked."""
    await workshop.skill(colour())
    workshop.script(calls(mcp__tracker__find=FIND), calls(mcp__tracker__close=CLOSE), DONE)
    run = await workshop.start(COLOUR)
    for name in ("mcp.tracker.find", "mcp.tracker.close"):
        paused = await workshop.work(run)
        assert paused.status is RunStatus.paused, paused.error
        [(title, hold)] = (await holds_of(workshop.context, run)).items()
        assert hold.question.action is not None
        assert (hold.question.kind, hold.question.action.name) == ("approval", name)
        await confirm(workshop.context, run, title)
    ended = await workshop.work(run)
    assert ended.status is RunStatus.completed, ended.error
    found, closed = [data["content"] for data in told(await said(workshop.context.database, run), "run.tool_returned")]
    assert found == "#1 The door squeaks; #3 The door is stuck"
    assert "there is no issue 9" in closed


async def test_by_itself_a_run_calls_no_server_that_people_would_be_asked_for(workshop: Workshop) -> None:
    await workshop.skill(colour())
    workshop.script(calls(mcp__tracker__find=FIND), calls(mcp__gone__find=FIND), DONE)
    run = await workshop.work(await workshop.start(COLOUR, mode=Mode.autonomous))
    assert run.status is RunStatus.completed, run.error
    refused, unknown = [
        data["content"] for data in told(await said(workshop.context.database, run), "run.tool_returned")
    ]
    assert "`mcp.tracker.find` was not run: its risk is medium (No rule matches 'mcp.tracker.find')" in refused
    assert "There is no tool 'mcp__gone__find'" in unknown and "mcp__tracker__close" in unknown


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"mcpServers": {"a": 1}}', '{"mcpServers": {"a b": {"command": "x"}}}', '{"mcpServers": []}'],
)
def test_a_file_of_servers_that_is_none_is_told_with_its_setting(tmp_path: Path, text: str) -> None:
    (tmp_path / "f").write_text(text)
    with pytest.raises(Misconfigured, match=r"HANDRAIL_MCP_SERVERS: .*/f must be JSON like"):
        connections(tmp_path / "f")


def test_a_server_is_a_command_or_an_address(tmp_path: Path) -> None:
    servers = {"a": {"command": "x"}, "b": {"url": "https://b.example"}, "c": {"type": "sse", "url": "https://c"}}
    (tmp_path / "f").write_text(json.dumps({"mcpServers": servers}))
    found = connections(tmp_path / "f")
    assert [each["transport"] for each in found.values()] == ["stdio", "http", "sse"]
    assert found["c"] == {"transport": "sse", "url": "https://c"}


async def test_a_call_cut_off_in_the_middle_is_not_repeated_by_a_run_that_asks_nobody(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S1.6: it never pauses, also where only a person could say whether the call happened."""
    made: list[str] = []

    async def send(to: str) -> str:
        made.append(to)
        raise Killed

    async def offered(file: Path | None) -> Offer:
        tool = StructuredTool.from_function(coroutine=send, name="mcp.mail.send", description="Sends.")
        return Offer([tool], [])

    monkeypatch.setattr("handrail.skills.servers.offered", offered)
    trusting = policy(rules=['{id: mail, action: "mcp.mail.*", level: low}'])
    async with workshops.opened(
        replace(context, policies=Policies(context.database, trusting)), tmp_path, monkeypatch
    ) as workshop:
        await workshop.skill(colour())
        workshop.script(calls(mcp__mail__send={"to": "Ada"}), DONE)
        run = await workshop.start(COLOUR, mode=Mode.autonomous)
        with pytest.raises(Killed):
            await workshop.work(run)
        await shift_clock(context.database, LEASE_SECONDS + 1)
        ended = await workshop.work(run)
    assert ended.status is RunStatus.completed, ended.error
    [result] = told(await said(context.database, run), "run.tool_returned")
    assert made == ["Ada"] and "It may have happened" in result["content"]
