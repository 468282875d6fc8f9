"""Title and body of a pull request: what changed, how it was tested, how to undo it, what people must still judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from handrail.changes.publishing.markdown import code, inline, one_line, prose, quiet

T = TypeVar("T")

# GitHub takes 65,536 characters and the others more; the attestation needs room too
LONGEST_BODY = 52_000
LONGEST_TITLE = 200
LONGEST_SECTION = 7_000
LONGEST_ENTRY = 300
MOST_ENTRIES = 40
# a prefix that hosts read as "draft" is for us to set
_DRAFT = re.compile(r"^(?:(?:\[(?:draft|wip)\]|\((?:draft|wip)\)|(?:draft|wip):)\s*)+", re.IGNORECASE)
_ISSUE = re.compile(r"(?:[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+)?#[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class FileChange:
    path: str
    kind: Literal["added", "changed", "deleted"]
    added: int
    removed: int


@dataclass(frozen=True, slots=True)
class Check:
    """`name` is a command or a gate; `outcome` what came of it, in a few words."""

    name: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Description:
    """What a body is made of. `for_people` is what no check could settle; `closes` names issues that a person asked to
    be closed by it, as `#12` or `team/shop#12`; `prompts` are what the models were told, by name and version."""

    title: str
    summary: str
    files: tuple[FileChange, ...]
    checks: tuple[Check, ...]
    migration: str = ""
    rollback: str = ""
    reviewer_notes: str = ""
    for_people: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()


def title_of(description: Description) -> str:
    """One line that no host takes for anything but a title."""
    line = _DRAFT.sub("", quiet(description.title[: 10 * LONGEST_TITLE])).strip() or "Code change"
    return line if len(line) <= LONGEST_TITLE else f"{line[: LONGEST_TITLE - 1].rstrip()}…"


def body_of(description: Description) -> str:
    """The body without its attestation. Whatever the texts hold, the sections are these and in this order."""
    for most in (MOST_ENTRIES, MOST_ENTRIES // 4, 0):
        body = _body(description, most)
        if len(body) <= LONGEST_BODY:
            return body
    raise AssertionError("sections are bounded")


def _body(description: Description, most: int) -> str:
    sections = [
        ("Summary", _text(description.summary, "No summary was written.")),
        ("Files", _listed(_file, description.files, most, "No file differs.")),
        ("Tests and checks", _listed(_check, description.checks, most, "Nothing was run.")),
        ("Migration", _text(description.migration, "None.")),
        ("Rollback", _text(description.rollback, "Revert the commits of this branch.")),
        ("Notes for reviewers", _text(description.reviewer_notes, "None.")),
        ("For people to judge", _listed(_entry, description.for_people, most, "Nothing is listed.")),
    ]
    closing = "".join(f"\nCloses {issue}\n" for issue in description.closes if _ISSUE.fullmatch(issue))
    told = f"\nVersions of the prompts: {', '.join(map(inline, description.prompts))}.\n" if description.prompts else ""
    return "\n".join(f"## {heading}\n\n{content}\n" for heading, content in sections) + told + closing


def _text(text: str, otherwise: str) -> str:
    return prose(text, LONGEST_SECTION) or otherwise


def _listed(shown: Callable[[T], str], entries: Sequence[T], most: int, otherwise: str) -> str:
    lines = [f"- {shown(entry)}" for entry in entries[:most]]
    if len(entries) > most:
        lines.append(f"- and {len(entries) - most} more" if most else f"- {len(entries)} entries")
    return "\n".join(lines) or otherwise


def _file(file: FileChange) -> str:
    return f"{_path(file.path)} {file.kind}, +{file.added} −{file.removed}"


def _path(path: str) -> str:
    """The end of a long one says more."""
    return code(one_line(path) if len(path) <= LONGEST_ENTRY else f"…{one_line(path[-LONGEST_ENTRY:])}")


def _check(check: Check) -> str:
    return f"{_path(check.name)} {_entry(check.outcome)}"


def _entry(text: str) -> str:
    return inline(text if len(text) <= LONGEST_ENTRY else f"{text[:LONGEST_ENTRY]}…")
