"""The way out of the sandbox while dependencies are installed: by TLS, to the hosts that people saw, and no other.

The sandbox itself stays without network. A proxy outside of it listens on a socket that is bound into it, and connects
to nothing but named hosts at public addresses: not to this machine, nor to others of its network.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import ssl
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from tempfile import mkdtemp

from handrail.sandbox import addresses

PORT = 3128
INSIDE = "/opt/network"
SOCKET, DOOR, AUTHORITIES = "socket", "door.py", "authorities.pem"
_ASKED = re.compile(rb"^CONNECT ([A-Za-z0-9.-]{1,253}):(\d{1,5}) HTTP/1\.[01]\r\n")
_HEAD_SECONDS, _CONNECT_SECONDS = 20, 30
_CHUNK = 65536
# where systems keep the authorities that they trust
_BUNDLES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")


@dataclass
class Network:
    """`folder` is to be bound at INSIDE; `refused` are the hosts that were asked for and not opened."""

    folder: Path
    refused: set[str] = field(default_factory=set[str])

    @property
    def variables(self) -> dict[str, str]:
        """By which programs find the way and trust whom this machine trusts."""
        proxy, trusted = f"http://127.0.0.1:{PORT}", f"{INSIDE}/{AUTHORITIES}"
        proxies = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")
        bundles = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CARGO_HTTP_CAINFO", "GIT_SSL_CAINFO")
        java = f"-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort={PORT}"
        return {**dict.fromkeys(proxies, proxy), **dict.fromkeys(bundles, trusted), "JAVA_TOOL_OPTIONS": java}

    def through(self, command: tuple[str, ...]) -> tuple[str, ...]:
        """The command beside its door."""
        return ("python3", f"{INSIDE}/{DOOR}", f"{INSIDE}/{SOCKET}", str(PORT), *command)


@asynccontextmanager
async def opened(hosts: Collection[str], private_hosts: Collection[str] = ()) -> AsyncGenerator[Network]:
    """A network of these hosts, as long as the block; `private_hosts` may lie in a private network."""
    # short: the name of a socket has at most 107 bytes
    private = Path(mkdtemp(prefix="hr-"))
    network = Network(private / "net")
    network.folder.mkdir(mode=0o755)
    shutil.copyfile(Path(__file__).parent / "inside" / DOOR, network.folder / DOOR)
    (network.folder / AUTHORITIES).write_bytes(_authorities())
    allowed = {host if ":" in host else f"{host}:443" for host in hosts}
    tasks: set[asyncio.Task[None]] = set()

    def enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(_serve(reader, writer, allowed, frozenset(private_hosts), network.refused))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_unix_server(enter, network.folder / SOCKET)
    try:
        # the folder around theirs is ours alone
        for name in (SOCKET, DOOR, AUTHORITIES):
            (network.folder / name).chmod(0o666 if name == SOCKET else 0o444)
        yield network
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        shutil.rmtree(private, ignore_errors=True)


def _authorities() -> bytes:
    places = [ssl.get_default_verify_paths().cafile, *_BUNDLES]
    return next((Path(each).read_bytes() for each in places if each and Path(each).is_file()), b"")


async def _serve(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    allowed: Collection[str],
    private_hosts: Collection[str],
    refused: set[str],
) -> None:
    try:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            async with asyncio.timeout(_HEAD_SECONDS):
                asked = _ASKED.match(await reader.readuntil(b"\r\n\r\n"))
            target = await _reached(asked, allowed, private_hosts, refused)
            if isinstance(target, str):
                writer.write(f"HTTP/1.1 {target}\r\nContent-Length: 0\r\n\r\n".encode())
                await writer.drain()
                return
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            await asyncio.gather(_pump(reader, target[1]), _pump(target[0], writer))
    finally:
        writer.close()


async def _reached(
    asked: re.Match[bytes] | None, allowed: Collection[str], private_hosts: Collection[str], refused: set[str]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | str:
    """The host, or what it is answered with instead."""
    if asked is None:
        return "405 Only connections by TLS are made"
    host, port = asked[1].decode().lower().rstrip("."), int(asked[2])
    if f"{host}:{port}" not in allowed:
        refused.add(host)
        return "403 Not among the hosts that were approved"
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
            places = [str(entry[4][0]).partition("%")[0] for entry in found]
            if host not in private_hosts and not all(addresses.is_public(ip_address(each)) for each in places):
                refused.add(host)
                return "403 In a private network"
            # the address that was looked at, so that a second look-up cannot lead elsewhere
            return await asyncio.open_connection(places[0], port)
    except (OSError, OverflowError, UnicodeError, TimeoutError):
        return "502 Not reached"


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(_CHUNK):
            writer.write(chunk)
            await writer.drain()
    finally:
        writer.close()
