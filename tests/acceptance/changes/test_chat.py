"""The chat on real servers: the clients of docs/chat.md as they stand there, and a server that is killed."""
# socketio is typed in part
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import change_scripts
import chat_world
import httpx
import pytest
import server as servers
from change_server import approve, branches, started
from chat_world import SECONDS, Chatter
from server import ServerProcess, environment, until

from handrail.store.embedded import Server

ROOT = Path(__file__).parents[3]
CLIENTS = dict(re.findall(r"^```(python|javascript)\n(.*?)^```", (ROOT / "docs" / "chat.md").read_text(), re.S | re.M))


def begun(language: str, server: ServerProcess, token: str, shop: Path, folder: Path) -> subprocess.Popen[bytes]:
    """The client of the page, as a program of its own."""
    file = folder / {"python": "client.py", "javascript": "client.mjs"}[language]
    file.write_text(CLIENTS[language])
    if language == "javascript":
        (folder / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    asked = {"REQUEST": "Round prices.", "REPOSITORY": str(shop), "HANDRAIL_URL": server.url, "HANDRAIL_TOKEN": token}
    with (folder / "shown").open("w") as shown:
        return subprocess.Popen(
            [sys.executable if language == "python" else "node", str(file)],
            env=dict(environment(folder)) | asked | {"PYTHONUNBUFFERED": "1"},
            stdout=shown,
            stderr=subprocess.STDOUT,
        )


def test_the_clients_of_the_page_take_a_sentence_to_a_branch(
    server: ServerProcess, http: httpx.Client, developer: str, folder: Path, tmp_path: Path
) -> None:
    clients: dict[str, tuple[subprocess.Popen[bytes], Path]] = {}
    for language in ("python", "javascript"):
        # a tree of its own: what is known of an equal one is not tested again
        tests = f"{change_scripts.TESTS}# {language}\n"
        shop, place = change_scripts.repository(folder / f"shop-{language}", tests), tmp_path / language
        place.mkdir()
        clients[language] = (begun(language, server, developer, shop, place), shop)

    def ended() -> bool:
        # who asks does not publish: somebody else decides the result
        for change in http.get("/api/changes", params={"status": "paused"}).json()["changes"]:
            if any(hold["kind"] == "approval" for hold in change["waits_for"]):
                approve(http, change["id"])
        return all(client.poll() is not None for client, _ in clients.values())

    try:
        until(ended)
    finally:
        for client, _ in clients.values():
            client.kill()
            client.wait()
    for language, (client, shop) in clients.items():
        shown = (tmp_path / language / "shown").read_text()
        assert client.returncode == 0, (language, shown)
        assert len(branches(shop)) == 2, (language, shown)
        for stage in (
            "intent_extraction",
            "pkg_query",
            "planning",
            "editing",
            "testing",
            "verification",
            "pr_creation",
        ):
            assert re.search(rf"^{stage}\s", shown, re.M), (language, stage, shown)
        for type_ in ("status", "log", "code_change", "test_result", "approval_request", "summary"):
            assert re.search(rf"^\w+\s+{type_}\s", shown, re.M), (language, type_, shown)
        # whoever asked for the change tried to approve its result, too
        assert "refused: " in shown


@pytest.fixture
def replica(server: ServerProcess) -> Generator[ServerProcess]:
    """Another server on the same database, which runs nothing by itself."""
    database = Server(server.data)
    variables = {
        "HANDRAIL_DATABASE_URL": database.start(),
        "HANDRAIL_AUDIT_KEY_FILE": str(server.data / "audit" / "key.pem"),
        "HANDRAIL_ANSWER_KEY_FILE": str(server.data / "keys" / "answers.key"),
        "HANDRAIL_ADMIN_TOKEN": server.admin_token,
    }
    try:
        with servers.running("serve", **variables) as found:
            yield found
    finally:
        database.stop()


async def test_a_server_killed_in_mid_stream_leaves_no_gap_and_no_repeat(
    server: ServerProcess, replica: ServerProcess, developer: str, folder: Path
) -> None:
    shop = str(change_scripts.repository(folder / "shop-killed", f"{change_scripts.TESTS}# killed\n"))
    auth, first = {"token": server.admin_token}, Chatter()
    run = await asyncio.to_thread(started, server, developer, shop)
    await first.io.connect(
        replica.url, auth={**auth, "session_id": run}, socketio_path=chat_world.PATH, wait_timeout=SECONDS
    )
    asked = await first.first("agent_update", type="approval_request")
    await first.say("approve_plan", session_id=run, plan_id=asked["data"]["plan_id"], approved=True)
    await first.first("agent_update", type="code_change")
    replica.kill_process()
    await first.first("disconnect")
    second, whole = Chatter(), Chatter()
    resumed = {**auth, "session_id": run, "after": first.seqs[-1]}
    await second.io.connect(server.url, auth=resumed, socketio_path=chat_world.PATH, wait_timeout=SECONDS)
    await second.first("agent_update", type="approval_request")
    ack = await second.say("cancel_request", session_id=run)
    assert ack["status"] == "cancelled"
    await second.first("agent_update", status="cancelled")
    await whole.io.connect(
        server.url, auth={**auth, "session_id": run}, socketio_path=chat_world.PATH, wait_timeout=SECONDS
    )
    await whole.first("agent_update", status="cancelled")

    def numbered(chatter: Chatter) -> list[int]:
        return [each["seq"] for each in chatter.updates if each["data"].get("kind") != "text"]

    assert numbered(first) + numbered(second) == numbered(whole)
    for chatter in (first, second, whole):
        await chatter.io.disconnect()
