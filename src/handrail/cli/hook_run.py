"""`handrail hook run AGENT [CONFIG]`: the program that a hook runs, without the rest of the command line."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

BLOCK = 2


def run(words: list[str]) -> NoReturn:
    """Never returns. A wrong command line blocks too: an agent takes any other failure for a yes."""
    if not words or len(words) > 2 or words[0].startswith("-"):
        print("usage: handrail hook run claude-code|codex|gemini [CONFIG]", file=sys.stderr)
        sys.exit(BLOCK)
    from handrail_hook.main import run as ask

    ask([words[0], words[1] if words[1:] else str(home() / f"{words[0]}-user" / "config.json")])


def home() -> Path:
    """Handrail's own folder for hooks."""
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "handrail" / "hooks"
