"""An MCP server with everything but tools that do harm, by the `mcp` package; over HTTP where a port is given."""

from __future__ import annotations

import sys

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import Completion, SamplingMessage, TextContent

server = FastMCP("shop", instructions="Be polite.", port=int(sys.argv[1]) if sys.argv[1:] else 8000)


@server.tool()
async def look(ctx: Context) -> str:  # pyright: ignore[reportMissingTypeArgument, reportUnknownParameterType]
    """Looks, and says how far it is."""
    await ctx.info("looking")
    await ctx.report_progress(1, 2, "half")
    return "seen"


@server.tool(name="ask_look")
async def ask(ctx: Context) -> str:  # pyright: ignore[reportMissingTypeArgument, reportUnknownParameterType]
    """Asks the client's model."""
    said = SamplingMessage(role="user", content=TextContent(type="text", text="Why?"))
    found = await ctx.session.create_message([said], max_tokens=5)
    return f"the model says: {found.content.text}"  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


@server.resource("shop://stock")
def stock() -> str:
    return "three chairs"


@server.resource("shop://shelf/{number}")
def shelf(number: str) -> str:
    return f"shelf {number}"


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}"


@server.completion()
async def complete(*_: object) -> Completion:
    return Completion(values=["Ann"])


if __name__ == "__main__":
    server.run("streamable-http" if sys.argv[1:] else "stdio")
