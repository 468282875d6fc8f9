"""An MCP server that misbehaves in the way that its arguments name."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

HOW = sys.argv[1]
TOOLS = [{"name": "look", "inputSchema": {"type": "object"}}]


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


for line in sys.stdin:
    asked: dict[str, Any] = json.loads(line)
    method, number = asked.get("method"), asked.get("id")
    if number is None:
        send(method="notifications/message", params={"level": "info", "data": method})
        continue
    if method == "initialize":
        if HOW == "silent":
            time.sleep(600)
        while HOW == "late" and not Path(sys.argv[2]).exists():
            time.sleep(0.05)
        send(id=number, result={"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {}})
    elif method == "tools/list":
        endless = {"nextCursor": "again"} if HOW == "endless" else {}
        send(id=number, result={"tools": TOOLS, **endless})
    elif method == "tools/call":
        args = asked["params"]["arguments"]
        if args.get("large"):
            text = {"type": "text", "text": "x" * (50 << 20)}
            order = {"result": {"content": [text]}, "id": number} if args["large"] == "last" else None
            send(**(order or {"id": number, "result": {"content": [text]}}))
            continue
        if args.get("garbage"):
            print('{"jsonrpc": "2.0", "id":', "\n[1, 2]\n\nNaN\n" + "[" * 100_000, flush=True)
        if args.get("flood"):
            for count in range(20_000):
                send(method="notifications/message", params={"level": "info", "data": count})
        if args.get("hang"):
            continue
        if args.get("nonsense"):
            send(id=number, result="no object")
            continue
        if args.get("babble"):
            print("no message\n" * 200, flush=True)
            continue
        if args.get("impostor"):
            send(id=9999, result={"content": []})
            send(id="text", method="tools/call", params={"name": "x"})
            send(method="notifications/progress", params={"progressToken": "not-yours", "progress": 1})
        send(id=number, result={"content": [{"type": "text", "text": "fine"}]})
