"""What only this machine can say about a call: where a path leads, and what writing a file would change.

The server takes both as claims: they may raise the level and inform people, and never lower anything.
"""

from __future__ import annotations

import os
from typing import Any, cast

LARGEST = 256 * 1024
_PATHS = ("file_path", "notebook_path", "path", "absolute_path")


def seen(call: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(call.get("tool_input"), dict):
        return {}
    args = cast("dict[str, Any]", call["tool_input"])
    path = next((args[name] for name in _PATHS if isinstance(args.get(name), str) and args[name]), None)
    if path is None or "\x00" in path:
        return {}
    real = os.path.realpath(os.path.join(str(call.get("cwd") or "."), os.path.expanduser(path)))
    return {"resolved_path": real, **_difference(real, args.get("content"))}


def _difference(path: str, content: object) -> dict[str, str]:
    """Of a file that is about to be replaced as a whole."""
    if not isinstance(content, str) or len(content) > LARGEST:
        return {}
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
            return {}
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            before = file.read()
    except OSError:
        return {}
    import difflib

    lines = difflib.unified_diff(before.splitlines(), content.splitlines(), "before", "after", lineterm="")
    text = "\n".join(lines)
    return {"diff": text.encode("utf-8", "replace").decode().replace("\x00", "\N{SYMBOL FOR NULL}")}
