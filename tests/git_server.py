"""Git repositories over smart HTTP on loopback: git's own server program behind Python's."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

IDENTITY = ("-c", "user.name=Tests", "-c", "user.email=tests@example.org", "-c", "init.defaultBranch=main")


class GitServer:
    """`requests` are the paths that were asked for; `silent` ones are never answered; `moved` ones elsewhere."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.url = f"http://127.0.0.1:{port}"
        self.requests: list[str] = []
        self.silent = threading.Event()
        self.released = threading.Event()

    def repository(self, name: str, files: Mapping[str, bytes | Path], branch: str = "main") -> str:
        """Commits these files, a path being a link's target, on a branch; the repository's address."""
        work = self.folder / name
        if not work.exists():
            work.mkdir(parents=True)
            git(work, "init", "--quiet", "--initial-branch", branch)
        else:
            git(work, "checkout", "--quiet", "-B", branch)
        for path, content in files.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                (work / path).symlink_to(content)
            else:
                (work / path).write_bytes(content)
        git(work, "add", "--all")
        git(work, "commit", "--quiet", "--message", "change")
        return f"{self.url}/{name}"


def git(folder: Path, *arguments: str) -> str:
    command = ["git", *IDENTITY, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@contextmanager
def serving(folder: Path) -> Generator[GitServer]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
            pass

        def _answer(self) -> None:
            server.requests.append(self.path)
            if server.silent.is_set():
                server.released.wait(30)
                return
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            environment = {
                **os.environ,
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "GIT_CONFIG_COUNT": "2",
                "GIT_CONFIG_KEY_0": "uploadpack.allowAnySHA1InWant",
                "GIT_CONFIG_VALUE_0": "true",
                "GIT_CONFIG_KEY_1": "safe.directory",
                "GIT_CONFIG_VALUE_1": "*",
            }
            done = subprocess.run(
                ["git", "http-backend"], input=body, env=environment, capture_output=True, check=False
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
            self.send_response(int(headers.pop("Status", "200").split()[0]))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

    web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web.daemon_threads = True
    server = GitServer(folder, web.server_port)
    thread = threading.Thread(target=web.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        web.shutdown()
        thread.join()
        web.server_close()
