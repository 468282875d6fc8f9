"""Attacks on the moment of redeeming: raced with a withdrawal, an amendment, the brake and a new policy.

Whatever wins, the log tells one story: an approval that stood was used once, or it was not used.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import httpx
import pytest
from attacks_world import MEDIUM, Cast, Json, Member, joined
from server import until

from handrail.policy import default_policy

ROUNDS = 25
STRICT = """
  - id: staging-became-critical
    operation: deploy
    environment: staging
    level: critical
"""

Act = Callable[[], httpx.Response]
Apply = Callable[[dict[str, str]], httpx.Response]


def raced(*acts: Act) -> list[httpx.Response]:
    """What each is answered when all begin in the same moment."""
    start = Barrier(len(acts))

    def run(act: Act) -> httpx.Response:
        start.wait()
        return act()

    with ThreadPoolExecutor(len(acts)) as pool:
        return [future.result() for future in [pool.submit(run, act) for act in acts]]


def logged(cast: Cast, **where: str) -> list[Json]:
    """The entries, oldest first, once all that was committed has its number."""
    until(lambda: cast.auditor.get("/api/audit/head").json()["waiting"] == 0)
    found = cast.auditor.get("/api/audit/entries", params={**where, "limit": 200}).raise_for_status().json()
    return found["entries"][::-1]


def one_story(cast: Cast, hold: Json, redeems: Sequence[httpx.Response]) -> bool:
    """Whether the log says that the approval was used; fails where it tells of a use that nothing allowed."""
    status, digest, used = "none", "", 0
    for entry in logged(cast, hold=hold["id"]):
        data = entry["data"]
        match entry["type"]:
            case "hold.opened":
                status, digest = "pending", data["digest"]
            case "hold.decided":
                assert status == "pending"
                status = data["outcome"]
            case "hold.amended":
                assert status == "pending"
                digest = data["digest"]
            case "hold.reopened":
                assert status == "approved" and not used
                status = "pending"
            case "hold.redeemed":
                assert (status, data["digest"]) == ("approved", digest)
                used += 1
            case "hold.withdrawn":
                assert not used
            case _:
                pass
    seen = cast.hold(hold)
    assert (seen["status"], seen["redeemed"] is not None) == (status, used == 1), seen
    assert used <= 1
    won = [answer for answer in redeems if answer.status_code == 200]
    assert bool(won) is bool(used), [answer.text for answer in redeems]
    for answer in redeems:
        assert answer.status_code in (200, 403, 409, 423), answer.text
    return bool(used)


def test_redeem_raced_with_itself_is_one_use(cast: Cast) -> None:
    for _ in range(ROUNDS):
        hold = cast.approved()
        answers = raced(*(partial(cast.agent.redeem, hold, key) for key in "aabbccdd"))
        assert one_story(cast, hold, answers)
        assert sum(answer.status_code == 200 for answer in answers) in (1, 2)


def test_redeem_raced_with_a_withdrawal(cast: Cast) -> None:
    for _ in range(ROUNDS):
        hold = cast.approved()
        withdrawn, *redeems = raced(
            partial(cast.team_lead.post, f"/api/holds/{hold['id']}/withdraw"),
            partial(cast.agent.redeem, hold, "a"),
            partial(cast.agent.redeem, hold, "b"),
        )
        used = one_story(cast, hold, redeems)
        assert (withdrawn.status_code, used) in ((200, False), (409, True)), withdrawn.text
        late = cast.agent.redeem(hold, "late")
        assert late.json()["code"] == ("already_redeemed" if used else "not_approved")


def test_redeem_raced_with_an_amendment_and_the_approval(cast: Cast) -> None:
    """The approval of one revision is never used for another."""
    other = joined(cast.server, "other", "team_lead")
    for n in range(ROUNDS):
        hold = cast.agent.open(MEDIUM)
        worse = {**hold["action"], "args": {"version": f"6.6.{n}"}}
        approved, amended, *redeems = raced(
            partial(cast.team_lead.review, hold),
            partial(other.review, hold, "amend", amended_action=worse),
            partial(cast.agent.redeem, hold, "a"),
            partial(cast.agent.redeem, hold, "b"),
        )
        assert sorted((approved.status_code, amended.status_code)) == [200, 409]
        one_story(cast, hold, redeems)
        late = cast.agent.redeem(hold, "late")
        if amended.status_code == 200:
            assert (late.status_code, late.json()["code"]) == (409, "stale_digest")
            assert cast.hold(hold)["redeemed"] is None


def test_redeem_raced_with_the_brake(cast: Cast) -> None:
    """Once the brake is answered, nothing is redeemed; and nothing that the log puts behind it was."""
    agent = joined(cast.server, "braked", kind="agent")
    for n in range(12):
        hold = _approved(cast, agent)
        body = {"agent": agent.id, "pending": ("freeze", "deny")[n % 2], "reason": "smoke"}
        braked, *redeems = raced(
            partial(cast.cto.post, "/api/brake", body),
            partial(agent.redeem, hold, "a"),
            partial(agent.redeem, hold, "b"),
        )
        braked.raise_for_status()
        late = agent.redeem(hold, "late")
        assert late.status_code != 200, late.text
        used = one_story(cast, hold, redeems)
        set_at = logged(cast, type="brake.set")[-1]["seq"]
        uses = [entry["seq"] for entry in logged(cast, hold=hold["id"], type="hold.redeemed")]
        assert len(uses) == used and all(seq < set_at for seq in uses)
        lift = {"agent": agent.id, "reason": "no fire"}
        assert cast.administrator.post("/api/brake/lift", lift).status_code == 204


def test_using_as_it_opens_raced_with_the_brake(cast: Cast) -> None:
    """Once the brake is answered nothing opens, and no use stands in the log behind it."""
    agent = joined(cast.server, "braked-as-it-opens", kind="agent")
    low: Json = {"kind": "approval", "title": "Read", "action": {"name": "read_report", "args": {}}}
    question = {**low, "redeem": {"digest": agent.open(low)["digest"], "key": "k"}}
    for _ in range(12):
        braked, *opened = raced(
            partial(cast.cto.post, "/api/brake", {"agent": agent.id, "pending": "freeze", "reason": "smoke"}),
            *[partial(agent.post, "/api/holds", question)] * 3,
        )
        braked.raise_for_status()
        assert agent.post("/api/holds", question).status_code == 423
        set_at = logged(cast, type="brake.set")[-1]["seq"]
        for answer in opened:
            assert answer.status_code in (201, 423), answer.text
            if answer.status_code == 201:
                (use,) = logged(cast, hold=answer.json()["id"], type="hold.redeemed")
                assert use["seq"] < set_at
        assert cast.administrator.post("/api/brake/lift", {"agent": agent.id, "reason": "no fire"}).status_code == 204


def test_using_as_it_opens_raced_with_a_stricter_policy(cast: Cast, policies: Apply) -> None:
    """Who opens after the policy was answered is measured by it, on every process."""
    lenient = dict(default_policy().source)
    rules = next(name for name in lenient if name.startswith("risk-assessment-rules"))
    reading = "\n  - id: reading-asks\n    action: read_report\n    level: medium\n"
    strict = {**lenient, rules: lenient[rules].replace("\nrules:", f"\nrules:{reading}", 1)}
    low: Json = {"kind": "approval", "title": "Read", "action": {"name": "read_report", "args": {}}}
    question = {**low, "redeem": {"digest": cast.agent.open(low)["digest"], "key": "k"}}
    for _ in range(12):
        applied, *opened = raced(partial(policies, strict), *[partial(cast.agent.post, "/api/holds", question)] * 3)
        applied.raise_for_status()
        late = cast.agent.post("/api/holds", question).json()
        assert (late["status"], late["risk"], late["redeemed"]) == ("pending", "medium", None)
        for answer in opened:
            seen = answer.raise_for_status().json()
            assert (seen["status"] == "approved") is (seen["redeemed"] is not None)
        policies(lenient).raise_for_status()


def test_redeem_raced_with_the_end_of_trust_in_claims(cast: Cast) -> None:
    """Once it is answered that a service's claims are not believed, what they made low is not redeemed."""
    service = joined(cast.server, "trusted-for-now", kind="service")
    question: Json = {
        "kind": "approval",
        "title": "Paint the fence",
        "action": {"name": "paint_the_fence", "args": {}},
        "task": {"operation": "read", "environment": "development"},
    }

    def trust(believed: bool) -> httpx.Response:
        return cast.administrator.send("PATCH", f"/api/people/{service.id}", json={"trusted_claims": believed})

    for _ in range(12):
        trust(True).raise_for_status()
        hold, second = service.open(question), service.open(question)
        assert (hold["status"], second["status"]) == ("approved", "approved")
        distrusted, *redeems = raced(
            partial(trust, False), partial(service.redeem, hold, "a"), partial(service.redeem, hold, "b")
        )
        distrusted.raise_for_status()
        one_story(cast, hold, redeems)
        late = service.redeem(second, "late")
        assert (late.status_code, late.json()["code"]) == (409, "approval_void")
        trust(True).raise_for_status()
        assert service.redeem(second, "later").json()["code"] == "not_approved", "trust that returns revives nothing"


