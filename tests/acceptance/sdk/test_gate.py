"""A gated function against a real server: it runs when this very call is approved, and at most once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from sdk_office import Office, ended

from handrail_sdk import Action, ActionChanged, AlreadyRan, AsyncHandrail, Handrail, Hold, NotAllowed, Unavailable, gate
from handrail_sdk.exchange import Outcome, Request

STAGING = {"operation": "deploy", "environment": "staging"}
HARMLESS = {"operation": "read", "environment": "development"}


@pytest.fixture
def agent(office: Office) -> Generator[Handrail]:
    with Handrail(office.server.url, office.agent) as client:
        yield client


async def asked(office: Office, title: str) -> Hold:
    """The hold of that title, as the person who may decide it sees it."""
    hold_id = await asyncio.to_thread(office.one_pending, text=title)
    with office.deciding() as person:
        return person.get(hold_id)


def approve(office: Office, hold: Hold) -> None:
    with office.deciding() as person:
        person.review(hold.id, "approve", digest=hold.digest)


async def test_an_approved_call_runs_and_its_result_is_recorded(office: Office, agent: Handrail, case: str) -> None:
    @gate(title=case, target="service", task=STAGING, client=agent)
    def deploy(service: str, version: str = "1.0", *flags: str, **options: int) -> str:
        return f"{service} {version} {flags} {options}"

    running = asyncio.create_task(asyncio.to_thread(deploy, "shop", "2.0", "now", replicas=2))
    hold = await asked(office, case)
    args = {"service": "shop", "version": "2.0", "flags": ["now"], "options": {"replicas": 2}}
    assert hold.action == Action("deploy", args, "shop")
    assert (hold.kind, hold.task, hold.risk) == ("approval", STAGING, "medium")
    approve(office, hold)
    assert await running == "shop 2.0 ('now',) {'replicas': 2}"
    done = agent.get(hold.id)
    assert done.redeemed is not None
    assert done.result is not None
    assert (done.result.outcome, done.result.detail) == ("succeeded", None)


async def test_an_async_function_is_gated_the_same_way(office: Office, case: str) -> None:
    async with office.asking() as client:

        @gate(title=case, task=STAGING, client=client)
        async def deploy(version: str) -> str:
            await asyncio.sleep(0)
            return version

        running = asyncio.create_task(deploy("3.0"))
        hold = await asked(office, case)
        approve(office, hold)
        assert await running == "3.0"
        done = await client.get(hold.id)
        assert done.result is not None
        assert done.result.outcome == "succeeded"


async def test_a_failure_is_recorded_by_its_type_alone(office: Office, agent: Handrail, case: str) -> None:
    @gate(title=case, task=HARMLESS, key=lambda call: case, client=agent)
    def read(path: str) -> None:
        raise PermissionError(f"password of {path}: hunter2")

    with pytest.raises(PermissionError, match="hunter2"):
        await asyncio.to_thread(read, "x")
    with pytest.raises(AlreadyRan) as raised:
        await asyncio.to_thread(read, "x")
    result = raised.value.result
    assert result is not None
    assert (result.outcome, result.detail) == ("failed", {"error": "PermissionError"})


async def test_a_low_risk_is_approved_by_policy_at_once(agent: Handrail, case: str) -> None:
    @gate(title=case, task=HARMLESS, client=agent)
    def read(path: str) -> str:
        return path

    assert await asyncio.to_thread(read, "x") == "x"


async def test_a_no_is_raised_with_the_decision_and_nothing_runs(office: Office, agent: Handrail, case: str) -> None:
    ran = list[str]()

    @gate(title=case, task=STAGING, client=agent)
    def deploy(version: str) -> None:
        ran.append(version)

    running = asyncio.create_task(asyncio.to_thread(deploy, "1"))
    hold = await asked(office, case)
    with office.deciding() as person:
        person.review(hold.id, "reject", digest=hold.digest, reason="not on a Friday")
    with pytest.raises(NotAllowed, match="rejected: not on a Friday") as raised:
        await running
    assert raised.value.decision is not None
    assert raised.value.decision.by is not None
    assert (raised.value.decision.by.name, ran) == ("Ada", [])


@pytest.mark.parametrize("end", ["expired", "cancelled"])
async def test_a_question_that_ends_without_a_yes_is_a_no(office: Office, agent: Handrail, case: str, end: str) -> None:
    @gate(title=case, task=STAGING, expires_in=0.4 if end == "expired" else None, client=agent)
    def deploy() -> None:
        raise AssertionError("ran")

    running = asyncio.create_task(asyncio.to_thread(deploy))
    if end == "cancelled":
        agent.cancel((await asked(office, case)).id)
    with pytest.raises(NotAllowed) as raised:
        await running
    assert raised.value.hold.status == end


def test_without_the_server_nothing_runs() -> None:
    with Handrail("http://127.0.0.1:9", "hr_nobody", retry_for=0) as away:

        @gate(client=away)
        def read(path: str) -> None:
            raise AssertionError("ran")

        with pytest.raises(Unavailable, match="is it running"):
            read("x")


async def test_an_argument_changed_after_it_was_shown_does_not_run(office: Office, agent: Handrail, case: str) -> None:
    ran = list[str]()

    @gate(title=case, task=STAGING, client=agent)
    def deploy(hosts: list[str]) -> None:
        ran.extend(hosts)

    hosts = ["staging-1"]
    running = asyncio.create_task(asyncio.to_thread(deploy, hosts))
    hold = await asked(office, case)
    hosts.append("production-1")
    approve(office, hold)
    with pytest.raises(ActionChanged):
        await running
    assert ran == []
    # the approval was not used up
    assert agent.get(hold.id).redeemed is None


async def test_the_function_runs_with_the_arguments_as_a_person_amended_them(
    office: Office, agent: Handrail, case: str
) -> None:
    @gate(title=case, target="service", task=STAGING, client=agent)
    def deploy(service: str, replicas: int) -> tuple[str, int]:
        return service, replicas

    running = asyncio.create_task(asyncio.to_thread(deploy, "shop", 50))
    hold = await asked(office, case)
    with office.deciding() as person:
        smaller = Action("deploy", {"service": "shop", "replicas": 5}, "shop")
        amended = person.review(hold.id, "amend", digest=hold.digest, amended_action=smaller)
        person.review(hold.id, "approve", digest=amended.digest)
    assert await running == ("shop", 5)


async def test_an_amendment_to_another_target_than_the_arguments_say_does_not_run(
    office: Office, agent: Handrail, case: str
) -> None:
    @gate(title=case, target="service", task=STAGING, client=agent)
    def deploy(service: str) -> None:
        raise AssertionError("ran")

    running = asyncio.create_task(asyncio.to_thread(deploy, "shop"))
    hold = await asked(office, case)
    with office.deciding() as person:
        odd = Action("deploy", {"service": "shop"}, "bank")
        amended = person.review(hold.id, "amend", digest=hold.digest, amended_action=odd)
        person.review(hold.id, "approve", digest=amended.digest)
    with pytest.raises(ActionChanged):
        await running


class Interrupted(AsyncHandrail):
    """Does something just before its first redemption reaches the server."""

    def __init__(self, office: Office, interruption: Callable[[str], object]) -> None:
        super().__init__(office.server.url, office.agent)
        self._interruption: Callable[[str], object] | None = interruption

    async def _exchange(self, request: Request) -> Outcome:
        if request.path.endswith("/redeem") and self._interruption is not None:
            interruption, self._interruption = self._interruption, None
            await asyncio.to_thread(interruption, request.path.split("/")[-2])
        return await super()._exchange(request)


async def test_an_approval_withdrawn_at_the_last_moment_is_waited_for_again(office: Office, case: str) -> None:
    def withdraw(hold_id: str) -> None:
        with office.deciding() as person:
            person.withdraw(hold_id, "wait")

    async with Interrupted(office, withdraw) as client:

        @gate(title=case, task=STAGING, client=client)
        async def deploy() -> str:
            return "ran"

        running = asyncio.create_task(deploy())
        hold = await asked(office, case)
        approve(office, hold)
        again = await asked(office, case)
        assert again.id == hold.id
        assert not running.done()
        approve(office, again)
        assert await running == "ran"


async def test_an_approval_amended_at_the_last_moment_runs_as_amended(office: Office, case: str) -> None:
    def amend(hold_id: str) -> None:
        with office.deciding() as person:
            seen = person.withdraw(hold_id)
            smaller = Action("deploy", {"replicas": 1})
            amended = person.review(hold_id, "amend", digest=seen.digest, amended_action=smaller)
            person.review(hold_id, "approve", digest=amended.digest)

    async with Interrupted(office, amend) as client:

        @gate(title=case, task=STAGING, client=client)
        async def deploy(replicas: int) -> int:
            return replicas

        running = asyncio.create_task(deploy(9))
        approve(office, await asked(office, case))
        assert await running == 1


# appends to a file, and is killed in the middle of it where told so
ACTING = """
import os, signal, sys
from pathlib import Path
from handrail_sdk import MayHaveRun, gate

