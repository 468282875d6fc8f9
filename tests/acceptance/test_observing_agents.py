"""The roll-out of docs/coding-agents.md by every way in: an agent is observed first, and enforced after."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

import pytest
import server as servers
from hook_world import EDIT, Hooked, call_of, installed
from mcp_world import Office, said, trial
from server import ServerProcess

from handrail_sdk import Handrail, NotAllowed, gate


class World(NamedTuple):
    server: ServerProcess
    office: Office
    hooked: Hooked
    folder: Path

    def enforced(self, words: str, agent: str, reason: str) -> None:
        done = self.server.run("observe", words, agent, "--reason", reason, token=self.server.admin_token)
        assert done.exit == 0, done.err

    def passed(self) -> list[str]:
        """Actions that went through, though people would have been asked."""
        shown = self.server.run("observe", "status", "--json", token=self.server.admin_token).json()
        return [one["action"] for each in shown["observed"] for one in each["passed"]]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Generator[World]:
    with servers.running() as server:
        hooked = installed(server, "claude-code")
        config = hooked.folder / "config.json"
        config.write_text(json.dumps({**json.loads(config.read_text()), "wait": 0.2}))
        yield World(server, Office(server), hooked, tmp_path_factory.mktemp("ledger"))


def test_a_hook(world: World) -> None:
    agent = world.hooked.config["principal"]
    world.enforced("on", agent, "trial until Friday")
    assert world.hooked.ask(call_of("claude-code", **EDIT)).decision == "allow"
    assert world.passed() == ["claude.Edit"]
    world.enforced("off", agent, "rules agreed")
    refused = world.hooked.ask(call_of("claude-code", **EDIT))
    assert (refused.decision, "Still pending" in refused.reason) == ("deny", True)


def test_a_gateway(world: World) -> None:
    ledger = trial("ledger", str(world.folder / "done"))
    with world.office.wrapped(*ledger, cwd=world.folder, options=("--wait", "0.3")) as client:
        world.enforced("on", world.office.principal, "trial until Friday")
        assert said(client.call("book", at="observed")).startswith("done")
        assert world.passed() == ["mcp__trial__book"]
        world.enforced("off", world.office.principal, "rules agreed")
        assert said(client.call("book", at="enforced")).startswith("Held, not run")
    assert (world.folder / "done").read_text() == '["book", {"at": "observed"}]\n'


def test_the_sdk(world: World) -> None:
    with Handrail(world.server.url, world.server.token_of("clerk", kind="agent")) as handrail:

        @gate(expires_in=0.4, client=handrail)
        def send_refund(order: str) -> str:
            return f"refunded {order}"

        world.enforced("on", "clerk", "trial until Friday")
        assert send_refund("77") == "refunded 77"
        assert world.passed() == ["send_refund"]
        world.enforced("off", "clerk", "rules agreed")
        with pytest.raises(NotAllowed):
            send_refund("78")
