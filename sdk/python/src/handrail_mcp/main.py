"""`wrap`, `gateway` and `serve`: the programs that a client starts, over standard input and output."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from handrail_sdk import AsyncHandrail
from handrail_sdk.errors import HandrailError

from . import config
from .config import Misconfigured, Server
from .messages import Lines, Wire
from .processes import Warden
from .sessions import Session
from .waiting import Patience

USAGE = 2


def run(words: Sequence[str] | None = None) -> NoReturn:
    """Never returns. Exit 2: what was asked for, or how it is configured, is wrong."""
    said = parser().parse_args(words)
    try:
        servers = _servers(said)
        access = config.access()
        asyncio.run(_served(AsyncHandrail(access.url, access.token), servers, said))
    except (Misconfigured, HandrailError) as error:
        _say(str(error))
        sys.exit(USAGE)
    except KeyboardInterrupt:
        pass
    sys.stdout = sys.stderr  # whose pipe may be closed by now
    os._exit(0)


def parser() -> argparse.ArgumentParser:
    """What the three programs take."""
    found = argparse.ArgumentParser("handrail mcp", description="Policy and holds in front of MCP servers.")
    commands = found.add_subparsers(dest="command", required=True)
    wrap = commands.add_parser("wrap", help="one server, given as its command")
    wrap.add_argument("--name", help="what rules call the server; by default, after its command")
    wrap.add_argument("--url", help="of a server over HTTP, instead of a command; headers from HANDRAIL_MCP_HEADERS")
    wrap.add_argument("words", nargs="*", metavar="COMMAND")
    gateway = commands.add_parser("gateway", help="the servers of a file")
    gateway.add_argument("--config", type=Path, required=True, help="JSON with `mcpServers`, as clients have it")
    gateway.add_argument("--http", type=int, metavar="PORT", help="for clients over HTTP, on 127.0.0.1")
    serve = commands.add_parser("serve", help="Handrail as a server: ask a person, request an approval")
    for each in (wrap, gateway, serve):
        each.add_argument("--wait", type=float, help="seconds that a call waits, for a client that waits longer")
    return found


def _servers(said: argparse.Namespace) -> list[Server]:
    if said.command == "gateway":
        return config.servers(said.config)
    if said.command == "serve":
        return []
    words = tuple(said.words)
    name = said.name or named_after(words or [said.url or ""])
    if bool(words) == bool(said.url):
        raise Misconfigured("Name one server: `handrail mcp wrap -- COMMAND …`, or `--url URL`.")
    if not config.NAME.fullmatch(name):
        raise Misconfigured(f"The name {name!r} must have 1 to 32 letters, digits, `-` and `_`, and no `__`.")
    if said.url:
        return [config.server(name, {"url": said.url, "headers": config.headers()})]
    return [Server(name, words, config.child_variables({}))]


def named_after(words: Sequence[str]) -> str:
    """`npx -y @scope/server-github@1.2 …` is server-github; so is `/opt/server-github`."""
    runners = {"npx", "uvx", "bunx", "pnpm", "dlx", "run", "docker", "podman", "node", "env", "sh", "bash", "-m"}
    for word in words:
        plain = re.split(r"[/\\]", word.rstrip("/"))[-1].rpartition("@")
        name = re.sub(r"\.(py|js|mjs|ts|exe|sh)$", "", plain[0] or plain[2])
        if word.startswith("-") or name in runners or re.fullmatch(r"python[\d.]*", name):
            continue
        name = re.sub(r"[^A-Za-z0-9-]+", "_", name).strip("_")[:32].strip("_")
        if name:
            return name
    return "server"


async def _served(handrail: AsyncHandrail, servers: Sequence[Server], said: argparse.Namespace) -> None:
    """Until the client ends, or a signal does."""
    patience = Patience()
    if said.wait is not None:
        patience = Patience(said.wait, said.wait, min(patience.beat, said.wait / 3), min(patience.start, said.wait))
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        async with handrail, Warden() as warden:

            def session(wire: Wire, mark: str | None = None) -> Session:
                prefixed = said.command == "gateway"
                return Session(
                    handrail, servers, warden, wire, prefixed=prefixed, patience=patience, mark=mark, say=_say
                )

            if said.command == "serve":
                from .serving import Desk

                await Desk(handrail, await stdio(), patience).run()
                return
            if getattr(said, "http", None) is None:
                await session(await stdio()).run()
                return
            from . import http_downstream, keys

            await http_downstream.serve(session, said.http, keys.key(), _say)


async def stdio() -> Lines:
    """Our own standard input and output."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout.buffer)
    return Lines(reader, asyncio.StreamWriter(transport, protocol, reader, loop))


def _say(what: str) -> None:
    """To people: clients keep a server's stderr in a log."""
    print(f"handrail mcp: {what}", file=sys.stderr, flush=True)
