"""Attestations are made of what the log has: who approved, what exactly, and that the approval was used."""

from __future__ import annotations

import asyncio
from dataclasses import fields, replace
from pathlib import Path

import pytest
from holds_world import Add, credential, opening
from publishing_world import TEXT

from handrail.changes.publishing.block import text_hash, with_block
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.publishing.verification import verify
from handrail.core import errors
from handrail.core.attestation import EVIDENCE, MOVING, Attestation
from handrail.core.canonical import JsonObject
from handrail.core.holds import Action, Hold, Kind, Status, Verdict
from handrail.core.people import Principal, PrincipalKind
from handrail.holds import deciding, using
from handrail.holds.attesting import attest_wished, attested
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import open_hold
from handrail.store import attestations, erasure, holds
from handrail.store.audit_files import KeyFile

ARGS: JsonObject = {
    **Evidence(
        "https://git.example.org/team/shop", "main", "handrail/x", "1" * 40, ("2" * 40,), "3" * 40, *("4" * 64,) * 5
    ).as_data(),
    "title": "fix: round totals",
    "text_sha256": text_hash(TEXT),
}


@pytest.fixture
def keys(tmp_path: Path) -> KeyFile:
    keys = KeyFile(tmp_path / "key.pem")
    keys.create()
    return keys


async def approved(
    context: Context, add: Add, name: str = "change.publish", args: JsonObject = ARGS
) -> tuple[Principal, Hold]:
    agent = await add("agent", kind=PrincipalKind.agent)
    action = Action(name, args, "https://git.example.org/team/shop")
    hold = await open_hold(context, agent, opening(Kind.approval, "Publish", action=action))
    for number in range(4):
        if hold.status is Status.pending:
            person = await add(f"Ada {number}", "cto", "tech_lead", "team_lead")
            said = Say(Verdict.approve, hold.digest, credential=credential(person))
            hold = await deciding.review(context, person, hold.id, said)
    assert hold.status is Status.approved
    return agent, hold


async def published(context: Context, add: Add, name: str = "change.publish", args: JsonObject = ARGS) -> Hold:
    agent, hold = await approved(context, add, name, args)
    return await using.redeem(context, agent, hold.id, hold.digest, "k")


async def signed(context: Context, keys: KeyFile, hold: Hold, moved: JsonObject | None = None) -> Attestation:
    async with asyncio.TaskGroup() as group:
        asked = group.create_task(attested(context.database, hold.id, 10, moved=moved))
        while not await attest_wished(context.database, keys):  # noqa: ASYNC110 - the wish is on its way
            await asyncio.sleep(0)
    return asked.result()


async def refusal(context: Context, keys: KeyFile, hold: Hold, moved: JsonObject | None = None) -> str:
    with pytest.raises(ExceptionGroup) as refused:
        await signed(context, keys, hold, moved)
    (error,) = refused.value.exceptions
    assert isinstance(error, errors.Conflict)
    return error.message


def test_the_evidence_is_the_same_everywhere() -> None:
    assert [field.name for field in fields(Evidence)] == [*EVIDENCE]


async def test_a_change_that_people_approved_and_a_run_used_is_attested(
    context: Context, add: Add, keys: KeyFile
) -> None:
    hold = await published(context, add)
    found = await signed(context, keys, hold)
    assert {approval.principal_id for approval in found.approvals} == {str(who) for who in hold.approvers}
    assert found.approvals[0].name == "Ada 0"
    assert found.hold_id == str(hold.id)
    assert found.policy_version == str(hold.assessment.policy_version)
    verdict = await verify(with_block(TEXT, found), keys.publics())
    assert verdict.faults == ()
    assert await attested(context.database, hold.id, 5) == found, "the same one, however often it is asked for"


async def test_an_approval_that_was_not_used_is_not(context: Context, add: Add, keys: KeyFile) -> None:
    _, hold = await approved(context, add)
    assert "has not been used" in await refusal(context, keys, hold)


async def test_a_hold_about_something_else_is_not(context: Context, add: Add, keys: KeyFile) -> None:
    assert "not about publishing" in await refusal(context, keys, await published(context, add, name="deploy"))


async def test_nor_is_one_that_was_approved_without_its_text(context: Context, add: Add, keys: KeyFile) -> None:
    without = {name: value for name, value in ARGS.items() if name != "text_sha256"}
    assert "lacks text_sha256" in await refusal(context, keys, await published(context, add, args=without))


async def test_nor_is_a_row_that_says_something_else_than_the_log(context: Context, add: Add, keys: KeyFile) -> None:
    """Another commit, or an approver who did not approve: written into the row after the approval was used."""
    hold = await published(context, add)
    stranger = await add("stranger", "cto")
    other = Action("change.publish", {**ARGS, "commits": ["5" * 40]}, "https://git.example.org/team/shop")
    lies = [
        replace(hold, question=replace(hold.question, action=other)),
        replace(hold, reviews=(*hold.reviews, replace(hold.reviews[0], by=stranger.id))),
    ]
    for lie in lies:
        async with context.database.transaction() as conn:
            await holds.save(conn, lie, 1)
        assert "does not match the log" in await refusal(context, keys, hold)
    async with context.database.transaction() as conn:
        await holds.save(conn, hold, 1)
    assert await signed(context, keys, hold), "a refusal is looked at again"


async def test_upon_a_moved_base_the_run_may_name_other_commits_and_nothing_else(
    context: Context, add: Add, keys: KeyFile
) -> None:
    hold = await published(context, add)
    moved: JsonObject = {**dict(zip(MOVING, ("5" * 40, ["6" * 40], "7" * 40, "8" * 64), strict=True))}
    lies: list[JsonObject] = [
        {**moved, "diff_sha256": "9" * 64},
        {"base_commit": "5" * 40},
        {**moved, "commits": "6" * 40},
    ]
    for lie in lies:
        assert "cannot be attested" in await refusal(context, keys, hold, lie)
    found = await signed(context, keys, hold, moved)
    assert found.evidence == {name: ARGS[name] for name in EVIDENCE}, "what people approved stays in it"
    assert found.published == {**found.evidence, **moved}
    assert (await verify(with_block(TEXT, found), keys.publics())).faults == ()
    with pytest.raises(errors.Conflict, match="other commits"):
        await attested(context.database, hold.id, 5)


async def test_without_a_process_that_has_the_key_it_says_so(context: Context, add: Add) -> None:
    hold = await published(context, add)
    with pytest.raises(errors.Unavailable, match="audit key"):
        await attested(context.database, hold.id, 0.2)


async def test_an_erased_person_is_in_none_that_is_kept(context: Context, add: Add, keys: KeyFile) -> None:
    hold = await published(context, add)
    await signed(context, keys, hold)
    async with context.database.transaction() as conn:
        await erasure.empty_texts(conn, next(iter(hold.approvers)), "erased")
        assert await attestations.get(conn, hold.id) is None
