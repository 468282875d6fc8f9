"""Whether a published change is what people approved: by its attestation, a key, and where given a repository."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from handrail.changes.publishing import block
from handrail.changes.publishing.addresses import same_repository
from handrail.changes.publishing.errors import EvidenceMismatch
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.publishing.history import check_evidence
from handrail.changes.publishing.objects import LARGEST, OFFLINE, objects_of
from handrail.core.attestation import Attestation, attested
from handrail.core.audit import PublicKey
from handrail.core.canonical import JsonObject
from handrail.core.errors import CloneRefused
from handrail.sandbox.cloning import Git


class Wrong(StrEnum):
    unreadable = "unreadable"
    unknown_key = "unknown_key"
    bad_signature = "bad_signature"
    text_changed = "text_changed"
    other_repository = "other_repository"
    other_commit = "other_commit"
    other_content = "other_content"


@dataclass(frozen=True, slots=True)
class Fault:
    wrong: Wrong
    detail: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong, and what the attestation says where it can be read. `checked` names what was compared."""

    faults: tuple[Fault, ...]
    attestation: Attestation | None = None
    checked: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.faults

    def as_data(self) -> JsonObject:
        return {
            "valid": self.holds,
            "faults": [{"wrong": fault.wrong.value, "detail": fault.detail} for fault in self.faults],
            "checked": [*self.checked],
            "attestation": self.attestation.as_data() if self.attestation else None,
        }


async def verify(body: str, keys: Sequence[PublicKey], repository: Path | None = None) -> Verdict:
    """Of a pull request's body, or of an attestation alone. Nothing outside this machine is asked."""
    try:
        text, data = block.taken_apart(body)
        attestation = Attestation.of(data)
        evidence = Evidence.of(attestation.published)
    except block.Unreadable as error:
        return Verdict((Fault(Wrong.unreadable, str(error)),))
    except (KeyError, TypeError, ValueError) as error:
        return Verdict((Fault(Wrong.unreadable, f"its attestation is incomplete: {error}"),))
    faults = [*_of_signature(attestation, keys), *_of_text(attestation, text)]
    checked = ["signature", *(["text"] if text is not None else [])]
    if repository is not None:
        checked.append("repository")
        faults += await _of_repository(evidence, repository)
    return Verdict(tuple(faults), attestation, tuple(checked))


def _of_signature(attestation: Attestation, keys: Sequence[PublicKey]) -> list[Fault]:
    if all(key.id != attestation.signed_by for key in keys):
        detail = f"the key {attestation.signed_by[:80]} that it names is not one that you trust"
        return [Fault(Wrong.unknown_key, detail)]
    if not attested(attestation, keys):
        return [Fault(Wrong.bad_signature, f"the key {attestation.signed_by} did not sign this")]
    return []


def _of_text(attestation: Attestation, text: str | None) -> list[Fault]:
    if text is None or block.text_hash(text) == attestation.text_sha256:
        return []
    return [Fault(Wrong.text_changed, "the text around the attestation was changed after it was signed")]


async def _of_repository(evidence: Evidence, repository: Path) -> list[Fault]:
    git = Git(OFFLINE, repository, LARGEST)
    try:
        remotes = await _remotes(git)
        tips = await _tips(git, evidence.branch)
        async with objects_of(repository) as objects:
            await check_evidence(objects, evidence)
    except (CloneRefused, OSError) as error:
        said = error.message if isinstance(error, CloneRefused) else error.strerror
        return [Fault(Wrong.other_repository, f"{repository} cannot be read as a git repository ({said})")]
    except EvidenceMismatch as error:
        return [Fault(Wrong.other_content, error.message)]
    faults: list[Fault] = []
    if remotes and not any(same_repository(url, evidence.repository) for url in remotes):
        detail = f"it was approved for {evidence.repository}, and {repository} is a copy of {', '.join(remotes)}"
        faults.append(Fault(Wrong.other_repository, detail))
    for name, commit in tips:
        if commit != evidence.head:
            detail = f"{name} is at {commit[:12]}, and {evidence.head[:12]} was approved"
            faults.append(Fault(Wrong.other_commit, detail))
    return faults


async def _remotes(git: Git) -> list[str]:
    ended = await git.run("config", "--local", "--get-regexp", r"^remote\..*\.url$")
    return [line.partition(" ")[2] for line in ended.stdout.decode(errors="replace").splitlines()]


async def _tips(git: Git, branch: str) -> list[tuple[str, str]]:
    """Where the branch points to, here and in each remote's copy; what is checked out where no branch is."""
    listed = await git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/remotes")
    refs = [(name, commit) for name, _, commit in (line.partition(" ") for line in listed.splitlines())]
    tips = [
        (name.removeprefix("refs/heads/").removeprefix("refs/remotes/"), commit)
        for name, commit in refs
        if name == f"refs/heads/{branch}" or (name.startswith("refs/remotes/") and name.split("/", 3)[3:] == [branch])
    ]
    if tips or (await git.run("symbolic-ref", "--quiet", "HEAD")).code == 0:
        return tips
    return [("HEAD", (await git("rev-parse", "HEAD")).strip())]
