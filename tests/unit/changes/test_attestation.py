"""What a signed attestation proves, and what makes it worthless."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import publishing_world as world
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from git_server import git
from publishing_world import Change

from handrail.changes.publishing.block import with_block
from handrail.changes.publishing.verification import Verdict, verify
from handrail.core.attestation import Approval, Attestation, attest, is_attestation
from handrail.core.audit import Signer

SIGNER = Signer.of(Ed25519PrivateKey.generate())
OTHER = Signer.of(Ed25519PrivateKey.generate())


@pytest.fixture(scope="module")
def change(tmp_path_factory: pytest.TempPathFactory) -> Change:
    return world.made(tmp_path_factory.mktemp("changes") / "shop")


def checked(body: str, repository: Path | None = None) -> Verdict:
    return asyncio.run(verify(body, [SIGNER.public], repository))


def wrong(body: str, repository: Path | None = None) -> list[str]:
    return [fault.wrong for fault in checked(body, repository).faults]


def test_a_body_with_its_attestation_is_valid_also_against_the_repository(change: Change) -> None:
    found = checked(world.body_of(SIGNER, change.evidence), change.folder)
    assert found.faults == ()
    assert found.checked == ("signature", "text", "repository")
    assert found.attestation and found.attestation.approvals[0].name == "Ada"


def test_so_is_the_attestation_alone(change: Change) -> None:
    alone = json.dumps(world.attestation_of(SIGNER, change.evidence).as_data())
    assert checked(alone).faults == ()
    assert checked(alone).checked == ("signature",)


def test_what_hosts_do_to_line_endings_changes_nothing(change: Change) -> None:
    body = world.body_of(SIGNER, change.evidence).replace("\n", "  \r\n")
    assert wrong(f"{body}\r\n\r\n") == []


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Rounds the total", "Doubles the total", "text_changed"),
        ('"Ada"', '"Eve"', "bad_signature"),
        ('"policy_version": "12"', '"policy_version": "13"', "bad_signature"),
        ("a" * 64, "d" * 64, "bad_signature"),
        ('"signature": "', '"signature": "zz', "bad_signature"),
        ('"at":', '"when":', "unreadable"),
        ('"name": "Ada"', '"name": "Eve", "name": "Ada"', "unreadable"),
        ("handrail-attestation\n{", "handrail-attestation\n[", "unreadable"),
        ("```json handrail-attestation", "```json", "unreadable"),
    ],
)
def test_a_body_that_was_changed_is_not_valid(change: Change, old: str, new: str, reason: str) -> None:
    assert wrong(world.body_of(SIGNER, change.evidence).replace(old, new)) == [reason]


def test_upon_a_moved_base_the_repository_must_hold_the_same_change_there(change: Change) -> None:
    """The approved evidence names commits that were never published; its hashes of what they do still count."""
    approved = replace(change.evidence, base_commit="1" * 40, commits=("2" * 40,), head_tree="3" * 40)
    statement = replace(world.attestation_of(SIGNER, approved), moved=change.evidence.moved_from(approved))
    moved = attest(SIGNER, statement)
    assert checked(with_block(world.TEXT, moved), change.folder).faults == ()
    other = attest(SIGNER, replace(statement, evidence={**approved.as_data(), "series_sha256": "4" * 64}))
    assert wrong(with_block(world.TEXT, other), change.folder) == ["other_content"]
    assert is_attestation(moved.message)
    assert not is_attestation(replace(moved, moved={"base_commit": "1" * 40}).message)


def test_text_after_the_block_counts_too(change: Change) -> None:
    assert wrong(world.body_of(SIGNER, change.evidence) + "\nApproved by the whole team.\n") == ["text_changed"]


def test_a_key_that_is_not_trusted_proves_nothing(change: Change) -> None:
    assert wrong(world.body_of(OTHER, change.evidence)) == ["unknown_key"]


def test_nor_does_a_key_that_calls_itself_a_trusted_one(change: Change) -> None:
    forged = replace(world.attestation_of(OTHER, change.evidence), signed_by=SIGNER.public.id)
    assert wrong(json.dumps(forged.as_data())) == ["bad_signature"]


def test_two_attestations_in_one_body_are_refused(change: Change) -> None:
    """A text that brings one along cannot put itself in place of the one that Handrail appends."""
    body = world.body_of(OTHER, change.evidence)
    assert wrong(world.body_of(SIGNER, change.evidence, body)) == ["unreadable"]
    quoted = "".join(f"> {line}\n" for line in body.splitlines())
    assert wrong(world.body_of(SIGNER, change.evidence, quoted)) == ["unreadable"]


def test_a_body_without_one_is_refused() -> None:
    assert wrong("## Summary\n\nApproved by everybody.") == ["unreadable"]
    assert wrong("") == ["unreadable"]


def test_a_branch_that_moved_since_is_another_commit(change: Change, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    git(tmp_path, "clone", "--quiet", str(change.folder), "copy")
    git(copy, "remote", "set-url", "origin", world.ADDRESS)
    assert wrong(world.body_of(SIGNER, change.evidence), copy) == []
    git(copy, "checkout", "--quiet", change.evidence.branch)
    moved = world.committed(copy, {"cart.py": b"import os\n"})
    git(copy, "update-ref", f"refs/remotes/origin/{change.evidence.branch}", moved)
    assert wrong(world.body_of(SIGNER, change.evidence), copy) == ["other_commit", "other_commit"]


def test_a_checkout_of_another_commit_is_told_where_the_branch_is_not_there(change: Change, tmp_path: Path) -> None:
    """As a pipeline checks it out."""
    copy = tmp_path / "copy"
    git(tmp_path, "clone", "--quiet", str(change.folder), "copy")
    git(copy, "remote", "remove", "origin")
    git(copy, "checkout", "--quiet", "--detach", change.evidence.head)
    git(copy, "branch", "--quiet", "-D", change.evidence.branch)
    assert wrong(world.body_of(SIGNER, change.evidence), copy) == []
    git(copy, "checkout", "--quiet", change.evidence.base_commit)
    assert wrong(world.body_of(SIGNER, change.evidence), copy) == ["other_commit"]


def test_replayed_on_another_repository_it_proves_nothing(change: Change, tmp_path: Path) -> None:
    other = world.made(tmp_path / "other")
    git(other.folder, "commit", "--quiet", "--amend", "--message", "other")
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    git(stranger, "init", "--quiet", "--initial-branch", "main")
    world.committed(stranger, {"a.txt": b"a\n"})
    assert wrong(world.body_of(SIGNER, change.evidence), stranger) == ["other_content"]
    fork = tmp_path / "fork"
    git(tmp_path, "clone", "--quiet", str(change.folder), "fork")
    git(fork, "remote", "set-url", "origin", "git@git.example.org:mallory/shop.git")
    assert wrong(world.body_of(SIGNER, change.evidence), fork) == ["other_repository"]
    git(fork, "remote", "set-url", "origin", "git@git.example.org:team/shop.git")
    assert wrong(world.body_of(SIGNER, change.evidence), fork) == []


def test_evidence_that_does_not_fit_the_commits_is_refused_also_if_it_was_signed(change: Change) -> None:
    for lie in ({"head_tree": "1" * 40}, {"diff_sha256": "1" * 64}, {"commits": change.evidence.commits[1:]}):
        assert wrong(world.body_of(SIGNER, replace(change.evidence, **lie)), change.folder) == ["other_content"]


def test_only_whole_attestations_with_an_approver_and_the_right_digest_may_be_signed(change: Change) -> None:
    whole = world.attestation_of(SIGNER, change.evidence)
    assert is_attestation(whole.message)
    nobody = attest(SIGNER, Attestation({}, "H-1", (), "1", "", ""))
    assert not is_attestation(nobody.message)
    assert not is_attestation(replace(whole, evidence_digest="0" * 64).message)
    assert not is_attestation(whole.message.replace(b'"at"', b'"whenever"'))
    assert not is_attestation(whole.message.replace(b"v1", b"v2", 1))
    assert not is_attestation(whole.message.replace(b"{", b"{ ", 1))
    odd = replace(whole, approvals=(Approval("0195", "Ada", "then", "d"), *whole.approvals))
    assert is_attestation(odd.message)
