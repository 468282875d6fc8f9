"""What a branch consists of, read from git: its commits down to the base, its tree, and the hash of what it changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from handrail.changes.publishing.errors import EvidenceMismatch
from handrail.changes.publishing.evidence import OBJECT, Evidence
from handrail.core.errors import CloneRefused
from handrail.sandbox.cloning import Git

MOST_COMMITS = 100
# nothing of the repository's attributes or of git's version has a say
DIFF = (
    "diff-tree",
    "-p",
    "-r",
    "--text",
    "--full-index",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--diff-algorithm=myers",
    "--no-indent-heuristic",
    "--inter-hunk-context=0",
    "-U3",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
# where a hunk is and what its files hash to changes with the base; what a person reads does not
PLACE = re.compile(rb"^@@ -[0-9,]+ \+[0-9,]+ @@.*$|^index [0-9a-f]+\.\.[0-9a-f]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class History:
    """`commits` are oldest first."""

    commits: tuple[str, ...]
    tree: str
    diff_sha256: str
    series_sha256: str


async def read_history(git: Git, base: str, head: str) -> History:
    """Of a straight line of commits from the base to the head; `EvidenceMismatch` where it is anything else."""
    for commit in (base, head):
        if not OBJECT.fullmatch(commit):
            raise EvidenceMismatch(f"{commit[:80]!r} is not the full id of a commit")
    try:
        listed = await git("rev-list", "--parents", "--topo-order", f"--max-count={MOST_COMMITS}", head, f"^{base}")
        tree = (await git("rev-parse", "--verify", f"{head}^{{tree}}")).strip()
    except CloneRefused as error:
        raise EvidenceMismatch(f"the commits are not in the repository: {error.message}") from None
    lines = [line.split() for line in listed.splitlines()]
    expected = head
    for line in lines:
        if line[0] != expected or len(line) != 2:
            raise EvidenceMismatch(f"{head[:12]} does not follow from {base[:12]} in a straight line of commits")
        expected = line[1]
    if expected != base:
        raise EvidenceMismatch(f"{head[:12]} does not stand on {base[:12]}, or on more than {MOST_COMMITS} commits")
    commits = tuple(line[0] for line in reversed(lines))
    return History(commits, tree, await diff_hash(git, base, head), await series_hash(git, base, commits))


async def diff_hash(git: Git, base: str, head: str) -> str:
    """Of the lines that are added, removed and shown around them, file by file: a rebase that changes none of them
    keeps it."""
    ended = await git.run(*DIFF, base, head)
    if ended.code:
        raise EvidenceMismatch(f"the change between {base[:12]} and {head[:12]} cannot be read")
    return sha256(PLACE.sub(b"@@", ended.stdout)).hexdigest()


async def series_hash(git: Git, base: str, commits: Sequence[str]) -> str:
    """Of each commit's message, author, dates and diff, in order: what one of them adds and the next takes away is in
    no diff of the whole."""
    series = sha256()
    for parent, commit in pairwise((base, *commits)):
        said = await git.run("cat-file", "commit", commit)
        headers, _, message = said.stdout.partition(b"\n\n")
        kept = [line for line in headers.splitlines() if not line.startswith((b"tree ", b"parent "))]
        own = sha256(b"\n".join((*kept, b"", message))).hexdigest()
        series.update(f"{own} {await diff_hash(git, parent, commit)}\n".encode())
    return series.hexdigest()


async def check_evidence(git: Git, evidence: Evidence) -> None:
    """That the commits, their tree and what they change are those of the evidence."""
    found = await read_history(git, evidence.base_commit, evidence.head)
    differing = [
        name
        for name, has, approved in (
            ("commits", found.commits, evidence.commits),
            ("tree", found.tree, evidence.head_tree),
            ("diff", found.diff_sha256, evidence.diff_sha256),
            ("messages or steps", found.series_sha256, evidence.series_sha256),
        )
        if has != approved
    ]
    if differing:
        raise EvidenceMismatch(f"{evidence.head[:12]} is not what was approved: {' and '.join(differing)} differ")