name, file, idempotent, dies = sys.argv[1], Path(sys.argv[2]), sys.argv[3] == "idempotent", sys.argv[4] == "dies"

@gate(title=name, task={"operation": "deploy", "environment": "staging"}, key=lambda call: name, idempotent=idempotent)
def act(line):
    with file.open("a") as out:
        out.write(line + "\\n")
    if dies:
        os.kill(os.getpid(), signal.SIGKILL)

try:
    act("acted")
    print("ran")
except MayHaveRun as doubt:
    print(type(doubt).__name__)
"""


@pytest.mark.parametrize(("idempotent", "said", "lines"), [("idempotent", "ran", 2), ("once", "MayHaveRun", 1)])
def test_what_died_in_the_middle_runs_again_only_where_that_does_no_harm(
    office: Office, case: str, tmp_path: Path, idempotent: str, said: str, lines: int
) -> None:
    file = tmp_path / "acts"
    program = office.start(ACTING, case, str(file), idempotent, "dies")
    hold_id = office.one_pending(text=case)
    with office.deciding() as person:
        approve(office, person.get(hold_id))
    assert program.wait(60) == -signal.SIGKILL
    assert ended(office.start(ACTING, case, str(file), idempotent, "lives")) == f"{said}\n"
    assert file.read_text() == "acted\n" * lines
    # what has a result does not run again
    expected = "AlreadyRan" if idempotent == "idempotent" else "MayHaveRun"
    assert ended(office.start(ACTING, case, str(file), idempotent, "lives")) == f"{expected}\n"
    assert file.read_text() == "acted\n" * lines


def test_a_program_killed_while_it_waits_acts_on_the_decision_made_meanwhile(
    office: Office, case: str, tmp_path: Path
) -> None:
    program = office.start(ACTING, case, str(tmp_path / "acts"), "once", "lives")
    hold_id = office.one_pending(text=case)
    program.kill()
    program.wait()
    with office.deciding() as person:
        approve(office, person.get(hold_id))
    assert ended(office.start(ACTING, case, str(tmp_path / "acts"), "once", "lives")) == "ran\n"
    assert (tmp_path / "acts").read_text() == "acted\n"


def test_of_two_programs_with_one_key_one_acts(office: Office, case: str, tmp_path: Path) -> None:
    programs = [office.start(ACTING, case, str(tmp_path / "acts"), "once", "lives") for _ in range(2)]
    hold_id = office.one_pending(text=case)
    with office.deciding() as person:
        approve(office, person.get(hold_id))
    said = sorted(ended(program) for program in programs)
    assert "ran\n" in said
    assert said[0] in ("AlreadyRan\n", "MayHaveRun\n")
    assert (tmp_path / "acts").read_text() == "acted\n"
