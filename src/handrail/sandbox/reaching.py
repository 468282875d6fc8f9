"""The only way out of a sandbox, for preparing dependencies: an HTTP proxy that leads to named hosts and no others.

The sandbox keeps its own empty network. Its programs speak to a proxy on their loopback, which ends at a socket here;
this side looks up the name, and connects only to a host that was named, at an address of the public internet.
"""

from __future__ import annotations

import asyncio
import re
import socket
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from handrail.sandbox import addresses

INSIDE = "/run/reach"
SOCKET = "proxy"
PORT = 3128
FORWARDER = Path(__file__).with_name("forwarder.py").read_text()
LONGEST_HEAD = 16 * 1024
HEAD_SECONDS = 30.0
CONNECT_SECONDS = 30.0
# package managers open a few dozen at most; each costs a descriptor of this process
MOST_CONNECTIONS = 128
MOST_TOLD = 50
NAME = re.compile(r"[a-z0-9._:-]{1,253}")
PROXY = f"http://127.0.0.1:{PORT}"
JAVA = " ".join(f"-D{scheme}.proxyHost=127.0.0.1 -D{scheme}.proxyPort={PORT}" for scheme in ("http", "https"))
ENVIRONMENT = {
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), PROXY),
    **dict.fromkeys(("NO_PROXY", "no_proxy"), "localhost,127.0.0.1,::1"),
    "JAVA_TOOL_OPTIONS": JAVA,
}
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Reach:
    """Hosts by their names; one that begins with a dot stands for all below it. Those of `private` may lie in a private
    network, and may be reached without TLS."""

    hosts: frozenset[str]
    private: frozenset[str] = frozenset()

    def allows(self, host: str) -> bool:
        return host in self.hosts or any(name.startswith(".") and host.endswith(name) for name in self.hosts)


class NotReached(Exception):
    """The host cannot be reached from the sandbox."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a program asks its proxy for; `first` is what the host gets to hear before anything else."""

    host: str
    port: int
    first: bytes | None


@asynccontextmanager
async def open_door(reach: Reach, tell: Tell) -> AsyncGenerator[Path]:
    """A folder with the proxy's socket, to be bound at `INSIDE`. `tell` hears of each host that was refused."""
    proxy = _Proxy(reach, tell)
    with tempfile.TemporaryDirectory(prefix="handrail-") as private:
        door = Path(private) / "door"
        door.mkdir(mode=0o755)
        server = await asyncio.start_unix_server(proxy.serve, door / SOCKET, limit=LONGEST_HEAD)
        # the folder above keeps everybody out who is not in the sandbox
        door.chmod(0o755)
        (door / SOCKET).chmod(0o666)
        try:
            yield door
        finally:
            server.close()
            await proxy.close()


class _Proxy:
    def __init__(self, reach: Reach, tell: Tell) -> None:
        self._reach = reach
        self._tell = tell
        self._open: set[asyncio.Task[None]] = set()
        self._told: set[str] = set()

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._open) >= MOST_CONNECTIONS:
            writer.close()
            return
        task = asyncio.create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def close(self) -> None:
        for task in list(self._open):
            task.cancel()
        if self._open:
            await asyncio.wait(set(self._open))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            wanted = await _asked(reader)
            outer_reader, outer_writer = await self._connected(wanted)
        except NotReached as error:
            self._tell_once(str(error))
            await _answer(writer, "403 Forbidden", str(error))
        except (OSError, EOFError, ValueError, TimeoutError, asyncio.LimitOverrunError):
            await _answer(writer, "502 Bad Gateway", "the host did not answer")
        else:
            try:
                await _joined(reader, writer, outer_reader, outer_writer, wanted.first)
            finally:
                outer_writer.close()
        finally:
            writer.close()

    def _tell_once(self, text: str) -> None:
        """Who listens is not to be flooded by somebody who asks for ever."""
        if text not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(text)
            self._tell(text)

    async def _connected(self, wanted: _Wanted) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = wanted.host, wanted.port
        if not self._reach.allows(host):
            raise NotReached(f"{host} is not among the hosts that may be reached while dependencies are prepared")
        is_private = host in self._reach.private
        if wanted.first is not None and not is_private:
            raise NotReached(f"{host} must be reached over https")
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        places = [str(entry[4][0]) for entry in found]
        if not is_private and not all(addresses.is_public(ip_address(place.partition("%")[0])) for place in places):
            raise NotReached(f"{host} is in a private network, and is not among the hosts that may be")
        async with asyncio.timeout(CONNECT_SECONDS):
            return await _first(list(dict.fromkeys(places)), port)


async def _first(places: list[str], port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first that answers: of the addresses that were looked at, and no others."""
    for place in places[:-1]:
        with suppress(OSError):
            return await asyncio.open_connection(place, port)
    return await asyncio.open_connection(places[-1], port)


async def _asked(reader: asyncio.StreamReader) -> _Wanted:
    """`CONNECT host:port`, or a request with the whole address, which becomes one for the host itself."""
    async with asyncio.timeout(HEAD_SECONDS):
        head = await reader.readuntil(b"\r\n\r\n")
    line, _, rest = head.decode("latin-1").partition("\r\n")
    method, address, version = line.split(" ")
    if method == "CONNECT":
        parts = urlsplit(f"//{address}")
        return _Wanted(_name(parts.hostname), parts.port or 443, None)
    parts = urlsplit(address)
    if parts.scheme != "http":
        raise ValueError(address)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    kept = [each for each in rest.rstrip().split("\r\n") if not each.lower().startswith(("proxy-", "connection:"))]
    first = "\r\n".join((f"{method} {path} {version}", *kept, "Connection: close", "", ""))
    return _Wanted(_name(parts.hostname), parts.port or 80, first.encode("latin-1"))


def _name(host: str | None) -> str:
    """As it will be shown, too."""
    if host is None or not NAME.fullmatch(host.lower()):
        raise ValueError(host)
    return host.lower()


async def _answer(writer: asyncio.StreamWriter, status: str, text: str) -> None:
    body = f"{text}\n".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    with suppress(OSError):
        writer.write(head.encode() + body)
        await writer.drain()


async def _joined(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    outer_reader: asyncio.StreamReader,
    outer_writer: asyncio.StreamWriter,
    first: bytes | None,
) -> None:
    if first is None:
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    else:
        outer_writer.write(first)
    await asyncio.gather(_pump(reader, outer_writer), _pump(outer_reader, writer))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
        writer.write_eof()
    except OSError:
        # a connection that broke off on one side must not seem open on the other
        writer.close()
