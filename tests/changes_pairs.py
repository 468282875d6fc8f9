"""A change for tests: two small trees, and what differs between them."""

from pathlib import Path
from textwrap import dedent

from handrail.changes.verifying.change import Change, read
from handrail.changes.verifying.model import Check
from handrail.changes.verifying.scope import Scope

ANYWHERE = Scope(lambda _: True)
NOWHERE = Scope(lambda _: False)
Files = dict[str, str | bytes]


def change(root: Path, base: Files, head: Files, *moved: tuple[str, str]) -> Change:
    """What is in both is written to both; a file that `head` does not name is deleted."""
    for side, files in (("base", base), ("head", head)):
        (root / side).mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = root / side / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else dedent(content).encode())
    return read(root / "base", root / "head", {*base, *head}, moved)


def rules(check: Check) -> list[str]:
    return [finding.rule for finding in check.findings]
