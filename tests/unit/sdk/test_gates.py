"""A gate: what is asked, what is redeemed, what runs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from sdk_wire import ADA, AGENT, AT, HOLD_ID, drive, hold, problem, redeemed, response

from handrail_sdk import (
    Action,
    ActionChanged,
    AlreadyRan,
    AsyncHandrail,
    Handrail,
    MayHaveRun,
    NotAllowed,
    NotJson,
    gate,
)
from handrail_sdk.canonical import digest
from handrail_sdk.exchange import Lost, Request
from handrail_sdk.frameworks.gating import refusal
from handrail_sdk.gates import Arguments, FunctionQuestion, GateKind, passage, record
from handrail_sdk.operations import Operations

OPERATIONS = Operations(retry_for=0)
CUT = Lost("cut", sent=True)


def deploy(hosts: list[str], version: str = "1.0", *extra: int, **options: str) -> None: ...


def question(
    function: Callable[..., object] = deploy,
    *,
    title: Callable[[Arguments], str] | None = None,
    target: str | Callable[[Arguments], str] | None = None,
    task: Callable[[Arguments], Mapping[str, object]] | None = None,
    key: Callable[[Arguments], str] | None = None,
    expires_in: float | None = None,
    idempotent: bool = False,
    takes_response: bool = False,
) -> FunctionQuestion:
    signature = inspect.signature(function)
    return FunctionQuestion(
        function.__name__, "approval", title, target, task, key, expires_in, idempotent, None, takes_response, signature
    )


def asked(**args: Any) -> dict[str, Any]:
    return {
        "action": {"name": "deploy", "args": {"version": "1.0", "extra": [], "options": {}, **args}, "target": None}
    }


A = asked(hosts=["a"])


def test_people_are_shown_the_actual_arguments_with_defaults() -> None:
    asking = question(
        title=lambda a: f"Deploy {a['version']}",
        target=lambda a: a["hosts"][0],
        task=lambda a: {"operation": "deploy", "hosts": len(a["hosts"])},
        key=lambda a: f"deploy-{a['version']}",
        expires_in=60,
    )
    wire = hold("approved", title="Deploy 1.0", action={**A["action"], "target": "a"})
    flow = passage(OPERATIONS, asking, asking.bound(["a"]))
    _, sent = drive(flow, response(201, wire), response(200, redeemed(wire)))
    assert sent[0].body is not None
    assert sent[0].body.pop("redeem")["digest"] == digest(
        "approval", "Deploy 1.0", Action("deploy", wire["action"]["args"], "a")
    )
    assert sent[0].body == {
        "kind": "approval",
        "title": "Deploy 1.0",
        "action": {**A["action"], "target": "a"},
        "task": {"operation": "deploy", "hosts": 1},
        "expires_in": 60,
    }
    assert sent[0].headers["Idempotency-Key"] == "deploy-1.0"


def test_the_approval_of_exactly_these_arguments_is_redeemed() -> None:
    asking = question()
    flow = passage(OPERATIONS, asking, asking.bound(["a"], "2", 3, 4, colour="red"))
    wire = hold("approved", **asked(hosts=["a"], version="2", extra=[3, 4], options={"colour": "red"}))
    passed, sent = drive(flow, response(201, hold()), response(200, wire), response(200, redeemed(wire)))
    assert sent[2].path.endswith("/redeem")
    assert sent[2].body is not None
    assert sent[2].body["digest"] == wire["digest"]
    assert (passed.bound.args, passed.bound.kwargs) == ((["a"], "2", 3, 4), {"colour": "red"})


def test_an_argument_that_was_changed_while_waiting_is_caught() -> None:
    hosts = ["a"]
    asking = question()
    flow = passage(OPERATIONS, asking, asking.bound(hosts))
    opened = next(flow)
    assert opened
    hosts.append("b")
    wire = hold("approved", **A)
    redeem = flow.send(response(201, wire))
    assert isinstance(redeem, Request)
    assert redeem.body is not None
    assert redeem.body["digest"] != wire["digest"]
    flow.send(response(409, problem("stale_digest")))
    with pytest.raises(ActionChanged, match="deploy"):
        flow.send(response(200, wire))


def test_what_runs_is_a_copy_that_nobody_can_change_after_it_was_redeemed() -> None:
    hosts = ["a"]
    asking = question()
    wire = hold("approved", **A)
    passed, _ = drive(
        passage(OPERATIONS, asking, asking.bound(hosts)), response(201, wire), response(200, redeemed(wire))
    )
    hosts.append("b")
    assert passed.bound.args[0] == ["a"]


def test_amended_arguments_run() -> None:
    asking = question()
    amended = hold("approved", revision=2, **asked(hosts=["b"], extra=[1]))
    flow = passage(OPERATIONS, asking, asking.bound(["a"]))
    passed, sent = drive(flow, response(201, amended), response(200, redeemed(amended)))
    assert sent[1].body is not None
    assert sent[1].body["digest"] == amended["digest"]
    assert passed.bound.args == (["b"], "1.0", 1)


@pytest.mark.parametrize("args", [{}, {"surprise": 1}])
def test_an_amendment_that_the_function_cannot_take_does_not_run(args: dict[str, Any]) -> None:
    amended = hold(
        "approved", revision=2, action={"name": "deploy", "args": {**args, **A["action"]["args"]}, "target": None}
    )
    del amended["action"]["args"]["version"]
    asking = question()
    with pytest.raises(ActionChanged, match="version"):
        drive(passage(OPERATIONS, asking, asking.bound(["a"])), response(201, amended))


def test_an_amendment_to_another_action_does_not_run() -> None:
    amended = hold("approved", revision=2, action={**A["action"], "name": "destroy"})
    asking = question()
    flow = passage(OPERATIONS, asking, asking.bound(["a"]))
    with pytest.raises(ActionChanged):
        drive(flow, response(201, amended), response(409, problem("stale_digest")), response(200, amended))


def test_an_approval_amended_meanwhile_is_looked_at_again() -> None:
    asking = question()
    amended = hold("approved", revision=2, **asked(hosts=["b"]))
    flow = passage(OPERATIONS, asking, asking.bound(["a"]))
    passed, _ = drive(
        flow,
        response(201, hold("approved", **A)),
        response(409, problem("stale_digest")),
        response(200, amended),
        response(200, redeemed(amended)),
    )
    assert passed.bound.args == (["b"], "1.0")


@pytest.mark.parametrize("code", ["not_approved", "approval_void"])
def test_an_approval_that_is_gone_is_waited_for_again(code: str) -> None:
    asking = question()
    wire = hold("approved", **A)
    flow = passage(OPERATIONS, asking, asking.bound(["a"]))
    _, sent = drive(
        flow,
        response(201, wire),
        response(409, problem(code)),
        response(200, hold("pending", **A)),
        response(200, wire),
        response(200, redeemed(wire)),
    )
    assert [request.path.rsplit("/", 1)[-1] for request in sent] == ["holds", "redeem", HOLD_ID, "wait", "redeem"]
    assert sent[1] == sent[4]


@pytest.mark.parametrize("status", ["rejected", "expired", "cancelled", "answered"])
def test_anything_but_an_approval_is_a_no(status: str) -> None:
    wire = hold(status, **A)
    wire["decision"]["reason"] = "not on a Friday"
    asking = question()
    with pytest.raises(NotAllowed, match=f"{status}: not on a Friday") as raised:
        drive(passage(OPERATIONS, asking, asking.bound(["a"])), response(201, wire))
    assert raised.value.decision is not None
    assert raised.value.decision.by is not None
    assert raised.value.decision.by.name == ADA["name"]


@pytest.mark.parametrize("takes", [True, False])
def test_words_are_offered_on_request_and_are_a_no_with_a_response(takes: bool) -> None:
    wire = hold("answered", **A)
    wire["decision"]["answer"] = "ask legal first"
    asking = question(takes_response=takes)
    flow = passage(OPERATIONS, asking, asking.bound(["a"]))
    request = flow.send(None)
    assert isinstance(request, Request) and request.body is not None
    assert request.body.get("takes_response") == (True if takes else None)
    with pytest.raises(NotAllowed, match="answered: ask legal first") as raised:
        flow.send(response(201, wire))
    assert raised.value.response == "ask legal first"
    assert refusal("deploy", raised.value) == f"`deploy` was not run. {ADA['name']} responded instead: ask legal first"


USED = response(409, problem("already_redeemed", hold_id=HOLD_ID))
BEGUN = hold("approved", redeemed={"by": AGENT, "at": AT}, **A)
DONE = hold("approved", redeemed={"by": AGENT, "at": AT}, result={"outcome": "failed", "at": AT, "detail": None}, **A)


@pytest.mark.parametrize("idempotent", [True, False])
def test_what_ran_does_not_run_again(idempotent: bool) -> None:
    asking = question(key=lambda a: "k", idempotent=idempotent)
    with pytest.raises(AlreadyRan, match="failed") as raised:
        drive(passage(OPERATIONS, asking, asking.bound(["a"])), response(201, DONE))
    assert raised.value.result is not None
    assert raised.value.result.outcome == "failed"


def test_what_may_have_run_does_not_run_again() -> None:
    asking = question(key=lambda a: "k")
    with pytest.raises(MayHaveRun, match=r"2026-11-02") as raised:
        drive(passage(OPERATIONS, asking, asking.bound(["a"])), USED, response(200, BEGUN))
    assert not isinstance(raised.value, AlreadyRan)


def test_a_low_call_is_opened_and_used_by_one_request() -> None:
    asking = question()
    passed, sent = drive(passage(OPERATIONS, asking, asking.bound(["a"])), response(201, BEGUN))
    assert (passed.hold_id, passed.bound.args, passed.amended) == (HOLD_ID, (["a"], "1.0"), False)
    assert sent[0].body is not None
    assert sent[0].body["redeem"]["digest"] == BEGUN["digest"]


def test_what_was_used_as_amended_is_not_taken_for_ones_own() -> None:
    asking = question(key=lambda a: "k")
    amended = hold("approved", redeemed={"by": AGENT, "at": AT}, revision=2, **asked(hosts=["b"]))
    with pytest.raises(MayHaveRun):
        drive(passage(OPERATIONS, asking, asking.bound(["a"])), response(201, amended))


@pytest.mark.parametrize("kind", ["confirmation", "review"])
def test_what_always_asks_is_not_used_while_it_opens(kind: GateKind) -> None:
    asking = replace(question(), kind=kind)
    flow = passage(OPERATIONS, asking, asking.bound(["a"]))
    request = next(flow)
    assert isinstance(request, Request) and request.body is not None
    assert "redeem" not in request.body


def redemption_key(key: str, *, idempotent: bool = False) -> str:
    asking = question(key=lambda a: key, idempotent=idempotent)
    wire = hold("approved", **A)
    _, sent = drive(
        passage(OPERATIONS, asking, asking.bound(["a"])), response(201, wire), response(200, redeemed(wire))
    )
    assert sent[1].body is not None
    return sent[1].body["key"]


def test_what_may_run_twice_is_redeemed_with_the_same_key_again() -> None:
    asking = question(key=lambda a: "k", idempotent=True)
    flow = passage(OPERATIONS, asking, asking.bound(["a"]))
    _, [sent] = drive(flow, response(201, BEGUN))
    assert sent.body is not None
    assert sent.body["redeem"]["key"] == redemption_key("k", idempotent=True)
    assert sent.body["redeem"]["key"] != redemption_key("other", idempotent=True)


def test_two_attempts_with_one_key_cannot_both_redeem() -> None:
    assert redemption_key("k") != redemption_key("k")


@pytest.mark.parametrize("idempotent", [True, False])
def test_the_attempt_that_comes_second_does_not_run(idempotent: bool) -> None:
    asking = question(key=lambda a: "k", idempotent=idempotent)
    flow = passage(OPERATIONS, asking, asking.bound(["a"]))
    outcomes = response(201, hold("approved", **A)), response(409, problem("already_redeemed")), response(200, BEGUN)
    with pytest.raises(MayHaveRun):
        drive(flow, *outcomes)


def test_an_argument_that_is_not_json_is_named() -> None:
    asking = question()
    with pytest.raises(NotJson, match=r"argument `hosts` of deploy\(\)\[1\] holds a object"):
        drive(passage(OPERATIONS, asking, asking.bound(["a", object()])))


def test_the_target_may_be_a_parameter() -> None:
    def remove(user: int) -> None: ...

    assert question(remove, target="user").action({"user": 7}) == Action("remove", {"user": 7}, "7")


def test_a_success_is_recorded_without_the_value_and_a_failure_without_its_text() -> None:
    _, [request] = drive(record(OPERATIONS, HOLD_ID), response(200, DONE))
    assert request.body == {"outcome": "succeeded"}
    secret = ValueError("password hunter2")
    _, [request] = drive(record(OPERATIONS, HOLD_ID, secret), response(200, DONE))
    assert request.body == {"outcome": "failed", "detail": {"error": "ValueError"}}


def test_a_result_that_cannot_be_recorded_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    drive(record(OPERATIONS, HOLD_ID), CUT)
    assert HOLD_ID in caplog.text


async def coroutine() -> None: ...


def generator() -> Generator[int]:
    yield 1


async def async_generator() -> AsyncGenerator[int]:
    yield 1


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (generator, {}, "generator"),
        (async_generator, {}, "generator"),
        (functools.partial(deploy, []), {}, "no name"),
        (deploy, {"target": "planet"}, "planet"),
        (deploy, {"client": AsyncHandrail("http://h", "t")}, "pass a Handrail"),
        (coroutine, {"client": Handrail("http://h", "t")}, "pass an AsyncHandrail"),
    ],
)
def test_a_gate_that_could_not_work_is_refused_at_once(
    function: Callable[..., object], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        gate(**options)(function)


def test_a_wrong_call_is_refused_before_anybody_is_asked() -> None:
    with pytest.raises(TypeError, match="hosts"):
        gate(client=Handrail("http://h", "t"))(deploy)()  # pyright: ignore[reportCallIssue] - the wrong call


def test_a_gated_function_keeps_its_name_and_signature() -> None:
    gated = gate()(deploy)
    assert gated.__name__ == "deploy"
    assert inspect.signature(gated) == inspect.signature(deploy)
