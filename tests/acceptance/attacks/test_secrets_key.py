"""The key that seals the log is one process's: no other has it in memory, and it signs nothing but the log."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import psutil
import publishing_world as world
import pytest
import server as servers
from attacks_world import MEDIUM, Cast, cast_of
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from server import ServerProcess, until

from handrail.changes.publishing.block import text_hash, with_block
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.publishing.verification import verify
from handrail.core.attestation import Attestation, attest, attested
from handrail.core.audit import Signer
from handrail.core.errors import Misconfigured
from handrail.holds import attesting
from handrail.store.audit_files import KeyFile
from handrail.store.database import opened
from handrail.store.embedded import Server
from handrail.store.signing import SignerProcess, signing

EVIDENCE = Evidence(world.ADDRESS, "main", "handrail/x", "1" * 40, ("2" * 40,), "3" * 40, *("4" * 64,) * 5)
IS_ROOT = os.geteuid() == 0


@pytest.fixture(scope="module")
def sealed() -> Generator[ServerProcess]:
    """A server that runs graphs, too."""
    with servers.by_command(HANDRAIL_CONCURRENCY="1") as server:
        yield server


@pytest.fixture(scope="module")
def staff(sealed: ServerProcess) -> Cast:
    return cast_of(sealed)


@pytest.fixture
def process(tmp_path: Path) -> Generator[SignerProcess]:
    with signing(tmp_path / "key.pem") as started:
        started.create()
        yield started


def test_no_process_but_the_signer_has_the_key_in_memory(sealed: ServerProcess, staff: Cast) -> None:
    staff.approved()
    key = load_pem_private_key((sealed.data / "audit" / "key.pem").read_bytes(), password=None)
    assert isinstance(key, Ed25519PrivateKey)
    family = [psutil.Process(sealed.pid), *psutil.Process(sealed.pid).children(recursive=True)]
    # an ordinary user cannot read any of them: the others are hidden too
    holders = {each.pid for each in family if has_in_memory(each.pid, key.private_bytes_raw())}
    assert holders == ({signer_of(sealed).pid} if IS_ROOT else set())


def test_the_log_is_sealed_on_after_the_signer_was_killed(sealed: ServerProcess, staff: Cast) -> None:
    first = signer_of(sealed)
    first.kill()
    hold = staff.agent.open(MEDIUM)
    path = f"/api/holds/{hold['id']}/events"
    until(lambda: staff.agent.get(path).json()["events"])
    assert signer_of(sealed).pid != first.pid


def test_a_running_server_attests_what_people_approved_and_was_used(sealed: ServerProcess, staff: Cast) -> None:
    args = {**EVIDENCE.as_data(), "text_sha256": text_hash(world.TEXT)}
    publish = {"name": "change.publish", "args": args, "target": EVIDENCE.repository}
    hold = staff.approved(kind="approval", title="Publish", action=publish, task=None)
    staff.agent.redeem(hold).raise_for_status()

    async def asked(dsn: str) -> Attestation:
        async with opened(dsn) as database:
            return await attesting.attested(database, UUID(hold["id"]), 20)

    user = Server(sealed.data)
    try:
        found = asyncio.run(asked(user.start()))
    finally:
        user.stop()
    verdict = asyncio.run(verify(with_block(world.TEXT, found), KeyFile(sealed.data / "audit" / "key.pem").publics()))
    assert verdict.faults == () and found.approvals


def test_the_signer_ends_with_a_server_that_was_killed() -> None:
    with servers.by_command() as server:
        signer = signer_of(server)
        server.kill_process()
        servers.wait_for_end([signer])


def test_it_signs_seals_and_statements(process: SignerProcess) -> None:
    signer = process.signer()
    seal = signer.seal(1, 7, b"h" * 32, "2026-11-16T00:00:00Z")
    assert signer.public.signed(seal.signature, seal.message)


def test_it_signs_attestations_that_people_approved(process: SignerProcess, tmp_path: Path) -> None:
    signer = process.signer()
    signed = world.attestation_of(signer, world.made(tmp_path / "shop").evidence)
    assert attested(signed, [signer.public])
    with pytest.raises(Misconfigured, match="only signs"):
        attest(signer, replace(signed, approvals=()))


@pytest.mark.parametrize(
    "message", [b"", b"a token of somebody", b" handrail audit seal v1\n", b"handrail change attestation v1\n{}"]
)
def test_it_signs_nothing_else(process: SignerProcess, message: bytes) -> None:
    with pytest.raises(Misconfigured, match="seals and statements"):
        process.signer().sign(message)


def test_it_signs_with_no_key_that_is_not_in_its_file(process: SignerProcess, tmp_path: Path) -> None:
    other = KeyFile(tmp_path / "other" / "key.pem")
    other.create()
    with pytest.raises(Misconfigured, match="bring the right key there"):
        process.signer(other.signer().public.id)


def test_a_key_that_cannot_be_read_is_said_as_by_the_server(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text("nonsense")
    with signing(tmp_path / "key.pem") as process, pytest.raises(Misconfigured, match="cannot be read as a key"):
        process.create()


def test_the_next_key_takes_over_when_the_log_names_it(process: SignerProcess) -> None:
    old, following = process.signer(), process.prepare_next()
    assert signed(old), "until then the old one seals"
    assert process.signer(following.public.id).public == following.public
    assert process.signer().public == following.public
    assert [key.id for key in process.publics()] == [old.public.id, following.public.id]


def signed(signer: Signer) -> bool:
    seal = signer.seal(1, 7, b"h" * 32, "2026-11-16T00:00:00Z")
    return signer.public.signed(seal.signature, seal.message)


def signer_of(server: ServerProcess) -> psutil.Process:
    children = psutil.Process(server.pid).children()
    (found,) = [each for each in children if each.is_running() and "handrail.store.signing" in each.cmdline()]
    return found


def has_in_memory(pid: int, secret: bytes) -> bool:
    try:
        maps = Path(f"/proc/{pid}/maps").read_text()
    except PermissionError:
        return False
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for first, last in re.findall(r"^(\w+)-(\w+) rw", maps, re.MULTILINE):
            memory.seek(int(first, 16))
            try:
                if secret in memory.read(int(last, 16) - int(first, 16)):
                    return True
            except OSError:
                # a mapping that is not memory
                continue
    return False
