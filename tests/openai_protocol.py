"""What a server with OpenAI's protocol answers, for `Loopback`."""

from __future__ import annotations

import json
from typing import Any

from loopback import Answer

# the provider's client has no end: its connections must not outlive their test
LAST = {"Connection": "close"}


def streamed(*deltas: dict[str, Any], reason: str = "stop", usage: dict[str, int] | None = None) -> Answer:
    """One message of a model, piece by piece."""
    head: dict[str, Any] = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "small-1-2026-01-01"}
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas
    ]
    chunks += [{"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}, {"choices": [], "usage": usage}]
    lines = "".join(f"data: {json.dumps(head | chunk)}\n\n" for chunk in chunks)
    return Answer(body=f"{lines}data: [DONE]\n\n".encode(), headers={"Content-Type": "text/event-stream", **LAST})
