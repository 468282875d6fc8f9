"""What each server's tools were when they were first seen or last approved. A tool that becomes another is hidden."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import rfc8785

from .config import Server
from .messages import Json

FIELDS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
LONGEST_DIFF = 32 * 1024


@dataclass(frozen=True, slots=True)
class Changes:
    """Tools whose definition is not the pinned one, or that are new: `before` is None."""

    server: str
    before: Mapping[str, Json | None]
    after: Mapping[str, Json]

    @property
    def action(self) -> Json:
        """The arguments of the action that people review."""
        tools = {
            name: {"before": None if old is None else digest(old), "after": digest(self.after[name])}
            for name, old in self.before.items()
        }
        return {"server": self.server, "tools": tools}

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps(self.action, sort_keys=True).encode()).hexdigest()

    @property
    def diff(self) -> str:
        lines: list[str] = []
        for name, old in self.before.items():
            was, now = [] if old is None else _lines(old), _lines(self.after[name])
            lines += difflib.unified_diff(was, now, f"{name}, as approved", f"{name}, now", lineterm="", n=2)
        text = "\n".join(lines)
        return text if len(text) <= LONGEST_DIFF else f"{text[:LONGEST_DIFF]}\n… ({len(text):,} characters in all)"


class Pins:
    """Of one server, in a file that only its owner can read. Another command or address has other pins."""

    def __init__(self, server: Server, folder: Path) -> None:
        self._server, self._file = server, folder / f"{server.name}-{server.origin}.json"

    def compared(self, tools: Mapping[str, Json]) -> Changes | None:
        """What has changed. The tools that are seen first of all are pinned as they are."""
        now, known = {name: definition(tool) for name, tool in tools.items()}, self._read()
        if known is None:
            self._write(now)
            return None
        odd = {name: one for name, one in now.items() if name not in known or digest(known[name]) != digest(one)}
        return Changes(self._server.name, {name: known.get(name) for name in odd}, odd) if odd else None

    def accept(self, changes: Changes) -> None:
        self._write({**(self._read() or {}), **changes.after})

    def _read(self) -> dict[str, Json] | None:
        """A damaged file pins nothing at all, so that every tool must be approved."""
        try:
            found: Any = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            return {}
        return cast("dict[str, Json]", found) if isinstance(found, dict) else {}

    def _write(self, pins: Mapping[str, Json]) -> None:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._file.with_name(f".{self._file.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            json.dump(pins, out)
        draft.replace(self._file)


def _lines(definition: Json) -> list[str]:
    return json.dumps(definition, indent=2).splitlines()


def definition(tool: Json) -> Json:
    """What a model reads of a tool, and what a client does with it."""
    return {field: tool[field] for field in FIELDS if field in tool}


def digest(definition: object) -> str:
    try:
        said = rfc8785.dumps(cast(Any, definition))
    except rfc8785.CanonicalizationError:  # a number that JSON's readers do not agree on
        said = json.dumps(definition, sort_keys=True).encode()
    return hashlib.sha256(said).hexdigest()
