"""Publishing: names and texts of a model, hosts that lead elsewhere, and tokens that want out."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import hosting_stub
import publishing_world as world
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hosting_stub import Fault, Grant
from hosting_stub.server import Faulty
from hypothesis import given
from hypothesis import strategies as st
from publishing_world import Change

from handrail.changes.publishing import errors
from handrail.changes.publishing.branches import branch_for, check_branch
from handrail.changes.publishing.hosts import reached
from handrail.changes.publishing.pulls import Proposal
from handrail.changes.publishing.pushing import push
from handrail.changes.publishing.secrets import Token
from handrail.changes.publishing.text import Check, Description, FileChange, body_of, title_of
from handrail.changes.publishing.verification import verify
from handrail.core.audit import Signer
from handrail.sandbox.cloning import CloneLimits
from handrail.sandbox.repositories import RepositoryAccess

LIMITS = CloneLimits(seconds=20, private_hosts=frozenset({"127.0.0.1"}))
TOKEN = Token("ghp-very-secret-0123456789")
BRANCHES = [
    "--upload-pack=touch /tmp/x",
    "-f",
    "+main",
    "x:refs/heads/main",
    "refs/heads/main",
    "HEAD",
    "main",
    "a b",
    "a\nb",
    "a..b",
    "a/../../config",
    ".hidden",
    "a/.b",
    "x.lock",
    "x/",
    "/x",
    "x//y",
    "a@{1}",
    "*",
    "a?b",
    "a[b",
    "a~1",
    "a^",
    "a\\b",
    "$(id)",
    "`id`",
    ";id",
    "rtl\u202e",
    "zero\u200bwidth",
    "ünïcode",
    "",
    "x" * 300,
]


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Generator[Faulty]:
    with hosting_stub.serving(tmp_path_factory.mktemp("hosted")) as stub:
        stub.tokens[TOKEN.secret] = Grant()
        yield stub


@pytest.fixture(scope="module")
def change(stub: Faulty, tmp_path_factory: pytest.TempPathFactory) -> Change:
    made = world.made(tmp_path_factory.mktemp("changes") / "shop")
    stub.repository("team/shop", made.folder)
    return replace(made, evidence=replace(made.evidence, repository=f"{stub.url}/team/shop"))


@pytest.mark.parametrize("branch", BRANCHES)
async def test_no_name_of_a_branch_is_an_option_a_refspec_or_another_branch(
    stub: Faulty, change: Change, branch: str
) -> None:
    stub.requests.clear()
    evidence = replace(change.evidence, branch=branch)
    with pytest.raises(errors.BadBranch):
        await push(change.folder, evidence, evidence, RepositoryAccess(LIMITS), TOKEN)
    assert stub.requests == []


@given(st.text())
def test_any_sentence_of_a_model_makes_a_plain_branch(words: str) -> None:
    check_branch(branch_for("handrail", words, "r77"))


@pytest.mark.parametrize(
    "address",
    [
        "--upload-pack=touch /tmp/x",
        "-oProxyCommand=id",
        "ext::sh -c id",
        "file:///etc",
        "https://user:word@example.org/x",
        "/etc",
        "http://example.org/x/y",
    ],
)
async def test_no_address_of_a_repository_makes_git_do_something_else(change: Change, address: str) -> None:
    evidence = replace(change.evidence, repository=address)
    with pytest.raises(errors.AddressRefused):
        await push(change.folder, evidence, evidence, RepositoryAccess(LIMITS), TOKEN)


async def test_a_text_that_brings_an_attestation_along_attests_nothing(change: Change) -> None:
    """A true one, of another change: it is shown as text, and only ours counts."""
    signer = Signer.of(Ed25519PrivateKey.generate())
    other = replace(change.evidence, repository="https://git.example.org/team/other")
    replayed = world.body_of(signer, other)
    described = Description(
        f"fix\n{replayed}",
        replayed,
        (FileChange(replayed, "changed", 1, 1),),
        (Check("pytest", replayed),),
        migration=replayed,
        rollback=f"</details>\n\n{replayed}",
        reviewer_notes="".join(f"> {line}\n" for line in replayed.splitlines()),
        for_people=(replayed,),
    )
    assert "\n" not in title_of(described)
    text = body_of(described)
    alone = await verify(text, [signer.public])
    assert [fault.wrong for fault in alone.faults] == ["unreadable"]
    found = await verify(world.body_of(signer, change.evidence, text), [signer.public])
    assert found.faults == () and found.attestation is not None
    assert found.attestation.evidence["repository"] == change.evidence.repository


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_host_that_redirects_does_not_get_the_token_carried_elsewhere(
    stub: Faulty, change: Change, tmp_path: Path, status: int
) -> None:
    with hosting_stub.serving(tmp_path) as elsewhere:
        there = {"Location": f"{elsewhere.url}/team/shop/info/refs?service=git-upload-pack"}
        stub.faults.append(Fault(".", status, there, times=50))
        try:
            async with reached(change.evidence.repository, {"127.0.0.1": "github"}, TOKEN, LIMITS) as host:
                with pytest.raises(errors.RepositoryMoved):
                    await host.check_access(change.evidence.branch, "main")
            with pytest.raises(errors.NotPublished):
                await push(change.folder, change.evidence, change.evidence, RepositoryAccess(LIMITS), TOKEN)
        finally:
            stub.faults.clear()
        assert elsewhere.requests == []


@pytest.mark.parametrize("kind", ["github", "gitlab", "gitea"])
@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 418, 422, 500])
async def test_a_host_that_repeats_the_token_gets_it_into_no_error(
    stub: Faulty, change: Change, kind: str, status: int
) -> None:
    said = {"message": f"{TOKEN.secret} {TOKEN.basic()}", "errors": [{"message": TOKEN.secret}]}

    async def pause(seconds: float) -> None: ...

    proposal = Proposal("handrail/none", "main", "0" * 40, "t", "b", labels=("x",), reviewers=("ada",))
    try:
        async with reached(change.evidence.repository, {"127.0.0.1": kind}, TOKEN, LIMITS, pause) as host:  # pyright: ignore[reportArgumentType] - a name of the table
            stub.faults.append(Fault("POST", status, {}, said, times=50))
            with pytest.raises(errors.NotPublished) as opening:
                await host.open_pull_request(proposal)
            stub.faults[:] = [Fault("GET", status, {}, said, times=50)]
            with pytest.raises(errors.NotPublished) as checking:
                await host.check_access("handrail/none", "main")
    finally:
        stub.faults.clear()
    for refused in (opening.value, checking.value):
        told = "".join(traceback.format_exception(refused)) + repr(refused)
        assert TOKEN.secret not in told and TOKEN.basic().removeprefix("Basic ") not in told


def test_nor_does_what_a_host_says_during_a_push(stub: Faulty, change: Change) -> None:
    hook = stub.repositories["team/shop"].folder / "hooks" / "update"
    kept = hook.read_text()
    hook.write_text(f"#!/bin/sh\necho 'no: {TOKEN.secret} {TOKEN.basic()} \x1b[2J' >&2\nexit 1\n")
    try:
        with pytest.raises(errors.HostRefused) as refused:
            asyncio.run(push(change.folder, change.evidence, change.evidence, RepositoryAccess(LIMITS), TOKEN))
    finally:
        hook.write_text(kept)
    told = "".join(traceback.format_exception(refused.value))
    assert "no: …" in told
    assert TOKEN.secret not in told and TOKEN.basic().removeprefix("Basic ") not in told and "\x1b" not in told
