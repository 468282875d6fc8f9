"""An MCP server over standard input and output, as a process of its own: a tracker of three issues."""

from __future__ import annotations

from mcp.server.fastmcp import FastMCP

TITLES = {1: "The door squeaks", 2: "The lamp flickers", 3: "The door is stuck"}
server = FastMCP("tracker")


@server.tool()
def find(word: str) -> str:
    """Find issues by a word."""
    return "; ".join(f"#{number} {title}" for number, title in TITLES.items() if word in title)


@server.tool()
def close(number: int) -> str:
    """Close an issue."""
    if number not in TITLES:
        raise ValueError(f"there is no issue {number}")
    return f"#{number} is closed"


if __name__ == "__main__":
    server.run()
