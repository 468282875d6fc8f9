"""Tools of the MCP servers that the operator allows, as `mcp.<server>.<tool>`."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import structlog
from langchain_core.tools import BaseTool, StructuredTool, ToolException

from handrail.core.errors import Misconfigured
from handrail.skills.excerpts import cut

if TYPE_CHECKING:
    from mcp import ClientSession
    from mcp.types import CallToolResult, Tool

PREFIX = "mcp."
NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
SECONDS = 60.0

log = structlog.stdlib.get_logger(__name__)
# what servers offer, by what is said of them: asked once in each process; those that are away, again after a minute
_offers: dict[str, list[Tool]] = {}
_away: dict[str, float] = {}


class Offer(NamedTuple):
    """`away` are the servers that do not answer."""

    tools: list[BaseTool]
    away: list[str]


async def offered(file: Path | None) -> Offer:
    """All tools of all servers that a file names; one that does not answer keeps nobody from the others."""
    found = Offer([], [])
    for server, connection in connections(file).items() if file else ():
        offers = await _asked(server, connection)
        if offers is None:
            found.away.append(server)
        else:
            found.tools.extend(_tool(server, connection, each) for each in offers)
    return found


def connections(file: Path) -> dict[str, dict[str, Any]]:
    """The servers, in the form that most programs have for them: `{"mcpServers": {name: {command, args} or {url}}}`."""
    try:
        servers = json.loads(file.read_text())["mcpServers"]
        return {_name(name): _connection(**about) for name, about in servers.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Misconfigured(
            f'HANDRAIL_MCP_SERVERS: {file} must be JSON like {{"mcpServers": {{"name": {{"command": "…"}}}}}}'
        ) from error


def _name(given: str) -> str:
    if not NAME.fullmatch(given):
        raise ValueError(given)
    return given


def _connection(type: str = "http", **about: Any) -> dict[str, Any]:  # noqa: A002 - the files' own word
    return {"transport": "stdio", "args": [], **about} if "command" in about else {"transport": type, **about}


@asynccontextmanager
async def _connected(connection: dict[str, Any]) -> AsyncGenerator[ClientSession]:
    # most workers have no servers, and need none of this
    from langchain_mcp_adapters.sessions import create_session

    async with asyncio.timeout(SECONDS), create_session(cast("Any", connection)) as session:
        await session.initialize()
        yield session


async def _asked(server: str, connection: dict[str, Any]) -> list[Tool] | None:
    """What the server offers; nothing where it does not answer."""
    key = json.dumps(connection, sort_keys=True)
    if key not in _offers and monotonic() - _away.get(key, -SECONDS) >= SECONDS:
        try:
            async with _connected(connection) as session:
                _offers[key] = (await session.list_tools()).tools
        except Exception as error:  # a server may fail in any way, in its own process or beyond a network
            log.warning("mcp_server_away", server=server, reason=f"{type(error).__name__}: {error}")
            _away[key] = monotonic()
    return _offers.get(key)


def _tool(server: str, connection: dict[str, Any], offer: Tool) -> BaseTool:
    name = f"{PREFIX}{server}.{offer.name}"

    async def call(**arguments: Any) -> str:
        try:
            async with _connected(connection) as session:
                result = await session.call_tool(offer.name, arguments)
        except Exception as error:  # as above; the model may know another way
            log.warning("mcp_call_failed", tool=name, reason=f"{type(error).__name__}: {error}")
            raise ToolException(f"`{name}` failed: its server did not answer as expected.") from error
        return _text(result)

    return StructuredTool(
        name=name, description=offer.description or name, args_schema=offer.inputSchema, coroutine=call
    )


def _text(result: CallToolResult) -> str:
    text = "\n".join(block.text if block.type == "text" else f"[{block.type}]" for block in result.content)
    if result.isError:
        raise ToolException(cut(text))
    return cut(text)
