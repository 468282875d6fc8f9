"""What `handrail hook install` left for the hook: the server, the agent's own token, how long to wait."""

from __future__ import annotations

import json
import os
import stat
from typing import Any, NamedTuple

from .stopping import Stop


class Config(NamedTuple):
    agent: str
    url: str
    token: str
    wait: float
    """Seconds until the hook itself says no, before the agent loses patience: most agents then run the tool."""
    defer: bool = False
    path: str = ""


def read(path: str) -> Config:
    """Stop says what is wrong with the file. A token that others can read is not used."""
    try:
        with open(path, encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            said: dict[str, Any] = json.load(file)
        if stat.S_IMODE(mode) & 0o077:
            raise Stop(f"{path} can be read by others; run `chmod 600 {path}`")
        return Config(
            str(said["agent"]), str(said["url"]), str(said["token"]), float(said["wait"]), bool(said.get("defer")), path
        )
    except OSError as error:
        raise Stop(f"{path} cannot be read ({error.strerror}); run `handrail hook install` again") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Stop(f"{path} is not a hook's configuration; run `handrail hook install` again") from None
