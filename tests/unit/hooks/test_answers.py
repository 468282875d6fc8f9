"""What a hook is told, in each agent's words, and what people are shown."""

from __future__ import annotations

import pytest

from handrail.core import errors
from handrail.core.canonical import Json, JsonObject
from handrail.hooks import calls, showing
from handrail.hooks.answers import Allowed, Denied, Waiting, told
from handrail.hooks.calls import Agent, ToolCall

BASE: JsonObject = {
    "hook_event_name": "PreToolUse",
    "session_id": "s-1",
    "tool_use_id": "toolu_1",
    "tool_name": "Bash",
    "tool_input": {"command": "make"},
}


def call(agent: Agent = "claude-code", /, **said: object) -> ToolCall:
    return calls.read(agent, {**BASE, **said})  # pyright: ignore[reportArgumentType]


def test_a_plain_yes_to_codex_is_an_empty_object_because_it_takes_allow_for_a_broken_hook() -> None:
    assert told(call("codex"), Allowed("H-1")) == {}
    assert "updatedInput" in str(told(call("codex"), Allowed("H-1", {"command": "true"})))


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini"])
def test_pending_is_a_no_to_every_agent(agent: Agent) -> None:
    assert "deny" in str(told(call(agent), Waiting("H-9")))
    assert "H-9" in str(told(call(agent), Waiting("H-9")))


def test_only_claude_code_can_defer() -> None:
    assert "'permissionDecision': 'defer'" in str(told(call(), Waiting("H-1"), defer=True))
    assert "deny" in str(told(call("codex"), Waiting("H-1"), defer=True))
    assert "deny" in str(told(call(), Denied("no"), defer=True))


def test_a_tool_of_an_mcp_server_has_its_own_name_and_others_that_of_the_agent() -> None:
    assert call().action.name == "claude.Bash"
    assert call("codex", tool_name="mcp__tracker__list").action.name == "mcp__tracker__list"


@pytest.mark.parametrize(
    ("context", "name"),
    [
        ({"server_name": "my_shop", "tool_name": "find_it"}, "mcp__my_shop__find_it"),
        ({"server_name": "my shop", "tool_name": "find.it"}, "mcp__my_shop__find_it"),
        ({"server_name": "my_shop"}, "gemini.mcp_my_shop_find_it"),
        ({"server_name": "my_shop", "tool_name": ""}, "gemini.mcp_my_shop_find_it"),
        ({"server_name": "my_shop", "tool_name": "x" * 200}, "gemini.mcp_my_shop_find_it"),
        ("my_shop", "gemini.mcp_my_shop_find_it"),
        (None, "gemini.mcp_my_shop_find_it"),
    ],
)
def test_gemini_s_tool_of_a_server_has_the_name_that_other_agents_give_it(context: Json, name: str) -> None:
    assert call("gemini", tool_name="mcp_my_shop_find_it", mcp_context=context).action.name == name


def test_gemini_s_own_tool_is_never_taken_for_a_server_s() -> None:
    context: Json = {"server_name": "shop", "tool_name": "look"}
    assert call("gemini", tool_name="write_file", mcp_context=context).action.name == "gemini.write_file"
    assert call("claude-code", tool_name="mcp_a_b", mcp_context=context).action.name == "claude.mcp_a_b"


def test_each_call_of_each_session_has_a_key_of_its_own() -> None:
    keys = {
        call().key,
        call("codex").key,
        call(session_id="s-2").key,
        call(tool_use_id="toolu_2").key,
        call("gemini", timestamp="1").key,
        call("gemini", timestamp="2").key,
        call(session_id="s" * 200, tool_use_id="t" * 200).key,
    }
    assert len(keys) == 7
    assert max(map(len, keys)) <= calls.LONGEST_KEY


@pytest.mark.parametrize(
    "said",
    [
        {"session_id": "a/../b"},
        {"session_id": ".."},
        {"session_id": "a b"},
        {"session_id": "a:b"},
        {"tool_use_id": ""},
        {"tool_name": "x" * 201},
        {"tool_input": "ls"},
        {"hook_event_name": "Stop"},
    ],
)
def test_what_is_no_call_is_refused(said: JsonObject) -> None:
    with pytest.raises(errors.InvalidField):
        call("claude-code", **said)


def test_a_title_is_one_line_in_which_nothing_hides() -> None:
    sly = "ls\x1b[2K\r\nrm -rf \u202e/\u200b"
    shown = showing.title(call(tool_input={"command": sly}))
    assert shown == "Bash: ls\\x1b[2K rm -rf \\u202e/\\u200b"
    assert len(showing.title(call(tool_input={"command": "x" * 900}))) == showing.LONGEST_TITLE


def test_what_the_hook_says_about_its_machine_is_shown_as_a_claim() -> None:
    edit: JsonObject = {"file_path": "/x", "old_string": "a", "new_string": "b"}
    local: JsonObject = {"diff": "-x", "resolved_path": "/y"}
    shown = showing.evidence(call(tool_name="Edit", tool_input=edit, cwd="/srv", transcript_path="/t", handrail=local))
    assert shown["claimed by the agent"] == {"working folder": "/srv", "transcript": "/t", "diff": "-x"}
    assert "-a\n+b" in str(shown["requested diff"])


def test_a_gateway_is_told_in_one_word_what_to_do_with_a_call() -> None:
    served = call("mcp", tool_name="mcp__tracker__close")
    assert served.action.name == "mcp__tracker__close"
    assert told(served, Allowed("H-1")) == {"decision": "allow", "hold": "H-1"}
    assert told(served, Allowed("H-1", {"number": 2})) == {"decision": "allow", "hold": "H-1", "args": {"number": 2}}
    assert told(served, Waiting("H-1")) == {"decision": "pending", "hold": "H-1"}
    assert told(served, Denied("no")) == {"decision": "deny", "reason": "no"}


@pytest.mark.parametrize("name", ["Bash", "mcp__", "mcp__tracker", "mcp__tracker__", "mcp__a b__close"])
def test_a_gateway_has_only_tools_of_servers(name: str) -> None:
    with pytest.raises(errors.InvalidField):
        call("mcp", tool_name=name)


def test_what_a_server_says_of_its_tool_is_a_claim() -> None:
    local: JsonObject = {"annotations": {"destructiveHint": True}, "client": "x", "description": "y"}
    served = call("mcp", tool_name="mcp__tracker__close", handrail=local)
    assert showing.evidence(served)["claimed by the agent"] == local
    assert showing.claims(served) == {"annotations": {"destructiveHint": True}}
    assert showing.claims(call(handrail=local)) == {}
