"""The manifest of the Slack app asks for what the code uses, and for nothing else; the document says why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "handrail" / "channels" / "slack"
# what each method of the Web API needs, by Slack's documentation; dialogs need none
NEEDS: dict[str, set[str]] = {
    "apps.connections.open": set(),
    "chat.postMessage": {"chat:write"},
    "chat.postEphemeral": {"chat:write"},
    "chat.update": {"chat:write"},
    "conversations.open": {"im:write"},
    "conversations.history": {"im:history", "channels:history", "groups:history"},
    "conversations.replies": {"im:history", "channels:history", "groups:history"},
    "views.open": set(),
}
# each event comes with the scope to read it
READS = {"message.im": "im:history", "message.channels": "channels:history", "message.groups": "groups:history"}


def manifest() -> dict[str, Any]:
    return YAML(typ="safe").load((ROOT / "deploy" / "slack" / "manifest.yaml").read_text())  # pyright: ignore[reportUnknownMemberType] - untyped


def scopes() -> list[str]:
    return manifest()["oauth_config"]["scopes"]["bot"]


def test_it_asks_for_what_is_used_and_nothing_else() -> None:
    code = "\n".join(file.read_text() for file in SOURCE.glob("*.py"))
    used = set(re.findall(r'"((?:apps|chat|conversations|views|users|files)\.[a-zA-Z.]+)"', code))
    assert used == NEEDS.keys()
    assert set(scopes()) == {"commands"}.union(*NEEDS.values())


def test_it_hears_of_what_it_may_read() -> None:
    told = manifest()["settings"]["event_subscriptions"]["bot_events"]
    assert {READS[event] for event in told} <= set(scopes())
    assert set(told) == READS.keys()


def test_dialogs_commands_and_socket_mode_are_on() -> None:
    made = manifest()
    assert made["settings"]["socket_mode_enabled"] is True
    assert made["settings"]["interactivity"]["is_enabled"] is True
    assert [one["command"] for one in made["features"]["slash_commands"]] == ["/handrail"]


def test_the_document_says_why_each_scope_is_asked_for() -> None:
    text = (ROOT / "docs" / "channels" / "slack.md").read_text()
    table = text.partition("## Permissions asked for")[2].partition("##")[0]
    named = {
        name
        for row in table.splitlines()
        for name in re.findall(r"`([a-z]+(?::[a-z]+)?)`", row.split("|")[1:2][0] if "|" in row else "")
    }
    assert named == set(scopes())
