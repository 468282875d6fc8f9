"""Attacks on the record: exports, rows and backups that say something else than what happened."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
import server as servers
from attacks_world import HIGH, MEDIUM, Cast, cast_of, joined
from audit_world import Record, entry, new_signer
from server import HANDRAIL, ServerProcess, environment, until

from handrail.core import audit
from handrail.core.audit import FIELDS, Signer
from handrail.core.verification import Report, verify
from handrail.store.audit_files import read_heads, read_public_keys
from handrail.store.embedded import Server

MARY = "Mary had a reason"


@pytest.fixture(scope="module")
def victim() -> Generator[ServerProcess]:
    """Whose database the attacker can write."""
    with servers.running() as server:
        yield server


@pytest.fixture(scope="module")
def staff(victim: ServerProcess) -> Cast:
    return cast_of(victim)


@pytest.fixture(scope="module")
def exported(victim: ServerProcess, staff: Cast) -> list[Record]:
    """An honest log: decisions, a use, and a person who was erased."""
    mary = joined(victim, "mary", "team_lead")
    for _ in range(3):
        staff.agent.redeem(staff.approved()).raise_for_status()
    mary.review(staff.agent.open(MEDIUM), reason=MARY).raise_for_status()
    staff.administrator.send("PATCH", f"/api/people/{mary.id}", json={"active": False}).raise_for_status()
    staff.administrator.post(f"/api/people/{mary.id}/erase").raise_for_status()
    grow_past_a_head(staff)
    return [json.loads(line) for line in export(staff).splitlines()]


def grow_past_a_head(staff: Cast) -> None:
    """A head is written each second while something happens: until one proves what is in the log now."""
    heads = staff.server.data / "audit" / "heads.jsonl"
    last = json.loads(export(staff).splitlines()[-1])["seq"]
    until(lambda: staff.agent.open(MEDIUM) and json.loads(heads.read_text().splitlines()[-1])["seq"] > last)


def export(staff: Cast) -> str:
    return staff.auditor.get("/api/audit/export").raise_for_status().text


def check(server: ServerProcess, records: list[Record], *, heads: bool = False, after: int = 0) -> Report:
    folder = server.data / "audit"
    kept = read_heads(folder / "heads.jsonl") if heads else ()
    return verify([json.dumps(record) for record in records], read_public_keys(folder / "key.pub"), kept, after)


def write(server: ServerProcess, statement: str, *values: object) -> None:
    """Somebody who has the database's password."""
    user = Server(server.data)
    try:
        with psycopg.connect(user.start(), autocommit=True) as conn:
            conn.execute(statement.encode(), values)
    finally:
        user.stop()


def linked(records: list[Record], signer: Signer | None = None) -> list[Record]:
    """With all hashes made to fit, which needs no key; and signed by another key, where one is given."""
    previous = audit.GENESIS
    for record in records:
        if record["record"] == "entry":
            fields = {name: record[name] for name in FIELDS}
            previous = audit.link(previous, fields, bytes.fromhex(record["data_hash"]))
            record["hash"] = previous.hex()
        elif record["record"] == "seal":
            record["hash"] = previous.hex()
            if signer:
                record.update(signer.seal(record["number"], record["seq"], previous, record["at"]).document())
    records[-1]["hash"] = previous.hex()
    return records


def altered(records: list[Record]) -> list[Record]:
    entry(records, 9)["actor_id"] = str(uuid4())
    return records


def altered_data(records: list[Record]) -> list[Record]:
    decided = next(r for r in records if r.get("type") == "hold.decided")
    decided["data"] = decided["data"].replace("approved", "rejected")
    return records


def cut(records: list[Record]) -> list[Record]:
    return [record for record in records if record.get("seq") != 9]


def reordered(records: list[Record]) -> list[Record]:
    one, two = entry(records, 9), entry(records, 10)
    one["seq"], two["seq"] = 10, 9
    a, b = records.index(one), records.index(two)
    records[a], records[b] = two, one
    return records


def inserted(records: list[Record]) -> list[Record]:
    place = records.index(entry(records, 9))
    forged = {**records[place], "data": '{"outcome": "approved"}'}
    forged["data_hash"] = audit.hash_of_data(bytes.fromhex(forged["salt"]), forged["data"]).hex()
    for record in records[place:]:
        record["seq"] += 1
    return [*records[:place], forged, *records[place:]]


