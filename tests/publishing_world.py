"""A repository with an approved change, and the key that attests to it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from git_server import git

from handrail.changes.publishing.block import text_hash, with_block
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.publishing.history import read_history
from handrail.changes.publishing.objects import objects_of
from handrail.core.attestation import Approval, Attestation, attest
from handrail.core.audit import Signer

ADDRESS = "https://git.example.org/team/shop"
PLAN, RESULTS, OUTCOME = "a" * 64, "b" * 64, "e" * 64
TEXT = "## Summary\n\nRounds the total of a cart.\n"
SOURCE = "def total(items):\n    return sum(items)\n"


@dataclass(frozen=True)
class Change:
    """A work tree whose branch has two commits on `main`."""

    folder: Path
    evidence: Evidence


def made(folder: Path, repository: str = ADDRESS, branch: str = "handrail/round-totals") -> Change:
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    base = committed(folder, {"cart.py": SOURCE.encode(), "logo.bin": bytes(range(256))})
    git(folder, "checkout", "--quiet", "-b", branch)
    committed(folder, {"cart.py": SOURCE.replace("sum(items)", "round(sum(items), 2)").encode()})
    head = committed(folder, {"test_cart.py": b"def test_total(): ...\n", "logo.bin": bytes(range(255, -1, -1))})
    return Change(folder, evidence_of(folder, base, head, repository, branch))


def committed(folder: Path, files: dict[str, bytes], message: str = "fix: round totals") -> str:
    for path, content in files.items():
        (folder / path).write_bytes(content)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "rev-parse", "HEAD").strip()


def evidence_of(folder: Path, base: str, head: str, repository: str = ADDRESS, branch: str = "handrail/x") -> Evidence:
    async def read() -> Evidence:
        async with objects_of(folder) as objects:
            found = await read_history(objects, base, head)
        return Evidence(
            repository,
            "main",
            branch,
            base,
            found.commits,
            found.tree,
            found.diff_sha256,
            found.series_sha256,
            PLAN,
            RESULTS,
            OUTCOME,
        )

    return asyncio.run(read())


def attestation_of(signer: Signer, evidence: Evidence, text: str = TEXT, name: str = "Ada") -> Attestation:
    approval = Approval("0195", name, "2026-11-16T09:00:00Z", "c" * 64)
    at = "2026-11-16T09:00:01Z"
    return attest(signer, Attestation(evidence.as_data(), "H-1042", (approval,), "12", text_hash(text), at))


def body_of(signer: Signer, evidence: Evidence, text: str = TEXT) -> str:
    return with_block(text, attestation_of(signer, evidence, text))
