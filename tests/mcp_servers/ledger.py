"""An MCP server without a library, so that it starts at once: it keeps what was done to it in a file."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]

DONE = Path(sys.argv[1])
TOOLS = json.loads(os.environ.get("TOOLS", "null")) or [
    {"name": "look", "description": "Looks.", "inputSchema": {"type": "object"}},
    {"name": "book", "description": "Books.", "inputSchema": {"type": "object"}},
    {"name": "typed", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}},
    {"name": "wipe", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": True}},
    {"name": "fail", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
]


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method: str, params: Json) -> Json:
    if method == "initialize":
        about = {"name": "ledger", "version": "1"}
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": about, "extra": [1]}
    if method == "tools/list":
        return {"tools": TOOLS}
    assert method == "tools/call"
    with DONE.open("a") as done:
        done.write(json.dumps([params["name"], params["arguments"]]) + "\n")
    failed = params["name"] == "fail"
    seen = {name: value for name, value in os.environ.items() if name.startswith("HANDRAIL")}
    return {"content": [{"type": "text", "text": f"done {params['arguments']} {seen}"}], "isError": failed}


for line in sys.stdin:
    asked: Json = json.loads(line)
    if "id" in asked:
        send(id=asked["id"], result=answer(asked["method"], asked.get("params", {})))
