"""The host as an HTTP server: git by `git http-backend`, the three APIs by their modules, and faults where told."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from hosting_stub import gitea, github, gitlab
from hosting_stub.state import Answer, Grant, Repository, Request, Stub

APIS: dict[str, Callable[[Stub, Request, str], Answer]] = {
    "/api/v3/": github.answer,
    "/api/v4/": gitlab.answer,
    "/api/v1/": gitea.answer,
}
GIT = re.compile(r"/(?P<path>.+?)(?:\.git)?/(?:info/refs|git-upload-pack|git-receive-pack)")
CONFIG = {"http.receivepack": "true", "safe.directory": "*", "uploadpack.allowAnySHA1InWant": "true"}


@dataclass
class Fault:
    """The next `times` requests that match get this answer: in place of the effect, or `after` it."""

    match: str
    status: int = 502
    headers: dict[str, str] = field(default_factory=dict[str, str])
    data: object = None
    content: bytes = b""
    after: bool = False
    times: int = 1
    hang_up: bool = False
    silent: bool = False


class Faulty(Stub):
    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder, url)
        self.faults: list[Fault] = []

    def fault(self, line: str) -> Fault | None:
        for fault in self.faults:
            if fault.times and re.search(fault.match, line):
                fault.times -= 1
                return fault
        return None


@contextmanager
def serving(folder: Path) -> Generator[Faulty]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def do_PUT(self) -> None:
            self._answer()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
            pass

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            line = f"{self.command} {self.path}"
            stub.requests.append(line)
            stub.seen.append(self.headers.get("Authorization", ""))
            fault = stub.fault(line)
            status, headers, content = (200, {}, b"") if fault and not fault.after else self._effect(body)
            if fault is not None:
                content = json.dumps(fault.data).encode() if fault.data is not None else fault.content
                status, headers = fault.status, fault.headers
            if fault is not None and fault.silent:
                released.wait(30)
            if fault is not None and (fault.hang_up or fault.silent):
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def _effect(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
            parts = urlsplit(self.path)
            for prefix, answer in APIS.items():
                if parts.path.startswith(prefix):
                    data = cast("dict[str, Any]", json.loads(body)) if body else {}
                    query = dict(parse_qsl(parts.query))
                    request = Request(self.command, self.path.partition("?")[0], query, dict(self.headers), data)
                    with lock:
                        found = answer(stub, request, request.path.removeprefix(prefix))
                    content = b"" if found.data is None else json.dumps(found.data).encode()
                    return found.status, {"Content-Type": "application/json", **found.headers}, content
            found = GIT.fullmatch(parts.path)
            return self._git(found["path"], parts.path, parts.query, body) if found else (404, {}, b"")

        def _git(self, path: str, where: str, query: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
            grant = stub.grant(self._secret())
            repository = stub.find(path, grant)
            pushes = "git-receive-pack" in f"{where}?{query}"
            if self._secret() and grant is None:
                return 401, {"WWW-Authenticate": 'Basic realm="git"'}, b""
            if repository is None or (pushes and grant is None):
                known = repository is None and grant is not None
                return (404, {}, b"") if known else (401, {"WWW-Authenticate": 'Basic realm="git"'}, b"")
            if repository.moved_to:
                return 301, {"Location": f"{stub.url}/{repository.moved_to}{where[len(path) + 1 :]}?{query}"}, b""
            if pushes and not (grant and _may_push(repository, grant)):
                return 403, {}, b"no right to push"
            return self._backend(f"/{repository.path}.git/{_service(where)}", query, body)

        def _secret(self) -> str:
            given = self.headers.get("Authorization", "")
            if not given.startswith("Basic "):
                return ""
            return base64.b64decode(given.removeprefix("Basic ")).decode().partition(":")[2]

        def _backend(self, path: str, query: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
            options = {f"GIT_CONFIG_KEY_{n}": name for n, name in enumerate(CONFIG)}
            options |= {f"GIT_CONFIG_VALUE_{n}": value for n, value in enumerate(CONFIG.values())}
            environment = {
                **os.environ,
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "REMOTE_USER": "pusher",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "GIT_CONFIG_COUNT": str(len(CONFIG)),
                **options,
            }
            done = subprocess.run(
                ["git", "http-backend"], input=body, env=environment, capture_output=True, check=False
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
            return int(headers.pop("Status", "200").split()[0]), headers, content

    lock = threading.Lock()
    released = threading.Event()
    web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web.daemon_threads = True
    stub = Faulty(folder, f"http://127.0.0.1:{web.server_port}")
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield stub
    finally:
        released.set()
        web.shutdown()
        thread.join()
        web.server_close()


def _may_push(repository: Repository, grant: Grant) -> bool:
    return grant.user in repository.may_push and grant.may_push() and not repository.archived


def _service(where: str) -> str:
    return "info/refs" if where.endswith("/info/refs") else where.rpartition("/")[2]
