"""The way out of a sandbox that prepares dependencies: to the hosts that were named, and nowhere else."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from handrail.sandbox import Bind, Limits, Line, Place, Reach, choose
from handrail.sandbox.reaching import MOST_CONNECTIONS, MOST_TOLD

LOOPBACK = Reach(frozenset({"127.0.0.1", "localhost"}), private=frozenset({"127.0.0.1"}))


class Registry(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(f"{self.path} {self.headers['Host']} {self.headers['Connection']}")
        body = b"a package"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        pass


@pytest.fixture
def registry() -> Generator[ThreadingHTTPServer]:
    Registry.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


async def fetched(code: str, tmp_path: Path, reach: Reach | None) -> tuple[str, list[str]]:
    """What the code prints, which has `get`; and what the sandbox says of it."""
    heard: list[Line] = []

    async def listen(line: Line) -> None:
        heard.append(line)

    program = f"""
import http.client, os, socket, urllib.request
def get(address, **options):
    try:
        return urllib.request.urlopen(address, **options).read().decode()
    except OSError as error:
        return str(error)
{code}
"""
    place = Place((Bind(tmp_path, "/workspace", writable=True),), reach=reach)
    result = await choose().run_in(place, ["python3", "-c", program], Limits(seconds=30), listen)
    assert result.exit_code == 0, result
    return result.stdout.decode(), [line.text for line in heard if line.stream == "stderr"]


async def test_a_named_host_is_reached_by_the_usual_variables(registry: ThreadingHTTPServer, tmp_path: Path) -> None:
    port = registry.server_port
    # its own loopback is left alone, so the registry has to be asked for by the proxy
    code = f"os.environ['no_proxy'] = ''\nprint(get('http://127.0.0.1:{port}/simple/six?x=1'))"
    assert await fetched(code, tmp_path, LOOPBACK) == ("a package\n", [])
    assert Registry.asked == [f"/simple/six?x=1 127.0.0.1:{port} close"]


async def test_a_tunnel_carries_what_it_is_given(registry: ThreadingHTTPServer, tmp_path: Path) -> None:
    code = f"""
tunnel = http.client.HTTPConnection("127.0.0.1", 3128)
tunnel.set_tunnel("127.0.0.1", {registry.server_port})
for number in range(3):
    tunnel.request("GET", f"/{{number}}")
    print(tunnel.getresponse().read().decode())
"""
    assert await fetched(code, tmp_path, LOOPBACK) == ("a package\n" * 3, [])


async def test_other_hosts_are_refused_and_named(registry: ThreadingHTTPServer, tmp_path: Path) -> None:
    port = registry.server_port
    code = f"""
os.environ['no_proxy'] = ''
print(get('https://example.org/'))
print(get('http://localhost:{port}/'))
print(get('https://localhost:{port}/'))
"""
    said, told = await fetched(code, tmp_path, LOOPBACK)
    assert said.count("403 Forbidden") + said.count("HTTP Error 403") == 3, said
    assert told == [
        "example.org is not among the hosts that may be reached while dependencies are prepared",
        "localhost must be reached over https",
        "localhost is in a private network, and is not among the hosts that may be",
    ]
    assert Registry.asked == []


async def test_there_is_no_way_past_the_proxy(registry: ThreadingHTTPServer, tmp_path: Path) -> None:
    code = f"""
for host, port in (("127.0.0.1", {registry.server_port}), ("192.0.2.1", 443)):
    try:
        socket.create_connection((host, port), timeout=2)
        print("reached", host)
    except OSError as error:
        print(type(error).__name__)
print(sorted(os.listdir("/run/reach")))
"""
    said, _ = await fetched(code, tmp_path, LOOPBACK)
    assert said.splitlines() == ["ConnectionRefusedError", "OSError", "['proxy']"]


async def test_without_being_named_there_is_no_proxy(tmp_path: Path) -> None:
    code = "print(os.path.exists('/run/reach'), [name for name in os.environ if 'proxy' in name.lower()])"
    assert await fetched(code, tmp_path, None) == ("False []\n", [])


async def test_nonsense_is_answered_and_harms_nobody(registry: ThreadingHTTPServer, tmp_path: Path) -> None:
    code = f"""
heads = (b"", b"GET / HTTP/1.1", b"x" * 100000, b"CONNECT : HTTP/1.1", b"CONNECT 127.0.0.1:1 HTTP/1.1",
         b"GET file:///etc/passwd HTTP/1.1")
for words in heads:
    with socket.create_connection(("127.0.0.1", 3128)) as each:
        try:
            each.sendall(words + b"\\r\\n\\r\\n")
            each.shutdown(socket.SHUT_WR)
            print(each.recv(4096)[9:12].decode())
        except OSError:
            print("closed")
os.environ['no_proxy'] = ''
print(get('http://127.0.0.1:{registry.server_port}/'))
"""
    said, _ = await fetched(code, tmp_path, LOOPBACK)
    *refused, last = said.splitlines()
    assert {answer for answer in refused if answer} <= {"403", "502", "closed"}, said
    assert (len(refused), last) == (6, "a package")


async def test_who_asks_for_ever_floods_nobody(registry: ThreadingHTTPServer, tmp_path: Path) -> None:
    code = f"""
def ask(words):
    each = socket.create_connection(("127.0.0.1", 3128))
    each.sendall(words)
    return each
for number in range(300):
    ask(b"CONNECT host%d.example.org:443 HTTP/1.1\\r\\n\\r\\n" % number).recv(100)
for number in range(100):
    ask(b"CONNECT example.org:443 HTTP/1.1\\r\\n\\r\\n").recv(100)
waiting = [ask(b"CONNECT 127.0.0.1:{registry.server_port} HTTP/1.1\\r\\n\\r\\n") for number in range(200)]
print(sum(each.recv(12).endswith(b"200") for each in waiting))
"""
    said, told = await fetched(code, tmp_path, LOOPBACK)
    assert (int(said) <= MOST_CONNECTIONS, len(told)) == (True, MOST_TOLD)


async def test_cancelling_closes_every_connection(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""
import socket, time
each = socket.create_connection(("127.0.0.1", 3128))
each.sendall(b"CONNECT 127.0.0.1:{server.getsockname()[1]} HTTP/1.1\\r\\n\\r\\nhello")
time.sleep(60)
"""
        place = Place((Bind(tmp_path, "/workspace", writable=True),), reach=LOOPBACK)
        task = asyncio.create_task(choose().run_in(place, ["python3", "-c", code], Limits(seconds=60)))
        connection, _ = await asyncio.to_thread(server.accept)
        with connection:
            assert await asyncio.to_thread(connection.recv, 5) == b"hello"
            task.cancel()
            await asyncio.wait({task})
            connection.settimeout(30)
            assert await asyncio.to_thread(connection.recv, 5) == b""
