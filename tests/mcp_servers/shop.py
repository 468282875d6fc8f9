"""An MCP server with everything but tools that do harm, by the `mcp` package; over HTTP where a port is given."""

from __future__ import annotations

import sys

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import Completion, SamplingMessage, TextContent
from pydantic import AnyUrl, BaseModel

server = FastMCP("shop", instructions="Be polite.", port=int(sys.argv[1]) if sys.argv[1:] else 8000)


watched: set[str] = set()


class Shelf(BaseModel):
    number: int


@server.tool()
async def look(ctx: Context, at: str = "") -> str:  # pyright: ignore[reportMissingTypeArgument, reportUnknownParameterType]
    """Looks, and says how far it is; or asks whoever uses the client where to look."""
    if at == "person":
        said = await ctx.elicit("Which shelf?", Shelf)
        return f"the person says: {said.model_dump()}"
    if at == "link":
        link = await ctx.session.elicit_url("Sign in", "https://shop.example/in", "e-1")
        return f"the person says: {link.action}"
    if at == "roots":
        return f"roots: {[str(root.uri) for root in (await ctx.session.list_roots()).roots]}"
    if at == "watched":
        for uri in watched:
            await ctx.session.send_resource_updated(AnyUrl(uri))
        return f"watched: {sorted(watched)}"
    await ctx.info("looking")
    await ctx.report_progress(1, 2, "half")
    return "seen"


@server.tool(name="ask_look")
async def ask(ctx: Context) -> str:  # pyright: ignore[reportMissingTypeArgument, reportUnknownParameterType]
    """Asks the client's model."""
    said = SamplingMessage(role="user", content=TextContent(type="text", text="Why?"))
    found = await ctx.session.create_message([said], max_tokens=5)
    return f"the model says: {found.content.text}"  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


@server._mcp_server.subscribe_resource()  # pyright: ignore[reportPrivateUsage]
async def watch(uri: AnyUrl) -> None:
    watched.add(str(uri))


@server._mcp_server.unsubscribe_resource()  # pyright: ignore[reportPrivateUsage]
async def leave(uri: AnyUrl) -> None:
    watched.discard(str(uri))


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