def with_an_end_of_its_own(records: list[Record]) -> list[Record]:
    return records[:-1]


ATTACKS = (altered, altered_data, cut, reordered, inserted, with_an_end_of_its_own)


def test_an_honest_export_is_whole_also_with_an_erased_person(victim: ServerProcess, exported: list[Record]) -> None:
    report = check(victim, exported, heads=True)
    assert (report.faults, report.first, report.last) == ((), 1, report.entries)
    assert report.erased > 0
    assert report.sealed_by == report.keys
    assert MARY not in json.dumps(exported)


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_export_that_was_changed_is_not_whole(
    victim: ServerProcess, exported: list[Record], attack: Callable[[list[Record]], list[Record]]
) -> None:
    assert not check(victim, attack(copy.deepcopy(exported))).whole


@pytest.mark.parametrize("attack", ATTACKS[:-1])
@pytest.mark.parametrize("signer", [None, new_signer()])
def test_nor_where_all_hashes_were_made_to_fit_or_signed_by_another_key(
    victim: ServerProcess,
    exported: list[Record],
    attack: Callable[[list[Record]], list[Record]],
    signer: Signer | None,
) -> None:
    assert not check(victim, linked(attack(copy.deepcopy(exported)), signer)).whole


def test_nor_where_its_tail_was_cut_off_at_a_seal_and_heads_were_kept(
    victim: ServerProcess, exported: list[Record]
) -> None:
    erasure = next(record for record in exported if record.get("type") == audit.ERASED)
    last = next(record for record in exported if record["record"] == "seal" and record["seq"] >= erasure["seq"])
    shorter = exported[: exported.index(last) + 1]
    shorter.append({"record": "end", "seq": last["seq"], "hash": last["hash"], "waiting": 0})
    assert check(victim, shorter).whole, "without heads it is an honest, younger log"
    report = check(victim, shorter, heads=True)
    assert (report.faults[0].wrong, report.faults[0].seq) == ("truncated", last["seq"] + 1)


def test_a_forged_header_does_not_hide_the_beginning(
    victim: ServerProcess, exported: list[Record], tmp_path: Path
) -> None:
    """The beginning is cut off, and the header says that it was never to be there."""
    header = {**exported[0], "after": 9, "hash": entry(exported, 9)["hash"]}
    forged = [header, *(record for record in exported[1:] if record["record"] == "end" or record["seq"] > 9)]
    file = tmp_path / "export.jsonl"
    file.write_text("".join(f"{json.dumps(record)}\n" for record in forged))
    told = offline(victim, tmp_path, str(file))
    assert (told.returncode, "NOT intact" in told.stdout) == (1, True)
    assert "starts after entry 9" in told.stdout
    asked = offline(victim, tmp_path, str(file), "--after", "9")
    assert asked.returncode == 0, asked.stdout
    assert f"entries 10 to {exported[-1]['seq']}" in asked.stdout
    assert "Entries 1 to 9 were not checked" in asked.stdout
    assert offline(victim, tmp_path, str(file), "--after", "8").returncode == 1


