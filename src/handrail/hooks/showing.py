"""What people are shown of a tool call: one line, the difference it makes, and what is only claimed."""

from __future__ import annotations

import difflib

from handrail.core.canonical import Json, JsonObject
from handrail.hooks.calls import ToolCall

LONGEST_TITLE = 160
LONGEST_DIFF = 32 * 1024
# of a call's arguments, the one that says most
_TELLING = (
    "command",
    "file_path",
    "path",
    "notebook_path",
    "url",
    "pattern",
    "query",
    "description",
    "prompt",
    "skill",
)


def title(call: ToolCall) -> str:
    """The tool and its most telling argument on one line. Characters that hide or move text are written out."""
    told = next((value for name in _TELLING if isinstance(value := call.args.get(name), str) and value.strip()), "")
    line = plain(f"{call.tool}: {told}" if told else call.tool)
    return line if len(line) <= LONGEST_TITLE else f"{line[: LONGEST_TITLE - 1]}…"


def evidence(call: ToolCall) -> JsonObject:
    """Shown and part of the digest. The difference of an edit follows from its arguments; all else is a claim."""
    local = call.local or {}
    claimed: JsonObject = {"working folder": call.folder, "transcript": call.transcript}
    claimed["diff"] = _cut(local.get("diff"))
    for said in ("client", "description", "annotations"):
        claimed[said] = local.get(said) if call.agent == "mcp" else None
    found: JsonObject = {"agent": call.agent, "session": call.session, "requested diff": _edit(call)}
    found["claimed by the agent"] = _given(claimed)
    return _given(found)


def claims(call: ToolCall) -> JsonObject:
    """What rules may use to raise the level."""
    local = call.local or {}
    path, annotations = local.get("resolved_path"), local.get("annotations")
    return _given(
        {
            "working_folder": call.folder,
            "resolved_path": path if isinstance(path, str) else None,
            "annotations": annotations if call.agent == "mcp" and isinstance(annotations, dict) else None,
        }
    )


def _given(fields: JsonObject) -> JsonObject:
    return {name: value for name, value in fields.items() if value is not None}


def plain(text: str) -> str:
    """The text without line breaks, with escapes in place of control, format and other invisible characters."""
    spaced = " ".join(text.split())
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in spaced)


def _edit(call: ToolCall) -> str | None:
    before, after = call.args.get("old_string"), call.args.get("new_string")
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "before", "after", lineterm="", n=2)
    return _cut("\n".join(lines))


def _cut(text: Json) -> str | None:
    if not isinstance(text, str) or not text:
        return None
    return text if len(text) <= LONGEST_DIFF else f"{text[:LONGEST_DIFF]}\n… ({len(text):,} characters in all)"
