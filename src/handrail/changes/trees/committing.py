"""Makes commits out of values: by git's own importer, which reads no work tree, runs no hook and signs nothing."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from handrail.changes.trees.changing import Change
from handrail.changes.trees.errors import BadAuthor, BadMessage, ChangeRefused, NothingToCommit, RepositoryUnsafe
from handrail.changes.trees.groves import Repository

TYPES = ("build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test")
FIRST_LINE = re.compile(rf"(?:{'|'.join(TYPES)})(?:\([a-zA-Z0-9 ,./_-]{{1,50}}\))?!?: \S.*")
LONGEST_LINE = 100
LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Author:
    name: str
    email: str


def check_message(message: str) -> str:
    """A Conventional Commits message as it will be kept, such as `fix(cart): round totals`."""
    text = message.strip()
    first, *more = text.split("\n")
    if not FIRST_LINE.fullmatch(first):
        raise BadMessage(
            f"{first[:100]!r} is not a Conventional Commits message: begin with a type and a colon, such as "
            f"`fix(cart): round totals`. Types: {', '.join(TYPES)}"
        )
    if len(first) > LONGEST_LINE:
        raise BadMessage(
            f"The first line of the message has {len(first)} characters; at most {LONGEST_LINE} are allowed"
        )
    if more and more[0].strip():
        raise BadMessage("The second line of the message must be empty")
    if len(text) > LONGEST:
        raise BadMessage(f"The message is longer than {LONGEST:,} characters")
    # what cannot be seen can deceive who reads it
    if any(not line.replace("\t", " ").isprintable() for line in (first, *more)):
        raise BadMessage("The message holds characters that cannot be seen")
    return f"{text}\n"


def check_author(author: Author) -> None:
    for value in (author.name, author.email):
        if not value.strip() or not value.isprintable() or set(value) & set("<>") or len(value) > 200:
            raise BadAuthor(f"{value[:100]!r} cannot be part of an author: GIT_USER_NAME and GIT_USER_EMAIL set it")


async def commit(
    repository: Repository,
    parent: str,
    changes: Sequence[Change],
    message: str,
    author: Author,
    when: datetime | None = None,
) -> str:
    """The commit of these changes upon `parent`; no branch points to it yet. The same values make the same commit."""
    text, moment = check_message(message), when or datetime.now(UTC)
    check_author(author)
    if not changes:
        raise NothingToCommit("Nothing has changed since the last commit")
    ref = f"refs/handrail/next/{secrets.token_hex(8)}"
    signed = f"{author.name} <{author.email}> {int(moment.timestamp())} +0000"
    stream = b"".join(_stream(ref, parent, changes, text, signed))
    try:
        await repository.bytes("fast-import", "--quiet", "--done", "--date-format=raw", given=stream)
        made = await repository.text("rev-parse", ref)
        await _check(repository, parent, made)
        return made
    finally:
        await repository.run("update-ref", "-d", ref)


async def _check(repository: Repository, parent: str, made: str) -> None:
    trees = (await repository.text("rev-parse", f"{parent}^{{tree}}", f"{made}^{{tree}}")).split()
    if trees[0] == trees[1]:
        raise NothingToCommit("Nothing has changed since the last commit")
    index = repository.folder / f"checking-{secrets.token_hex(8)}"
    try:
        # refuses `.git` in every spelling that some file system takes for it
        await repository.text("read-tree", f"--index-output={index}", made)
    except RepositoryUnsafe as error:
        raise ChangeRefused(error.message) from None
    finally:
        index.unlink(missing_ok=True)


def _stream(ref: str, parent: str, changes: Sequence[Change], message: str, signed: str) -> Iterable[bytes]:
    kept = [change for change in changes if change.content is not None]
    for mark, change in enumerate(kept, 1):
        yield f"blob\nmark :{mark}\n".encode() + _data(change.content or b"")
    yield f"commit {ref}\nauthor {signed}\ncommitter {signed}\n".encode()
    yield _data(message.encode())
    yield f"from {parent}\n".encode()
    # first what goes: a folder may take the place of a file
    for change in changes:
        if change.content is None:
            yield b"D " + _quoted(change.path) + b"\n"
    for mark, change in enumerate(kept, 1):
        yield f"M {change.mode} :{mark} ".encode() + _quoted(change.path) + b"\n"
    yield b"done\n"


def _data(content: bytes) -> bytes:
    return f"data {len(content)}\n".encode() + content + b"\n"


def _quoted(path: str) -> bytes:
    escaped = os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'
