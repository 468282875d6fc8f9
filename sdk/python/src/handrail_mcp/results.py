"""What a model reads in place of a tool's result."""

from __future__ import annotations

from .messages import Json

WAIT = "handrail_wait"
WAIT_TOOL: Json = {
    "name": WAIT,
    "title": "Wait for a decision",
    "description": (
        "Waits until people have decided a call that was held. After an approval, make the same call again with the "
        "same arguments: it then runs."
    ),
    "inputSchema": {
        "type": "object",
        "properties": {"hold_id": {"type": "string", "description": "The hold that the held call named, like H-12."}},
        "required": ["hold_id"],
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}


def text(said: str, *, error: bool = False) -> Json:
    return {"content": [{"type": "text", "text": said}], "isError": error}


def held(hold: str, tool: Json) -> Json:
    """A normal result, because the call has not failed. Clients check a normal one against the tool's own schema, which
    it cannot meet: of a tool that has one, it is an error."""
    said = (
        f"Held, not run: this call waits for people to decide hold {hold}. Do not try another way. Call {WAIT} with "
        f'hold_id "{hold}", or call this tool again later with the same arguments: once it is approved, it runs.'
    )
    return text(said, error="outputSchema" in tool)


def denied(reason: str) -> Json:
    return text(reason, error=True)


def stands(found: Json) -> Json:
    """How a hold stands, for `handrail_wait`."""
    status, reason = found["status"], f" Reason: {found['reason']}" if found.get("reason") else ""
    advice = {
        "pending": f"Nobody has decided it yet. Call {WAIT} again.",
        "approved": "Make the held call again with the same arguments: it runs now.",
    }.get(status, "The call must not run. Do not try another way.")
    return text(f"Hold {found['hold']} is {status}.{reason} {advice}")
