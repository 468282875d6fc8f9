"""What a publishing hold's digest covers: the exact commits, what they change, the plan and the results."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

from handrail.core.attestation import MOVING
from handrail.core.canonical import JsonObject, sha256

OBJECT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Evidence:
    """`commits` are all that would be pushed, oldest first: each stands on the one before it, the first on the base.

    `diff_sha256` is of what people read, `series_sha256` of every commit with its message and author, and
    `outcome_digest` of what the checks came to. All three leave out where the base is.

    ValueError where an id or a digest is none.
    """

    repository: str
    target_branch: str
    branch: str
    base_commit: str
    commits: tuple[str, ...]
    head_tree: str
    diff_sha256: str
    series_sha256: str
    plan_digest: str
    results_digest: str
    outcome_digest: str

    def __post_init__(self) -> None:
        for one in (self.base_commit, *self.commits, self.head_tree):
            if not OBJECT.fullmatch(one):
                raise ValueError(f"{one!r} is not the full id of a git object")
        digests = (self.diff_sha256, self.series_sha256, self.plan_digest, self.results_digest, self.outcome_digest)
        for digest in digests:
            if not DIGEST.fullmatch(digest):
                raise ValueError(f"{digest!r} is not a SHA-256 digest")
        if not self.commits:
            raise ValueError("there is no commit to publish")

    @property
    def head(self) -> str:
        return self.commits[-1]

    def as_data(self) -> JsonObject:
        return {
            "repository": self.repository,
            "target_branch": self.target_branch,
            "branch": self.branch,
            "base_commit": self.base_commit,
            "commits": [*self.commits],
            "head_tree": self.head_tree,
            "diff_sha256": self.diff_sha256,
            "series_sha256": self.series_sha256,
            "plan_digest": self.plan_digest,
            "results_digest": self.results_digest,
            "outcome_digest": self.outcome_digest,
        }

    def is_same_change(self, approved: Evidence) -> bool:
        """Whether nothing differs but what a base branch that moves takes along."""
        mine, theirs = self.as_data(), approved.as_data()
        return all(mine[name] == theirs[name] for name in mine if name not in MOVING)

    def moved_from(self, approved: Evidence) -> JsonObject | None:
        """What became of the approved evidence upon another base; none where it is that very evidence."""
        return None if self == approved else {name: self.as_data()[name] for name in MOVING}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """KeyError, TypeError or ValueError where it is not one."""
        if set(data) != set(cls.__slots__):
            raise ValueError("its fields are not those of evidence")
        texts = {name: value for name, value in data.items() if name != "commits"}
        commits: Any = data["commits"]
        if not isinstance(commits, list) or not all(
            isinstance(one, str) for one in (*texts.values(), *cast("list[Any]", commits))
        ):
            raise TypeError("a field of the evidence is not text")
        return cls(**texts, commits=tuple(cast("list[str]", commits)))


def digest_of(evidence: Evidence) -> str:
    """SHA-256 of its canonical JSON (RFC 8785)."""
    return sha256(evidence.as_data())
