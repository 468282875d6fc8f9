"""The key that clients of an HTTP gateway must have: made once, kept where only its owner can read it."""

from __future__ import annotations

import os
import secrets

from . import config


def key() -> str:
    """HANDRAIL_MCP_KEY, else that of the file."""
    given = os.environ.get("HANDRAIL_MCP_KEY")
    if given:
        return given
    file = config.home() / "gateway.key"
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(32))
    except FileExistsError:
        pass
    return file.read_text().strip()