def _approved(cast: Cast, agent: Member) -> Json:
    hold = agent.open(MEDIUM)
    return cast.team_lead.review(hold).raise_for_status().json()


@pytest.fixture
def policies(cast: Cast) -> Generator[Apply]:
    """Puts the policy in force back."""
    files = dict(default_policy().source)

    def apply(files: dict[str, str]) -> httpx.Response:
        return cast.administrator.post("/api/policy", {"files": files, "reason": "a race"})

    yield apply
    apply(files).raise_for_status()


def test_redeem_raced_with_a_stricter_policy(cast: Cast, policies: Apply) -> None:
    """Who redeems after the policy was answered is measured by it, and so is who redeems on."""
    lenient = dict(default_policy().source)
    rules = next(name for name in lenient if name.startswith("risk-assessment-rules"))
    strict = {**lenient, rules: lenient[rules].replace("\nrules:", f"\nrules:{STRICT}", 1)}
    for _ in range(12):
        hold, second = cast.approved(), cast.approved()
        applied, *redeems = raced(
            partial(policies, strict), partial(cast.agent.redeem, hold, "a"), partial(cast.agent.redeem, hold, "b")
        )
        applied.raise_for_status()
        one_story(cast, hold, redeems)
        late = cast.agent.redeem(second, "late")
        assert late.status_code == 409, late.text
        seen = cast.hold(second)
        assert (seen["status"], seen["risk"], seen["redeemed"]) == ("pending", "critical", None)
        policies(lenient).raise_for_status()
