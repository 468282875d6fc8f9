"""Names of branches that we make: plain ones, which neither git, a host nor a terminal reads as anything else."""

from __future__ import annotations

import re

from handrail.changes.publishing.errors import BadBranch

LONGEST = 200
_STEP = r"[A-Za-z0-9](?:[A-Za-z0-9_.+-]*[A-Za-z0-9_+-])?"
_NAME = re.compile(rf"{_STEP}(?:/{_STEP})*")


def check_branch(name: str) -> None:
    """`BadBranch` for what git would refuse, and for more than that."""
    if (
        len(name) > LONGEST
        or not _NAME.fullmatch(name)
        or ".." in name
        or any(step.endswith(".lock") for step in name.split("/"))
        or name == "HEAD"
        or name.startswith("refs/")
    ):
        raise BadBranch(
            f"{name[:80]!r} is not a name for a branch: at most {LONGEST} letters, digits, `.`, `_`, `-`, `+` and `/`"
        )


def branch_for(prefix: str, words: str, ending: str) -> str:
    """A name from a sentence, such as `handrail/round-totals-r77`, whatever characters that has."""
    said = "-".join(re.findall(r"[a-z0-9]+", words.lower()))[:50].strip("-")
    return f"{prefix}/{said}-{ending}" if said else f"{prefix}/{ending}"
