"""`handrail mcp import` and `handrail mcp serve`, as a person and an agent use them."""

from __future__ import annotations

import json
from pathlib import Path

from mcp_world import Office, said, trial
from server import until


def test_an_imported_server_is_gated_under_its_name_and_goes_back_byte_for_byte(office: Office, tmp_path: Path) -> None:
    file = office.server.folder / ".claude.json"
    words = trial("ledger", str(tmp_path / "done"))
    original = json.dumps({"numStartups": 3, "mcpServers": {"books": {"command": words[0], "args": words[1:]}}})
    # spaces and line ends as somebody's editor left them
    original = original.replace(", ", " ,\r\n\t")
    file.write_bytes(original.encode())
    ran = office.server.run("mcp", "import", "claude", token=office.server.admin_token)
    assert (ran.exit, "1 servers of" in ran.out) == (0, True), ran
    entry = json.loads(file.read_text())["mcpServers"]["books"]
    with office.started(*entry["args"][1:]) as client:
        client.initialize()
        assert "done" in said(client.call("look"))
        number = client.start("book", at="imported")
        office.review(office.held("mcp__books__book"), "reject", reason="No")
        assert client.answer(number)["result"]["isError"]
    again = office.server.run("mcp", "import", "claude", "--json", token=office.server.admin_token).json()
    assert (again["gated"], list(again["left"])) == ([], ["books"])
    assert office.server.run("mcp", "import", "claude", "--undo").exit == 0
    assert file.read_bytes() == original.encode()
    assert "Nothing was imported" in office.server.run("mcp", "import", "claude", "--undo").err
    assert "does not exist" in office.server.run("mcp", "import", "cursor", token=office.server.admin_token).err


def test_an_agent_that_only_speaks_mcp_asks_people(office: Office) -> None:
    with office.started("serve", "--wait", "20") as client:
        client.initialize()
        assert client.tools() == ["ask_person", "request_approval", "wait", "status"]
        number = client.start("ask_person", question="Which shelf?", options=["upper", "lower"])
        hold = office.held("Which shelf?")
        office.review(hold, "answer", answer="lower")
        assert said(client.answer(number)["result"]) == "lower"
        number = client.start("request_approval", title="Move the chairs", action="move_chairs", arguments={"to": "x"})
        hold = office.held("Move the chairs")
        assert "is pending" in said(client.call("status", hold_id=hold["short_id"]))
        amended = office.review(hold, "amend", amended_action={**hold["action"], "args": {"to": "y"}})
        office.review(amended, "approve")
        assert "Approved, once: move_chairs with {'to': 'y'}" in said(client.answer(number)["result"])
        assert "was used before" in said(client.call("wait", hold_id=hold["short_id"]))
        number = client.start("request_approval", title="Burn the chairs", action="burn_chairs")
        hold = office.held("Burn the chairs")
        client.send(method="notifications/cancelled", params={"requestId": number})
        until(lambda: office.hold(hold)["status"] == "cancelled")
        assert "must be a text" in client.answer(client.start("ask_person"))["error"]["message"]
    with office.started("serve", "--wait", "0.3") as client:
        client.initialize()
        assert "Nobody has decided hold" in said(client.call("ask_person", question="Who is there?"))
        hold = office.held("Who is there?")
        office.review(hold, "answer", answer="Ann")
        assert said(client.call("wait", hold_id=hold["short_id"])) == "Ann"
