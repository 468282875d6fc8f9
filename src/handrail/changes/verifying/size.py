"""How much there is to review."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from handrail.changes.verifying.change import Change, File
from handrail.changes.verifying.dependencies import is_lock
from handrail.changes.verifying.model import Check, Finding, Verdict, judged
from handrail.core.wording import counted

NAME = "size"


@dataclass(frozen=True)
class Limits:
    files: int = 30
    lines: int = 1_000
    """Added and removed, lock files left out."""
    file_bytes: int = 500_000


def check(change: Change, limits: Limits = Limits()) -> Check:
    counts = [(0, 0) if is_lock(f.path) else (len(f.added), len(f.removed)) for f in change.files]
    came, went = (sum(side) for side in zip(*counts, strict=True)) if counts else (0, 0)
    size = f"{counted(len(change.files), 'file')}, {came} lines added, {went} removed"
    findings = [*_whole(len(change.files), came + went, limits)]
    findings.extend(finding for file in change.files for finding in _one(file, limits))
    return judged(NAME, findings, clean=f"{size}.", words=f"{size}: {counted(len(findings), 'thing')} to look at.")


def _whole(files: int, lines: int, limits: Limits) -> Iterator[Finding]:
    why = "Large changes are read less carefully. Could it be split?"
    if files > limits.files:
        what = f"It touches {files} files, more than {limits.files}."
        yield Finding("many_files", "", 0, what, why, Verdict.unsure)
    if lines > limits.lines:
        what = f"It adds and removes {lines} lines, more than {limits.lines}."
        yield Finding("many_lines", "", 0, what, why, Verdict.unsure)


def _one(file: File, limits: Limits) -> Iterator[Finding]:
    if file.after is None:
        return
    if file.is_binary:
        what = f"{file.path} is binary, or not in UTF-8 ({file.after.size} bytes)."
        yield Finding(
            "binary", file.path, 0, what, "Its content was not checked, and a diff shows none.", Verdict.unsure
        )
    if file.after.size > limits.file_bytes and not is_lock(file.path):
        what = f"{file.path} has {file.after.size} bytes, more than {limits.file_bytes}."
        yield Finding("large_file", file.path, 0, what, "It stays in the history of the repository.", Verdict.unsure)
