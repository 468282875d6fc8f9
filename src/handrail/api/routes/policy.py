"""The policy in force, its history, candidates, and what it says of an action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path

from handrail.api import views
from handrail.api.identity import Administrator, Reader, guarded_router
from handrail.api.schemas.holds import ActionIn
from handrail.api.schemas.policy import (
    ApplyPolicy,
    AssessAction,
    AssessmentOut,
    CaseOutcome,
    PolicyApplied,
    PolicyCase,
    PolicyChecked,
    PolicyFiles,
    PolicyHistory,
    PolicyOut,
    PolicyVersion,
)
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.core.holds import Action
from handrail.core.people import NameCard
from handrail.holds import policies, policy_cases
from handrail.holds.context import claims_trusted
from handrail.holds.policy_cases import Case
from handrail.policy import FILES, Policy, describe, differences
from handrail.policy import assess as assess_action
from handrail.store import names
from handrail.store.policies import StoredPolicy
from handrail.tasks import tasks

router = guarded_router("policy")


@router.post("/api/policy/assess", summary="Assess an action under the policy in force")
async def assess(body: AssessAction, caller: Reader, services: Use) -> AssessmentOut:
    """Opens nothing and records nothing."""
    if body.action is None and body.task is None:
        raise errors.MissingField("send a `task`, an `action`, or both", field="task")
    policy = services.policies.current() if body.files is None else await _candidate(caller, body.files)
    async with services.database.connection() as conn:
        trusted = await claims_trusted(conn, caller.principal.id, None)
    if body.action is None:
        found = tasks.assessed(policy, tasks.action_of(body.task or {}), trusted=trusted)
    else:
        action = Action(body.action.name, body.action.args, body.action.target)
        found = assess_action(policy, kind=body.kind, action=action, claims=body.task, trusted=trusted)
    return AssessmentOut(
        level=found.level,
        score=found.score,
        rules=views.rules(found),
        facts=views.facts(found),
        requirements=views.requirements(found.requirements),
        auto_approve=found.auto_approve,
        timeout=found.timeout.total_seconds() if found.timeout else None,
        on_expiry=found.on_expiry,
        escalate_after=found.escalate_after.total_seconds() if found.escalate_after else None,
        escalate_to=sorted(found.escalate_to),
        policy_version=found.policy_version,
    )


@router.get("/api/policy", summary="Get the policy in force")
async def in_force(caller: Reader, services: Use) -> PolicyOut:
    return await one(services.policies.current().version, caller, services)


@router.get("/api/policy/versions", summary="List every policy that was in force, newest first")
async def history(caller: Reader, services: Use) -> PolicyHistory:
    _only_people(caller)
    kept = await policies.history(services.database)
    people = await _people(services, *kept)
    return PolicyHistory(versions=[PolicyVersion(**_version(each, people)) for each in kept])


@router.get("/api/policy/versions/{version}", summary="Get a policy that is or was in force")
async def one(version: Annotated[int, Path(ge=1, le=2**31 - 1)], caller: Reader, services: Use) -> PolicyOut:
    _only_people(caller)
    kept = await policies.version(services.database, version)
    words = describe(await policies.compiled(kept))
    people = await _people(services, kept)
    cases = [_case_out(each) for each in policy_cases.read(kept.cases)]
    # as the documents and the default policy have them, whatever order they were sent in
    files = {name: kept.files[name] for name in FILES if name in kept.files}
    return PolicyOut(files=files, summary=words, cases=cases, **_version(kept, people))


@router.post("/api/policy/check", summary="Check a candidate, and see what it would change")
async def check(body: PolicyFiles, caller: Administrator, services: Use) -> PolicyChecked:
    try:
        candidate = await policies.check(body.files)
    except errors.Misconfigured as error:
        return PolicyChecked(valid=False, problems=error.data["problems"], changes=[], cases=[])
    kept = await policies.version(services.database, services.policies.current().version)
    before = policy_cases.read(kept.cases)
    after = before if body.cases is None else _cases(body.cases)
    return PolicyChecked(
        valid=True,
        problems=[],
        changes=differences(services.policies.current(), candidate) + policy_cases.change(before, after),
        cases=[
            CaseOutcome(name=one.case.name, passed=one.passed, level=one.level, asks=one.asks)
            for one in policy_cases.tried(candidate, after)
        ],
    )


@router.post("/api/policy", status_code=201, summary="Put a policy in force")
async def apply(body: ApplyPolicy, caller: Administrator, services: Use) -> PolicyApplied:
    """All files at once, as the next version, if every test case passes. Pending holds keep the requirements they
    opened with."""
    cases = None if body.cases is None else _cases(body.cases)
    try:
        kept, changes = await policies.apply(
            services.database, services.policies, caller, body.files, body.reason, cases
        )
    except errors.Misconfigured as error:
        raise errors.BadPolicy(error.message, **error.data) from None
    services.context.poke()
    return PolicyApplied(changes=changes, **_version(kept, await _people(services, kept)))


async def _candidate(caller: Caller, files: Mapping[str, str]) -> Policy:
    caller.require(Scope.administer)
    try:
        return await policies.check(files)
    except errors.Misconfigured as error:
        raise errors.BadPolicy(error.message, **error.data) from None


def _cases(given: Sequence[PolicyCase]) -> tuple[Case, ...]:
    return tuple(
        Case(one.name, Action(one.action.name, one.action.args, one.action.target), one.level, one.asks, one.task)
        for one in given
    )


def _case_out(one: Case) -> PolicyCase:
    action = ActionIn(name=one.action.name, args=one.action.args, target=one.action.target)
    return PolicyCase(name=one.name, action=action, task=one.claims, level=one.level, asks=one.asks)


def _only_people(caller: Caller) -> None:
    if not caller.principal.is_person:
        raise errors.Forbidden("Only people can read the policy; programs can have an action assessed.")


async def _people(services: Services, *kept: StoredPolicy) -> dict[UUID, NameCard]:
    async with services.database.connection() as conn:
        return await names.of(conn, {each.applied_by for each in kept if each.applied_by})


def _version(kept: StoredPolicy, people: Mapping[UUID, NameCard]) -> dict[str, Any]:
    return {
        "version": kept.version,
        "reason": kept.reason,
        "applied_by": views.who(people[kept.applied_by]) if kept.applied_by else None,
        "applied_at": kept.applied_at,
    }
