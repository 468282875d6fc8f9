"""What happened to files apart from their text: links, submodules, and the right to be run."""

from __future__ import annotations

import os
from collections.abc import Iterator

from handrail.changes.verifying.change import Change, File
from handrail.changes.verifying.model import Check, Finding, Verdict, judged
from handrail.core.wording import counted

NAME = "file_types"


def check(change: Change) -> Check:
    findings = [finding for file in change.files for finding in _find(file)]
    words = f"{counted(len(findings), 'file')} with another type or mode."
    return judged(NAME, findings, clean="No links, submodules or modes changed.", words=words)


def _find(file: File) -> Iterator[Finding]:
    before, after = file.before, file.after
    if after is None:
        return
    if after.kind == "link":
        yield _link(file.path, os.fsdecode(after.data))
    elif after.kind == "folder":
        why = "Its content is in another repository, and nobody sees it here."
        yield Finding("submodule", file.path, 0, f"{file.path} is a folder or submodule.", why)
    elif after.kind == "other":
        yield Finding(
            "special_file", file.path, 0, f"{file.path} is no regular file.", "It has no place in a repository."
        )
    elif before is not None and before.kind != "file":
        what = f"{file.path} was a {before.kind} and is a file now."
        yield Finding("type_changed", file.path, 0, what, "A diff of its lines does not show this.", Verdict.unsure)
    elif after.is_executable != (before is not None and before.is_executable):
        now = "can be run now" if after.is_executable else "can no longer be run"
        why = "A diff of its lines does not show this."
        yield Finding("mode_changed", file.path, 0, f"{file.path} {now}.", why, Verdict.unsure)


def _link(path: str, target: str) -> Finding:
    parts = path.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return _outside(path, target)
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    if target.startswith("/") or ".git" in parts:
        return _outside(path, target)
    what = f"{path} is a link to {target!a}."
    return Finding("link", path, 0, what, "Writing to it changes another file.", Verdict.unsure)


def _outside(path: str, target: str) -> Finding:
    what = f"{path} is a link to {target!a}, outside of the repository."
    return Finding("link_outside", path, 0, what, "On another machine it leads to whatever is there.")
