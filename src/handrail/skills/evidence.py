"""What people are shown of a candidate: its findings, its files and, for an update, what changed."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import cast

from handrail.core import skills
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action, Kind
from handrail.core.ids import HoldId
from handrail.core.skills import Files, Version
from handrail.holds.opening import Opening
from handrail.skills import contents, manifests

# this much of a skill's files is shown in its hold; the rest can be read file by file
MOST_SHOWN = 192 * 1024
MOST_OF_A_FILE = 48 * 1024
# comparing takes time that grows with the square of the lines
MOST_LINES = 5000


def opening(version: Version, files: Files, before: Files) -> Opening:
    """The hold that decides on this version; `before` are the files in force, if any. Not on an event loop: comparing
    takes seconds where much has changed."""
    source: JsonObject = {key: value for key, value in asdict(version.source).items() if value is not None}
    args: JsonObject = {"skill": version.skill, "version": version.number, "content": version.content_hash}
    serious: list[Json] = [f.severity for f in version.findings if f.severity != "low"]
    what = (
        f"Update the skill {version.skill} to version {version.number}" if before else f"Add the skill {version.skill}"
    )
    return Opening(
        kind=Kind.review,
        title=what,
        description=version.manifest.description,
        action=Action(skills.REGISTER, {**args, "source": source}, version.skill),
        task={"operation": "register_skill", "resource_type": "skill", "security_findings": serious},
        evidence={
            "safe": version.safe,
            "findings": [cast("JsonObject", asdict(finding)) for finding in version.findings],
            "files": _shown(files),
            "diff": _diff(before, files) if before else None,
        },
        hold_id=HoldId(version.id),
    )


def _shown(files: Files) -> list[Json]:
    """Every file by name, size and hash, and its text as far as there is room."""
    shown: list[Json] = []
    left = MOST_SHOWN
    for path, content in sorted(files.items(), key=lambda item: (item[0] != manifests.MARKDOWN, item[0])):
        entry: JsonObject = {"path": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        if contents.is_text(content) and left > 0:
            text = content.decode()[: min(MOST_OF_A_FILE, left)]
            left -= len(text)
            entry |= {"text": text, "cut": len(text) < len(content.decode())}
        shown.append(entry)
    return shown


def _diff(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """What an update changes, as a unified diff; of what is no text, only that it differs."""
    parts: list[str] = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path, b""), after.get(path, b"")
        if old == new:
            continue
        if contents.is_text(old) and contents.is_text(new):
            olds, news = old.decode().splitlines(keepends=True), new.decode().splitlines(keepends=True)
            if max(len(olds), len(news)) > MOST_LINES:
                parts.append(f"Files a/{path} and b/{path} differ, and are too long to compare\n")
                continue
            marks = (f"a/{path}" if path in before else "/dev/null", f"b/{path}" if path in after else "/dev/null")
            parts += [line if line.endswith("\n") else f"{line}\n" for line in difflib.unified_diff(olds, news, *marks)]
        else:
            parts.append(f"Binary files a/{path} and b/{path} differ\n")
    return "".join(parts)[:MOST_SHOWN]
