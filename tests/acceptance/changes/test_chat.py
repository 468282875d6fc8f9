"""The chat on real servers: the clients of docs/chat.md as they stand there, and a server that is killed."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import change_scripts
import httpx
import pytest
import server as servers
from change_server import approve, branches, started
from chat_world import AnyChatter, Chatter, NodeChatter
from server import ServerProcess, environment, until

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
        [change] = http.get("/api/changes", params={"repo_url": str(shop)}).json()["changes"]
        lines = map(json.loads, (folder / "handrail.log").read_text().splitlines())
        told = {line["event_name"] for line in lines if line.get("session_id") == change["id"] and "event_name" in line}
        assert told == {"chat_message", "approve_plan"}, (language, told)
        for type_ in ("status", "log", "code_change", "test_result", "approval_request", "summary"):
            assert re.search(rf"^\w+\s+{type_}\s", shown, re.M), (language, type_, shown)
        # whoever asked for the change tried to approve its result, too
        assert "refused: " in shown


@pytest.fixture
def replica(server: ServerProcess) -> Generator[ServerProcess]:
    """Another server on the same database, which runs nothing by itself."""
    with servers.beside(server) as found:
        yield found


class Balancer:
    """Sends new connections to one server, and then to another; what was open is lost with its server."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self._piping: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = self.server.url.removeprefix("http://").partition(":")
        try:
            there, back = await asyncio.open_connection(host, int(port))
        except OSError:
            await _closed(writer)
            return
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pipe(source, target))
            self._piping.add(task)
            task.add_done_callback(self._piping.discard)

    async def _pipe(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                while read := await source.read(65_536):
                    target.write(read)
                    await target.drain()
        finally:
            await _closed(target)

    async def end(self) -> None:
        for task in self._piping:
            task.cancel()
        await asyncio.gather(*self._piping, return_exceptions=True)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def balanced(server: ServerProcess) -> AsyncGenerator[tuple[Balancer, str]]:
    balancer = Balancer(server)
    listening = await asyncio.start_server(balancer.serve, "127.0.0.1", 0)
    async with listening:
        yield balancer, f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        await balancer.end()


async def test_a_server_killed_in_mid_stream_leaves_no_gap_and_no_repeat(
    server: ServerProcess, replica: ServerProcess, developer: str, folder: Path
) -> None:
    """With either stock client, which comes back by itself, and by either way of Socket.IO."""
    shop = str(change_scripts.repository(folder / "shop-killed", f"{change_scripts.TESTS}# killed\n"))
    auth = {"token": server.admin_token}
    run = await asyncio.to_thread(started, server, developer, shop)
    followers: dict[str, AnyChatter] = {
        "python": Chatter(reconnects=True),
        "javascript": NodeChatter(reconnects=True),
        "polling": NodeChatter(reconnects=True),
    }
    whole = Chatter()
    async with balanced(replica) as (balancer, url), AsyncExitStack() as stack:
        for name, each in followers.items():
            stack.push_async_callback(each.leave)
            await each.enter(url, {**auth, "session_id": run}, transports=["polling"] if name == "polling" else None)
        first = followers["python"]
        asked = await first.first("agent_update", type="approval_request")
        await first.say("approve_plan", session_id=run, plan_id=asked["data"]["plan_id"], approved=True)
        for each in followers.values():
            await each.first("agent_update", type="code_change")
        balancer.server = server
        replica.kill_process()
        for each in followers.values():
            await each.first("disconnect")
            # the first greeting was the killed server's
            await each.until(lambda heard: [name for name, _ in heard].count("connection_status") > 1)
            await each.first("agent_update", type="approval_request", asks="publish")
        ack = await followers["javascript"].say("cancel_request", session_id=run)
        assert ack["status"] == "cancelled"
        stack.push_async_callback(whole.leave)
        await whole.enter(server.url, {**auth, "session_id": run})
        await whole.first("agent_update", status="cancelled")
        for name, each in followers.items():
            await each.first("agent_update", status="cancelled")
            assert each.numbered == whole.numbered, name
