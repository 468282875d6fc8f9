"""MCP clients in front of Handrail's gateway, and MCP servers behind it, as processes."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from server import HANDRAIL, ServerProcess, environment, until

Json = dict[str, Any]

SERVERS = Path(__file__).parent / "mcp_servers"
SECONDS = 60


class Client:
    """Speaks line by line, so that a test says exactly what a client sends and sees exactly what it gets."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.notes: list[Json] = []
        self.requests: deque[Json] = deque()
        self._answers: dict[int, Json] = {}
        self._number = 0
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: Json = json.loads(line)
            with self._news:
                if "method" not in message:
                    self._answers[message["id"]] = message
                elif "id" in message:
                    self.requests.append(message)
                else:
                    self.notes.append(message)
                self._news.notify_all()

    def send(self, **message: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> int:
        """Sends a request; its number."""
        self._number += 1
        self.send(id=self._number, method=method, params=params)
        return self._number

    def answer(self, number: int) -> Json:
        """To a request, once it is there."""
        with self._news:
            assert self._news.wait_for(lambda: number in self._answers, SECONDS), self.notes
            return self._answers.pop(number)

    def has_answer(self, number: int) -> bool:
        with self._news:
            return number in self._answers

    def noted(self, method: str, count: int = 1) -> list[Json]:
        """The notifications of that method, once there are so many."""

        def found() -> list[Json]:
            return [note.get("params", {}) for note in self.notes if note["method"] == method]

        with self._news:
            assert self._news.wait_for(lambda: len(found()) >= count, SECONDS), self.notes
            return found()

    def logs(self) -> list[Json]:
        """What servers wrote to the client's log so far."""
        with self._news:
            return [note["params"] for note in self.notes if note["method"] == "notifications/message"]

    def requested(self) -> Json:
        """What the server asks of the client."""
        with self._news:
            assert self._news.wait_for(lambda: bool(self.requests), SECONDS)
            return self.requests.popleft()

    def result(self, method: str, **params: Any) -> Json:
        answer = self.answer(self.ask(method, **params))
        assert "result" in answer, answer
        return answer["result"]

    def start(self, tool: str, token: str | None = None, /, **args: Any) -> int:
        meta = {"_meta": {"progressToken": token}} if token else {}
        return self.ask("tools/call", name=tool, arguments=args, **meta)

    def call(self, tool: str, /, **args: Any) -> Json:
        return self.answer(self.start(tool, **args))["result"]

    def tools(self) -> list[str]:
        return [tool["name"] for tool in self.result("tools/list")["tools"]]

    def initialize(self, **capabilities: Any) -> Json:
        about = {"name": "trial", "version": "1"}
        found = self.result("initialize", protocolVersion="2025-11-25", capabilities=capabilities, clientInfo=about)
        self.send(method="notifications/initialized")
        return found

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def end(self) -> None:
        """Ends the gateway, and what it reads from and writes to."""
        self.process.terminate()
        self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()


def said(result: Json) -> str:
    return result["content"][0]["text"]


def trial(name: str, *words: str) -> list[str]:
    """The command of one of our servers."""
    return [sys.executable, str(SERVERS / f"{name}.py"), *words]


class Office:
    """A server with an agent enrolled for MCP, and somebody who decides."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        ran = server.run("mcp", "enroll", "--json", token=server.admin_token)
        assert ran.exit == 0, ran.err
        self.principal: str = ran.json()["principal"]
        self.config = Path(ran.json()["config"])
        # the operator says of `look`, of any server, that it only reads
        with server.client() as http:
            files = http.get("/api/policy").raise_for_status().json()["files"]
            looks = '\nactions:\n  - id: looks\n    name: ["mcp__*__look"]\n    operation: read\n'
            files["actions.yaml"] = files["actions.yaml"].replace("\nactions:\n", looks, 1)
            http.post("/api/policy", json={"files": files}).raise_for_status()

    @contextmanager
    def started(
        self, *words: str, variables: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> Generator[Client]:
        """`handrail mcp …` as a client starts it."""
        process = subprocess.Popen(
            [str(HANDRAIL), "mcp", *words],
            env={**environment(self.server.folder), **(variables or {})},
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        client = Client(process)
        try:
            yield client
        finally:
            client.end()

    @contextmanager
    def wrapped(self, *words: str, options: tuple[str, ...] = (), **more: Any) -> Generator[Client]:
        """A client that has introduced itself to one server behind `handrail mcp wrap`."""
        with self.started("wrap", "--name", "trial", *options, "--", *words, **more) as client:
            client.initialize()
            yield client

    def holds(self, text: str, status: str = "pending") -> list[Json]:
        with self.server.client() as http:
            params = {"text": text, "status": status}
            return http.get("/api/holds", params=params).raise_for_status().json()["holds"]

    def held(self, text: str) -> Json:
        """The pending hold with this text, once it is there."""
        [hold] = until(lambda: self.holds(text))
        return hold

    def hold(self, hold: Json) -> Json:
        with self.server.client() as http:
            return http.get(f"/api/holds/{hold['id']}").raise_for_status().json()

    def review(self, hold: Json, verdict: str, **more: Any) -> Json:
        review = {"verdict": verdict, "digest": hold["digest"], **more}
        with self.server.client() as http:
            return http.post(f"/api/holds/{hold['id']}/reviews", json=review).raise_for_status().json()
