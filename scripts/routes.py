"""Prints docs/api.md: every route with what it does, from the API's own document."""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import Any

from openapi import document

HEAD = """# Every route

Made by `make schema` from the API's own document, which a running server has at `/openapi.json` and renders at `/docs`.
`{hold_id}` and `{run_id}` take short ids too: `H-1042`, `R-77`. The WebSockets are `/ws/runs/{run_id}`
([runs](runs.md)) and `/ws/execution/{session_id}` ([execution](execution.md)); `/ws/chat` speaks Socket.IO
([chat](chat.md)).
"""


def page(found: dict[str, Any]) -> str:
    """The routes by their subject, in the order of the document's tags."""
    rows: defaultdict[str, list[str]] = defaultdict(list)
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            rows[operation["tags"][0]].append(f"| `{method.upper()} {path}` | {operation['summary']} |")
    parts = [HEAD]
    for tag in found["tags"]:
        if rows[tag["name"]]:
            parts.append(f"## {tag['name'].capitalize()}\n{tag['description']}\n")
            parts.append("\n".join(["| route | |", "| --- | --- |", *rows[tag["name"]]]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page(document()))
