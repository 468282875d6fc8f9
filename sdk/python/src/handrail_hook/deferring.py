"""Sessions that ended their turn to wait for a decision: what `handrail hook resume` needs to wake them."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from typing import Any


def possible() -> bool:
    """Only where nobody sits in front of Claude Code: elsewhere it takes `defer` for a question to that person."""
    return os.environ.get("CLAUDE_CODE_SESSION_ATTENDED") == "0"


def note(config: str, call: dict[str, Any], hold: str | None) -> None:
    """Keeps the session while its hold is pending, and forgets it after."""
    session = str(call.get("session_id"))
    if not re.fullmatch(r"[\w-]{1,200}", session):
        return
    file = os.path.join(os.path.dirname(config), "deferred", f"{session}.json")
    if hold is None:
        with suppress(FileNotFoundError):
            os.unlink(file)
        return
    os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
        json.dump({"session": session, "hold": hold, "folder": call.get("cwd")}, out)