def offline(server: ServerProcess, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    key = str(server.data / "audit" / "key.pub")
    return subprocess.run(
        [HANDRAIL, "audit", "verify", *words, "--key", key],
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


FORGED = """
  UPDATE holds SET status = 'approved', state = replace(state::text, '"status":"pending"', '"status":"approved"')::json
  WHERE id = %s
"""


def test_a_row_set_to_approved_is_named_by_verify_and_does_not_redeem(victim: ServerProcess, staff: Cast) -> None:
    hold, other = staff.agent.open(MEDIUM), staff.agent.open(MEDIUM)
    whole = staff.auditor.run("audit", "verify")
    assert (whole.exit, "holds match the log" in whole.out) == (0, True), whole.out
    write(victim, FORGED, hold["id"])
    assert staff.hold(hold)["status"] == "approved"
    told = staff.auditor.run("audit", "verify")
    assert told.exit == 1
    assert "The audit log is intact" in told.out
    assert f"Hold {hold['id']}: status: the row says approved, the log says pending" in told.out
    assert other["id"] not in told.out
    refused = staff.agent.redeem(hold)
    assert (refused.status_code, refused.json()["code"]) == (409, "approval_void")
    assert staff.hold(hold)["status"] == "pending"
    assert staff.auditor.run("audit", "verify").exit == 0, "people are asked again, and the log says why"


def test_a_hold_that_was_deleted_or_only_looks_decided_is_named(victim: ServerProcess, staff: Cast) -> None:
    deleted, listed = staff.agent.open(MEDIUM), staff.agent.open(MEDIUM)
    write(victim, "DELETE FROM holds WHERE id = %s", deleted["id"])
    write(victim, "UPDATE holds SET status = 'rejected' WHERE id = %s", listed["id"])
    found = staff.auditor.run("audit", "verify", "--json")
    differing = {one["hold_id"]: one["differences"] for one in found.json()["holds"]["differing"]}
    assert (found.exit, set(differing)) == (1, {deleted["id"], listed["id"]})
    assert "the row says nothing" in differing[deleted["id"]][0]
    write(victim, "UPDATE holds SET status = 'pending' WHERE id = %s", listed["id"])


def test_only_auditors_compare_holds(staff: Cast) -> None:
    for who in (staff.agent, staff.service, staff.developer, staff.cto):
        assert who.get("/api/audit/holds").status_code == 403


def test_a_restored_backup_revives_nothing_that_was_used(tmp_path: Path) -> None:
    with servers.running() as server:
        staff = cast_of(server)
        used, half = staff.approved(), staff.agent.open(HIGH)
        staff.tech_lead.review(half).raise_for_status()
        two = [sign_in_code(server, staff.cto.id) for _ in range(2)]
        browser = httpx.Client(base_url=server.url, trust_env=False)
        browser.post("/api/sign-in", json={"code": two[0]}, headers={"Origin": server.url}).raise_for_status()
        assert browser.get("/api/me").is_success
        backup = tmp_path / "backup"
        assert server.run("backup", str(backup), "--data", str(server.data)).exit == 0
        staff.agent.redeem(used, "first").raise_for_status()
        grow_past_a_head(staff)
        server.stop()
        for old in ("postgres", "audit"):
            shutil.move(server.data / old, tmp_path / old)
        assert server.run("restore", str(backup), "--data", str(server.data)).exit == 0
        shutil.copytree(tmp_path / "audit", server.data / "audit", dirs_exist_ok=True)
        server.start()

        for member in (staff.agent, staff.cto, staff.administrator):
            assert member.get("/api/holds").json()["code"] == "token_revoked", member.name
        assert browser.get("/api/me").json()["code"] == "session_ended"
        linked_in = browser.post("/api/sign-in", json={"code": two[1]}, headers={"Origin": server.url})
        assert linked_in.json()["code"] == "sign_in_failed"
        browser.close()
        agent, lead = renewed(server, staff.agent.name), renewed(server, staff.team_lead.name)
        replayed = post(server, agent, f"/api/holds/{used['id']}/redeem", digest=used["digest"], key="second")
        assert (replayed.status_code, replayed.json()["code"]) == (409, "approval_void")
        review = {"digest": used["digest"], "verdict": "approve"}
        again = post(server, lead, f"/api/holds/{used['id']}/reviews", **review)
        assert again.json()["status"] == "approved"
        assert post(server, agent, f"/api/holds/{used['id']}/redeem", digest=used["digest"], key="second").is_success
        # one of two had approved in the backup: that may have been withdrawn since
        with server.client(lead) as http:
            one = http.post(f"/api/holds/{half['id']}/reviews", json={**review, "digest": half["digest"]}).json()
        assert (one["status"], len(one["reviews"])) == ("pending", 1)

        told = server.run("audit", "verify", token=server.admin_token)
        assert told.exit == 0, told.out
        assert "the log was restored from a backup" in told.out
        against = server.run(
            "audit", "verify", "--head", str(server.data / "audit" / "heads.jsonl"), token=server.admin_token
        )
        assert against.exit == 1
        assert "(restored): the log was restored at" in against.out


def sign_in_code(server: ServerProcess, person: str) -> str:
    with server.client() as http:
        made = http.post(f"/api/people/{person}/login-link").raise_for_status().json()
    return made["url"].partition("#code=")[2]


def renewed(server: ServerProcess, name: str) -> str:
    with server.client() as http:
        return http.post("/api/tokens", json={"principal": name}).raise_for_status().json()["token"]


def post(server: ServerProcess, token: str, path: str, **body: Any) -> Any:
    with server.client(token) as http:
        return http.post(path, json=body)
