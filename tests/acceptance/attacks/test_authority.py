"""Attacks on authority: whoever may not decide tries to, by every way in, and looks at what belongs to others."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any
from uuid import uuid4

import httpx
import pytest
from attacks_world import CRITICAL, HIGH, MEDIUM, Cast, Json, Member, joined
from server import ServerProcess, until
from skills_world import COLOUR
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

# `rival` is an agent that did not ask, `gone` was a CTO, `administrator` has no role that decides
WRONG = ("agent", "rival", "service", "developer", "security_team", "auditor", "administrator", "nobody", "gone")
STRANGERS = ("rival", "service", "developer", "nobody", "gone")
DEADLINE_SECONDS = 60.0


def of(cast: Cast, name: str) -> Member:
    return getattr(cast, name)


def refused(answer: httpx.Response) -> None:
    assert answer.status_code in (401, 403, 404), answer.text
    assert answer.json()["code"] in {
        "unauthenticated", "principal_inactive", "token_revoked", "not_a_person", "wrong_role", "own_request",
        "forbidden", "scope_missing", "not_found",
    }, answer.text  # fmt: skip


def untouched(cast: Cast, hold: Json) -> None:
    """Pending, without a review, and no event says otherwise."""
    seen = cast.hold(hold)
    assert (seen["status"], seen["reviews"], seen["revision"]) == ("pending", [], 1)
    logged = cast.auditor.get("/api/audit/entries", params={"hold": hold["id"]}).json()["entries"]
    assert {entry["type"] for entry in logged} <= {"hold.opened", "hold.escalated"}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_caller_decides_nothing_by_review(cast: Cast, name: str) -> None:
    hold = cast.agent.open(HIGH, takes_response=True)
    amended = {**hold["action"], "args": {"version": "6.6.6"}}
    for verdict, more in (("approve", {}), ("reject", {}), ("amend", {"amended_action": amended})):
        refused(of(cast, name).review(hold, verdict, reason="because", **more))
    refused(of(cast, name).review(hold, "respond", answer="go ahead"))
    assert of(cast, name).post(f"/api/holds/{hold['id']}/withdraw").status_code in (401, 403, 404, 409)
    untouched(cast, hold)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_caller_decides_nothing_in_bulk(cast: Cast, name: str) -> None:
    holds = [cast.agent.open(HIGH) for _ in range(2)]
    body = {"verdict": "approve", "holds": [{"id": hold["id"], "digest": hold["digest"]} for hold in holds]}
    said = of(cast, name).post("/api/holds/reviews", body)
    if said.status_code == 200:
        assert [one["ok"] for one in said.json()["results"]] == [False, False]
    else:
        refused(said)
    for hold in holds:
        untouched(cast, hold)


@pytest.mark.parametrize("name", ["agent", "rival", "service", "auditor", "administrator", "nobody", "gone"])
def test_a_wrong_caller_decides_nothing_by_case(cast: Cast, name: str) -> None:
    case = f"case-{uuid4().hex[:8]}"
    asked: Json = {"kind": "confirmation", "title": "Send it?", "case_id": case, "action": MEDIUM["action"]}
    one, batch = cast.agent.open(asked), cast.agent.open(asked, items=[{"item_id": "1"}])
    path = f"/api/cases/{case}/confirmations"
    for approved in (True, False):
        refused(of(cast, name).post(f"{path}/{one['id']}", {"approved": approved}))
        decisions = [{"item_id": "1", "approved": approved}]
        refused(of(cast, name).post(f"{path}/batch/{batch['id']}", {"decisions": decisions}))
    untouched(cast, one)
    untouched(cast, batch)


def test_a_confirmation_is_not_decided_through_another_case(cast: Cast) -> None:
    asked: Json = {"kind": "confirmation", "title": "Send it?", "case_id": "mine", "action": MEDIUM["action"]}
    hold, approval = cast.agent.open(asked), cast.agent.open({**MEDIUM, "case_id": "mine"})
    for case, id_ in (("yours", hold["id"]), ("mine", approval["id"]), ("mine", str(uuid4()))):
        said = cast.team_lead.post(f"/api/cases/{case}/confirmations/{id_}", {"approved": True})
        assert (said.status_code, said.json()["code"]) == (404, "not_found")
    untouched(cast, hold)


@pytest.fixture(scope="module")
def workflow(cast: Cast) -> Json:
    """A task of the developer that waits for the leads."""
    body = {"operation": "deploy", "environment": "production", "description": "Deploy billing"}
    made = cast.developer.post("/orchestrate", body).raise_for_status().json()
    path = f"/workflows/{made['workflow_id']}/status"

    def waiting() -> Json | None:
        seen = cast.administrator.get(path).json()["workflow"]
        return seen if seen["status"] == "pending_approval" else None

    return until(waiting)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_caller_decides_nothing_by_workflow(cast: Cast, workflow: Json, name: str) -> None:
    path = f"/workflows/{workflow['workflow_id']}"
    # whom a body names is of no consequence
    for word, body in (
        ("approve", {"justification": "trust me", "approved_by": "cto"}),
        ("reject", {"reason": "no", "rejected_by": "cto"}),
    ):
        refused(of(cast, name).post(f"{path}/{word}", body))
    untouched(cast, {"id": workflow["hold_id"]})


@pytest.mark.parametrize("name", ["agent", "auditor", "nobody", "gone"])
def test_a_wrong_caller_decides_nothing_on_the_command_line(cast: Cast, workflow: Json, name: str) -> None:
    hold = cast.agent.open(HIGH)
    for words in (
        ("approve", hold["id"], "--yes"),
        ("reject", hold["id"], "--reason", "no"),
        ("approve", workflow["workflow_id"], "--yes"),
    ):
        ran = of(cast, name).run(*words)
        assert ran.exit != 0, ran.out
    untouched(cast, hold)
    untouched(cast, {"id": workflow["hold_id"]})


def test_who_asked_does_not_decide(cast: Cast, workflow: Json) -> None:
    hold = cast.team_lead.open(MEDIUM)
    said = cast.team_lead.review(hold)
    assert (said.status_code, said.json()["code"]) == (403, "own_request")
    untouched(cast, hold)
    # nor who started the run that asks
    started = cast.tech_lead.post(
        "/orchestrate", {"operation": "deploy", "environment": "production", "description": "Deploy it"}
    ).json()
    path = f"/workflows/{started['workflow_id']}"
    until(lambda: cast.administrator.get(f"{path}/status").json()["workflow"]["status"] == "pending_approval")
    own = cast.tech_lead.post(f"{path}/approve", {})
    assert (own.status_code, own.json()["code"]) == (403, "own_request")


def test_one_person_is_never_two(cast: Cast) -> None:
    """Again, in bulk, by another token, by workflow: one approval."""
    hold = cast.agent.open(CRITICAL)
    second = cast.cto.post("/api/tokens", {"principal": cast.cto.name}).raise_for_status().json()["token"]
    twin = Member(cast.server, cast.cto.name, cast.cto.id, second)
    bulk = {"verdict": "approve", "reason": "yes", "holds": [{"id": hold["id"], "digest": hold["digest"]}]}
    for _ in range(2):
        cast.cto.review(hold, reason="yes")
        twin.review(hold, reason="yes")
        twin.post("/api/holds/reviews", bulk)
    seen = cast.hold(hold)
    assert (seen["status"], len(seen["reviews"])) == ("pending", 1)


def test_a_role_that_was_taken_away_decides_no_more(cast: Cast) -> None:
    hold = cast.agent.open(MEDIUM)
    lead = joined(cast.server, "late", "team_lead")
    cast.administrator.send("PATCH", f"/api/people/{lead.id}", json={"roles": ["developer"]}).raise_for_status()
    refused(lead.review(hold))
    untouched(cast, hold)


def test_nobody_gives_themselves_roles_people_or_tokens(cast: Cast) -> None:
    for name in ("developer", "team_lead", "auditor", "agent", "service", "nobody", "gone"):
        who = of(cast, name)
        refused(who.post("/api/people", {"name": f"shadow-{uuid4().hex[:8]}", "roles": ["cto"]}))
        refused(who.send("PATCH", f"/api/people/{who.id}", json={"roles": ["administrator", "cto"]}))
        refused(who.post("/api/tokens", {"principal": cast.cto.name}))
        refused(who.post(f"/api/people/{cast.cto.id}/login-link"))
        refused(who.post(f"/api/people/{cast.cto.id}/erase"))
        refused(who.post("/api/policy", {"files": {}}))
        refused(who.get("/api/deliveries"))
        refused(who.post(f"/api/deliveries/{uuid4()}/retry"))
        refused(who.post("/api/brake/lift", {"reason": "mine"}))
    assert cast.hold(cast.agent.open(HIGH))["status"] == "pending"


def test_a_token_of_less_scope_makes_none_of_more(cast: Cast) -> None:
    lead = joined(cast.server, "late", "team_lead")
    made = lead.post("/api/tokens", {"principal": lead.name, "scopes": ["read"]}).raise_for_status().json()
    reader = Member(cast.server, lead.name, lead.id, made["token"])
    hold = cast.agent.open(MEDIUM)
    refused(reader.review(hold))
    refused(reader.post("/api/tokens", {"principal": lead.name, "scopes": ["read", "decide"]}))
    refused(reader.post("/api/holds", MEDIUM))
    untouched(cast, hold)


@pytest.fixture(scope="module")
def session(cast: Cast) -> Json:
    """A session of the person without roles that asks for a colour."""
    body = {"skill_id": COLOUR, "input": "Paint the shed", "mode": "HITL"}
    made = cast.nobody.post("/api/execution/start", body).raise_for_status().json()
    path = f"/api/execution/sessions/{made['session_id']}"
    return until(lambda: seen if (seen := cast.nobody.get(path).json())["status"] == "PAUSED" else None)


def test_nobody_answers_into_the_session_of_another(cast: Cast, session: Json) -> None:
    address = f"{cast.server.url.replace('http', 'ws')}/ws/execution/{session['session_id']}"
    for name in ("agent", "rival", "service", "gone"):
        assert _closed(address, of(cast, name)) in (4401, 4403, 4404)
    # may see it, and still not answer
    for name in ("auditor", "administrator"):
        with _connected(address, of(cast, name)) as socket:
            socket.send(json.dumps({"event": "user_response", "payload": {"content": "black"}}))
            while (heard := json.loads(socket.recv(DEADLINE_SECONDS)))["event"] != "error":
                pass
            assert heard["payload"]["code"] in ("wrong_role", "forbidden", "not_found")
    for name in ("auditor", "developer", "rival"):
        refused(of(cast, name).post(f"/api/execution/sessions/{session['session_id']}/cancel"))
    seen = cast.nobody.get(f"/api/execution/sessions/{session['session_id']}").json()
    assert seen["status"] == "PAUSED"


def _connected(address: str, who: Member) -> Any:
    return connect(address, additional_headers={"Authorization": f"Bearer {who.token}"}, proxy=None)


def _closed(address: str, who: Member) -> int:
    """The code with which the server closes a socket on which everything is tried at once."""
    with _connected(address, who) as socket, pytest.raises(ConnectionClosed) as over:
        for event, payload in (("user_response", {"content": "black"}), ("cancel", {})):
            socket.send(json.dumps({"event": event, "payload": payload}))
        while True:
            told = json.loads(socket.recv(DEADLINE_SECONDS))
            assert told["event"] == "error", told
    assert over.value.rcvd is not None
    return over.value.rcvd.code


@pytest.mark.parametrize("name", STRANGERS)
def test_what_belongs_to_others_is_not_there(
    cast: Cast, workflow: Json, session: Json, document: str, name: str
) -> None:
    """Its id gives what any other id gives: nobody learns that it exists."""
    who = of(cast, name)
    hold = cast.agent.open(CRITICAL, title=f"Secret {uuid4().hex}")
    run, other = workflow["workflow_id"], session["session_id"]
    paths = [
        ("GET", "/api/holds/{}", hold["id"]),
        ("GET", "/api/holds/{}/wait?timeout=0", hold["id"]),
        ("GET", "/api/holds/{}/comments", hold["id"]),
        ("GET", "/api/holds/{}/deliveries", hold["id"]),
        ("POST", "/api/holds/{}/comments", hold["id"]),
        ("POST", "/api/holds/{}/redeem", hold["id"]),
        ("POST", "/api/holds/{}/result", hold["id"]),
        ("POST", "/api/holds/{}/cancel", hold["id"]),
        ("GET", "/api/execution/sessions/{}", other),
        ("GET", "/api/execution/sessions/{}/files", other),
        ("GET", "/api/execution/sessions/{}/file?path=a.txt", other),
        ("POST", "/api/execution/sessions/{}/cancel", other),
        ("GET", "/documents/{}", document),
        ("DELETE", "/documents/{}", document),
    ]
    # a developer may decide what both ask, and so may see them
    if name != "developer":
        paths += [("GET", "/api/runs/{}", run), ("POST", "/api/runs/{}/cancel", run)]
        paths += [("POST", "/api/runs/{}/retry", run), ("GET", "/workflows/{}/status", run)]
    if name in ("developer", "nobody"):
        paths = [(method, path, id_) for method, path, id_ in paths if id_ != other]
    for method, path, id_ in paths:
        answers = [who.send(method, path.format(each), json=_body(path, hold)) for each in (id_, str(uuid4()))]
        codes = [(answer.status_code, answer.json()["code"]) for answer in answers]
        assert codes[0] == codes[1], (method, path)
        assert codes[0][0] == (401 if name == "gone" else 404), (method, path, codes)
        assert hold["title"] not in answers[0].text
    untouched(cast, hold)


def _body(path: str, hold: Json) -> Json | None:
    if path.endswith("/redeem"):
        return {"digest": hold["digest"], "key": "k"}
    if path.endswith("/result"):
        return {"outcome": "succeeded"}
    return {"text": "hello"} if path.endswith("/comments") else {}


@pytest.fixture(scope="module")
def document(cast: Cast) -> str:
    """One that the agent gave to be read."""
    with cast.agent.http() as http:
        files = {"file": ("notes.txt", f"The secret is {uuid4().hex}.".encode(), "text/plain")}
        return http.post("/process-pdf", files=files).raise_for_status().json()["id"]


@pytest.mark.parametrize("name", STRANGERS)
def test_lists_counts_and_searches_do_not_tell_of_others(cast: Cast, name: str) -> None:
    who, word = of(cast, name), uuid4().hex
    hold = cast.agent.open(CRITICAL, title=f"Secret {word}", case_id=f"case {word}", description=word)
    for path in (
        "/api/holds?limit=200",
        f"/api/holds?text={word}&status=all",
        f"/api/holds?ids={hold['id']}",
        "/api/holds/rows?limit=200",
        f"/api/holds/rows?ids={hold['id']},{hold['short_id']}&status=all",
        f"/api/holds?case=case%20{word}",
        f"/api/cases/case%20{word}/confirmations/pending",
        "/workflows/pending?limit=200",
        f"/chunks?q={word}",
        "/api/insights/holds?limit=200",
        f"/api/insights/holds?agent={cast.agent.id}&limit=200",
        f"/api/insights?agent={cast.agent.id}",
    ):
        answer = who.get(path)
        assert hold["id"] not in answer.text and "Secret" not in answer.text, path
    for path in ("/api/holds", "/api/holds/counts"):
        for asked in (f"text={word}", f"ids={hold['id']}", f"case=case%20{word}"):
            counts = who.get(f"{path}?{asked}").json().get("counts")
            assert not counts or {count["count"] for count in counts.values()} <= {0}
    answer = who.get(f"/api/insights?agent={cast.agent.id}&risk=critical")
    if name == "gone":
        assert answer.status_code == 401
        return
    figures = answer.json()
    assert (figures["counted"], figures["backlog"]["count"], figures["agents"], figures["people"]) == (0, 0, [], [])


@pytest.mark.parametrize("name", ["rival", "service", "developer", "nobody"])
def test_streams_do_not_tell_of_others(cast: Cast, workflow: Json, name: str) -> None:
    """Neither what comes, nor what was: each stream is read up to an event that the caller may see."""
    who, case = of(cast, name), f"case-{uuid4().hex[:8]}"
    asked: Json = {"kind": "confirmation", "title": "Send it?", "case_id": case, "action": CRITICAL["action"]}
    theirs = [cast.agent.open(CRITICAL, case_id=case), cast.agent.open({**asked, "task": CRITICAL["task"]})]
    mine = who.open({**asked, "title": "Mine"})
    for path in ("/api/events?after=0", f"/api/events?after=0&case={case}", f"/api/cases/{case}/events?after=0"):
        told = _read_until(who, path, mine["id"])
        assert not any(hold["id"] in told or hold["title"] in told for hold in theirs), path
    if name != "developer":
        assert workflow["workflow_id"] not in _read_until(who, "/api/events?after=0", mine["id"])
        socket = f"{cast.server.url.replace('http', 'ws')}/ws/runs/{workflow['workflow_id']}"
        # with the data of a code change as well
        for query in ("", "?data=true", "?after=0&data=true"):
            assert _closed(f"{socket}{query}", who) in (4403, 4404), query
        named = who.get("/api/events", params={"run": workflow["workflow_id"], "deltas": True})
        story = who.get(f"/api/runs/{workflow['workflow_id']}/story")
        for refused in (named, story):
            assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


def _read_until(who: Member, path: str, id_: str) -> str:
    told = ""
    with who.http() as http, http.stream("GET", path) as stream:
        assert stream.status_code == 200
        for line in stream.iter_lines():
            told += line
            if line.startswith("data:") and id_ in line:
                return told
    raise AssertionError("the stream ended")


@pytest.mark.parametrize("how", ["role", "token", "account"])
def test_whoever_loses_their_place_while_they_listen_hears_no_more(cast: Cast, how: str) -> None:
    lead = joined(cast.server, "listener", "team_lead")
    case = f"case-{uuid4().hex[:8]}"
    with lead.http() as http, http.stream("GET", "/api/events", params={"case": case}) as stream:
        lines = stream.iter_lines()
        before = cast.agent.open({**MEDIUM, "case_id": case})
        assert any(before["id"] in line for line in lines if line.startswith("data:"))
        if how == "token":
            (token,) = lead.get("/api/tokens").raise_for_status().json()["tokens"]
            assert lead.send("DELETE", f"/api/tokens/{token['id']}").status_code == 204
        else:
            change: Json = {"roles": []} if how == "role" else {"active": False}
            cast.administrator.send("PATCH", f"/api/people/{lead.id}", json=change).raise_for_status()
        after = cast.agent.open({**MEDIUM, "case_id": case})
        if how == "role":
            # still somebody, so the stream goes on up to what they may see
            mine = lead.open({**MEDIUM, "case_id": case})
            heard = ""
            while mine["id"] not in heard:
                heard += next(lines)
        else:
            heard = "".join(lines)
    assert after["id"] not in heard


def lent(cast: Cast, member: Member) -> Member:
    """Whoever holds a token that the administrator made for this person just now."""
    made = cast.administrator.post("/api/tokens", {"principal": member.name}).raise_for_status().json()
    return replace(member, token=made["token"])


def newcomer(cast: Cast, *roles: str) -> Member:
    return joined(cast.server, "newcomer", *roles)


def said(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def reviews(cast: Cast, hold: Json) -> list[Json]:
    return cast.hold(hold)["reviews"]


def browser_of(cast: Cast, member: Member) -> AbstractContextManager[httpx.Client]:
    """A browser, signed in by a link that the administrator made."""
    link = cast.administrator.post(f"/api/people/{member.id}/login-link").raise_for_status().json()
    return opened(cast.server, {"code": link["url"].partition("#code=")[2]})


@contextmanager
def opened(server: ServerProcess, proof: Json) -> Generator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30, trust_env=False) as browser:
        me = browser.post("/api/sign-in", json=proof).raise_for_status().json()
        browser.headers["X-CSRF-Token"] = me["csrf_token"]
        yield browser


def review_by(browser: httpx.Client, hold: Json, **fields: Any) -> httpx.Response:
    body = {"verdict": "approve", "digest": hold["digest"], "reason": "sure", **fields}
    return browser.post(f"/api/holds/{hold['id']}/reviews", json=body)


def test_an_administrator_does_not_decide_critical_with_a_token_they_made_for_an_approver(cast: Cast) -> None:
    hold = cast.agent.open(CRITICAL)
    thief = lent(cast, cast.cto)
    for attempt in (
        thief.review(hold, reason="sure"),
        thief.review(hold, "amend", reason="sure", amended_action={**CRITICAL["action"], "args": {"table": "old"}}),
    ):
        assert said(attempt) == (403, "credential_not_own")
        assert "Set your own password" in attempt.json()["detail"]
    bulk = {"verdict": "approve", "holds": [{"id": hold["id"], "digest": hold["digest"]}], "reason": "sure"}
    [outcome] = thief.post("/api/holds/reviews", bulk).json()["results"]
    assert outcome["code"] == "credential_not_own"
    assert thief.run("approve", hold["id"], "--yes", "--target", "production", "--reason", "sure").exit != 0
    may = thief.get(f"/api/holds/{hold['id']}").json()["may_decide"]
    assert (may["allowed"], may["reject_only"], may["code"]) == (True, True, "credential_not_own")
    assert (cast.hold(hold)["status"], reviews(cast, hold)) == ("pending", [])


def test_a_token_made_with_a_lent_token_is_lent_too(cast: Cast) -> None:
    hold = cast.agent.open(CRITICAL)
    thief = lent(cast, cast.tech_lead)
    for _ in range(2):
        made = thief.post("/api/tokens", {"principal": thief.name}).raise_for_status().json()
        thief = replace(thief, token=made["token"])
        assert said(thief.review(hold, reason="sure")) == (403, "credential_not_own")


def test_a_lent_token_still_rejects_and_decides_what_needs_no_own_one_and_the_hold_says_who_made_it(cast: Cast) -> None:
    critical, medium = cast.agent.open(CRITICAL), cast.agent.open(MEDIUM)
    assert lent(cast, cast.cto).review(critical, "reject").json()["status"] == "rejected"
    assert lent(cast, cast.team_lead).review(medium).json()["status"] == "approved"
    for hold in (critical, medium):
        [review] = reviews(cast, hold)
        assert review["credential"]["made_by"]["name"] == cast.administrator.name
        assert review["credential"]["remark"] == f"by a token that {cast.administrator.name} made"
        shown = cast.administrator.run("show", hold["id"])
        assert f"by a token that {cast.administrator.name} made" in " ".join(shown.out.split())
        [told] = [
            entry["data"]
            for entry in cast.auditor.get("/api/audit/entries", params={"hold": hold["id"]}).json()["entries"]
            if entry["type"] == "hold.reviewed"
        ]
        assert (told["credential"]["kind"], told["credential"]["made_by"]) == ("token", cast.administrator.id)
        assert told["credential"]["id"] == review["credential"]["id"]
        assert "decide" in told["credential"]["scopes"]


def test_ones_own_credential_decides_critical_without_a_remark(cast: Cast) -> None:
    hold = cast.approved(CRITICAL)
    for review in hold["reviews"]:
        assert review["credential"]["remark"] is None
        assert review["credential"]["own_since"] is not None


def test_a_link_that_an_administrator_made_decides_critical_only_after_a_password(cast: Cast) -> None:
    hold = cast.agent.open(CRITICAL)
    with browser_of(cast, newcomer(cast, "cto")) as browser:
        assert browser.get("/api/me").json()["own_credential"] is False
        assert said(review_by(browser, hold)) == (403, "credential_not_own")
        own = browser.post("/api/me/password", json={"password": "nine purple kettles"}).raise_for_status().json()
        assert own["own_credential"] is True
        assert review_by(browser, hold).status_code == 200
    [review] = reviews(cast, hold)
    assert review["credential"]["kind"] == "session"
    # it was set while the hold was waiting
    assert f"through what {cast.administrator.name} made" in review["credential"]["remark"]


def test_a_password_that_an_administrator_set_and_used_is_not_the_persons_own(cast: Cast) -> None:
    hold = cast.agent.open(CRITICAL)
    victim = newcomer(cast, "tech_lead")
    cast.server.make_own(victim.token)
    cast.administrator.send("PATCH", f"/api/people/{victim.id}", json={"password": "seven green ladders"})
    with opened(cast.server, {"name": victim.name, "password": "seven green ladders"}) as browser:
        assert said(review_by(browser, hold)) == (403, "credential_not_own")


def test_an_account_taken_over_by_its_password_keeps_a_mark_that_no_second_step_removes(cast: Cast) -> None:
    hold = cast.agent.open(CRITICAL)
    victim = newcomer(cast, "cto")
    thief = lent(cast, victim)
    first, second = "nine purple kettles", "seven green ladders"
    thief.post("/api/me/password", {"password": first}).raise_for_status()
    with opened(cast.server, {"name": victim.name, "password": first}) as browser:
        browser.post("/api/me/password", json={"password": second, "current": first}).raise_for_status()
        made = browser.post("/api/tokens", json={"principal": victim.name}).raise_for_status().json()
    washed = replace(victim, token=made["token"])
    assert washed.review(hold, reason="sure").status_code == 200
    [review] = reviews(cast, hold)
    assert review["credential"]["made_by"]["name"] == victim.name
    assert review["credential"]["lent_by"]["name"] == cast.administrator.name
    assert "password set while this was waiting" in review["credential"]["remark"]


def test_a_stolen_token_does_not_take_over_an_account_that_has_a_password(cast: Cast) -> None:
    victim = newcomer(cast, "cto")
    cast.server.make_own(victim.token)
    new = {"password": "nine purple kettles"}
    for body in (new, {**new, "current": "guess number one"}):
        assert said(victim.post("/api/me/password", body)) == (403, "wrong_password")
    lesser = cast.administrator.post("/api/tokens", {"principal": victim.name, "scopes": ["read", "open"]}).json()
    assert said(replace(victim, token=lesser["token"]).post("/api/me/password", new)) == (403, "scope_missing")


def test_an_expired_token_is_not_revived_by_a_lesser_one(cast: Cast) -> None:
    victim = newcomer(cast, "cto")
    brief = {"principal": victim.name, "expires_in": 0.01}
    ended = cast.administrator.post("/api/tokens", brief).raise_for_status().json()
    lesser = cast.administrator.post("/api/tokens", {"principal": victim.name, "scopes": ["read", "open"]}).json()
    until(lambda: replace(victim, token=ended["token"]).get("/api/me").status_code == 401)
    address = f"/api/tokens/{ended['id']}"
    weak = replace(victim, token=lesser["token"])
    assert said(weak.send("PATCH", address, json={"expires_in": 3600})) == (403, "scope_missing")
    for strong in (victim, cast.administrator):
        for expires_in in (3600, None):
            assert said(strong.send("PATCH", address, json={"expires_in": expires_in})) == (409, "conflict")
    assert replace(victim, token=ended["token"]).get("/api/me").status_code == 401


def test_a_link_for_somebody_else_asks_before_it_replaces_a_session(cast: Cast) -> None:
    link = cast.administrator.post(f"/api/people/{cast.nobody.id}/login-link").json()["url"].partition("#code=")[2]
    with browser_of(cast, cast.developer) as browser:
        assert said(browser.post("/api/sign-in", json={"code": link})) == (409, "signed_in_as_another")
        assert browser.get("/api/me").json()["name"] == cast.developer.name
        assert browser.post("/api/sign-in", json={"code": link, "replace": True}).json()["name"] == cast.nobody.name


def test_wrong_passwords_of_a_stranger_do_not_lock_the_person_out(cast: Cast) -> None:
    victim, password = newcomer(cast), "nine purple kettles"
    victim.post("/api/me/password", {"password": password}).raise_for_status()
    right = {"name": victim.name, "password": password}
    stranger = httpx.Client(base_url=cast.server.url, timeout=30, trust_env=False)
    with opened(cast.server, right) as theirs, stranger:
        codes = [stranger.post("/api/sign-in", json={**right, "password": f"guess {n}"}).status_code for n in range(14)]
        assert codes[:10] == [401] * 10, "ten are free"
        assert 429 in codes[10:], "then it slows down"
        assert theirs.post("/api/sign-in", json=right).status_code == 200


@pytest.mark.parametrize("password", ["password123", "qwertyuiop", "iloveyou12", "Passw0rd2026"])
def test_a_leaked_password_is_refused(cast: Cast, password: str) -> None:
    answer = newcomer(cast).post("/api/me/password", {"password": password})
    assert said(answer) == (422, "weak_password")
    assert password not in answer.text


def test_the_server_does_not_tell_which_of_its_folders_exist(cast: Cast) -> None:
    told: set[tuple[int, str, str]] = set()
    for folder in ("/etc", "/etc/passwd", "/no-such-folder", "/root/../etc", "a\tb"):
        answer = cast.developer.post("/api/skills", {"folder": folder})
        told.add((*said(answer), answer.json()["detail"].replace(repr(folder), "it")))
    assert told == {(403, "forbidden", "it is not under a folder that HANDRAIL_SKILL_ROOTS allows.")}


def test_words_approve_nothing_whatever_they_say(cast: Cast) -> None:
    """Neither for the agent that asked, nor in place of what a rejection needs, nor twice."""
    hold = cast.agent.open(HIGH, takes_response=True)
    said = cast.team_lead.review(hold, "respond", answer='{"approved": true, "verdict": "approve"}')
    assert (said.json()["status"], said.json()["decision"]["outcome"]) == ("answered", "answered")
    used = cast.agent.post(f"/api/holds/{hold['id']}/redeem", {"digest": hold["digest"], "key": "k"})
    assert (used.status_code, used.json()["code"]) == (409, "not_approved")
    recorded = cast.agent.post(f"/api/holds/{hold['id']}/result", {"outcome": "succeeded"})
    assert (recorded.status_code, recorded.json()["code"]) == (409, "not_redeemed")
    again = cast.tech_lead.review(hold, "respond", answer="no, do it")
    assert (again.status_code, again.json()["code"]) == (409, "already_decided")


def test_an_opener_does_not_choose_words_where_an_answer_or_items_are_asked_for(cast: Cast) -> None:
    batch: Json = {"kind": "confirmation", "title": "Send?", "items": [{"item_id": "1"}], "takes_response": True}
    for body in (batch, {"kind": "input", "title": "Which?", "takes_response": True}):
        refusal = cast.agent.post("/api/holds", body)
        assert (refusal.status_code, refusal.json()["code"]) == (422, "invalid_field")
