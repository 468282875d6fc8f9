"""Decision packs: what is near, what changed, what would be less, and one hash over all of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from unit.core.samples import AGENT, DEPLOY, HIGH, LEAD, MINUTE, STARTER, T0, opened, question

from handrail.core import packs
from handrail.core.canonical import Json
from handrail.core.holds import Action, Decision, Hold, Kind, Result, Status
from handrail.core.ids import HoldId
from handrail.core.packs import Pack, Part

NAMES: dict[UUID, str] = {LEAD.id: "lead", AGENT.id: "bot"}


def past(number: int, action: Action = DEPLOY, status: Status = Status.approved, **fields: Any) -> Hold:
    made = Decision(status, fields.pop("basis", "people"), T0, LEAD.id, fields.pop("reason", None))
    at = T0 - (100 - number) * MINUTE
    hold = replace(opened(), id=HoldId(UUID(int=1000 + number)), opened_at=at, number=number)
    return replace(hold, question=question(action=action), status=status, decision=made, **fields)


def deploy(version: Json = "2.14", target: str | None = "staging", **more: Any) -> Action:
    return Action("deploy", {"version": version, **more}, target)


def test_precedents_are_of_the_same_action_and_shape_and_the_nearest_come_first() -> None:
    same, near, far = past(1), past(2, deploy("2.13")), past(3, deploy("x", "elsewhere"))
    others = [
        past(4, Action("delete", {"version": "2.14"}, "staging")),
        past(5, deploy(force=True)),
        past(6, deploy(target=None)),
    ]
    found = packs.alike(opened(), [far, *others, near, same])
    assert [one.hold.number for one in found] == [1, 2, 3]
    assert found[0].distance == 0 < found[1].distance < found[2].distance <= 1


def test_numbers_are_near_by_their_size() -> None:
    def pay(amount: Json) -> Action:
        return Action("pay", {"amount": amount})

    like = opened()
    like = replace(like, question=question(action=pay(100)))
    found = packs.alike(like, [past(1, pay(500)), past(2, pay(110)), past(3, pay("100")), past(4, pay(True))])
    assert [one.hold.number for one in found][:2] == [2, 1]


def test_only_what_people_decided_is_a_precedent() -> None:
    found = packs.alike(opened(), [past(1, basis="policy"), past(2, status=Status.rejected, reason="not on a Friday")])
    part = packs.precedents(found, NAMES)
    assert isinstance(part.content, dict)
    assert part.content["outcomes"] == {"rejected": 1}
    nearest: Any = part.content["nearest"]
    [one] = nearest
    assert (one["short_id"], one["by"], one["said"]) == ("H-2", "lead", "not on a Friday")
    assert packs.precedents(found[1:], NAMES).state == "nothing"


def test_what_changed_since_the_last_one_that_was_approved() -> None:
    holds = [past(1, deploy("2.12")), past(2, deploy("2.13")), past(3, deploy("2.99"), Status.rejected)]
    part = packs.changed(opened(), packs.alike(opened(), holds), NAMES)
    assert isinstance(part.content, dict) and isinstance(part.content["since"], dict)
    assert part.content["since"]["short_id"] == "H-2"
    assert part.content["changes"] == [{"path": "args.version", "from": "2.13", "to": "2.14"}]
    assert packs.changed(opened(), packs.alike(opened(), holds[2:]), NAMES).state == "nothing"


def test_what_nobody_was_asked_about_hides_no_change() -> None:
    unasked = [
        past(2, deploy("2.13", by="eve"), basis="policy"),
        past(3, deploy("2.13", by="eve"), basis="observation"),
    ]
    like = replace(opened(), question=question(action=deploy(by="eve")))
    part = packs.changed(like, packs.alike(like, [past(1, deploy("2.12", by="ann")), *unasked]), NAMES)
    assert isinstance(part.content, dict) and isinstance(part.content["changes"], list)
    assert {"path": "args.by", "from": "ann", "to": "eve"} in part.content["changes"]


def test_how_the_requester_fared() -> None:
    failed = past(2, result=Result("failed", T0))
    other = past(3, opener=STARTER.id)
    part = packs.fared(opened(), [past(1, status=Status.rejected), failed, other], {"approved": 7}, 30, "bot")
    assert part.content == {
        "name": "bot",
        "this_action": {"rejected": 1, "approved": 1},
        "results": {"failed": 1},
        "anything": {"approved": 7},
        "days": 30,
    }


def test_what_an_agent_brings_is_its_claim_and_what_handrail_found_is_not() -> None:
    evidence: Any = {"tests": "all green", "impact": {"files": 3}, "verification": {"verdict": "passed"}}
    claimed = opened()
    claimed = replace(claimed, question=question(evidence=evidence))
    assert {(part.name, part.source) for part in packs.supplied(claimed)} == {
        ("evidence", "opener"),
        ("touches", "opener"),
        ("tests", "opener"),
    }
    ours = {part.name: part for part in packs.supplied(replace(claimed, origin="change"))}
    assert {part.source for part in ours.values()} == {"handrail"}
    assert ours["tests"].content == {"verdict": "passed"}
    assert [part.state for part in packs.supplied(opened())] == ["nothing"]


def test_what_depends_on_a_target_is_followed_and_circles_end() -> None:
    declared = {"db": ["billing", "shop"], "billing": ["mail", "db"], "mail": ["shop"]}
    part = packs.reached("db", declared)
    assert part is not None
    assert part.content == {"target": "db", "used_by": ["billing", "shop"], "further": ["mail"]}
    assert packs.reached("cache", declared) is None


def test_smaller_versions_do_less() -> None:
    action = Action("mail", {"count": 240, "to": ["a", "b"], "price": 9.5, "draft": True, "n": 1}, "production")
    before = [past(1, replace(action, args={**action.args, "count": 50}, target="staging"))]
    tried = {(less.path, str(less.after)) for less in packs.smaller(action, before)}
    assert tried == {
        ("args.count", "50"),
        ("args.count", "120"),
        ("args.to", "['a']"),
        ("args.price", "4.75"),
        ("target", "staging"),
    }
    assert all(less.action != action and less.action.name == "mail" for less in packs.smaller(action, before))


@pytest.mark.parametrize("change", ["content", "state", "source", "revision", "digest", "order"])
def test_the_hash_covers_everything_that_was_shown(change: str) -> None:
    parts = (Part("effect", "action", "Deploy"), Part("more", "plugin", {"a": 1}, by="ci"))
    pack = Pack(HoldId(UUID(int=1)), 1, "d" * 64, parts)
    first = parts[0]
    other = {
        "content": replace(pack, parts=(replace(first, content="Deploy!"), parts[1])),
        "state": replace(pack, parts=(replace(first, state="late"), parts[1])),
        "source": replace(pack, parts=(replace(first, source="opener"), parts[1])),
        "revision": replace(pack, revision=2),
        "digest": replace(pack, digest="e" * 64),
        "order": replace(pack, parts=parts[::-1]),
    }[change]
    assert pack.hash != other.hash
    assert pack.hash == replace(pack).hash
    assert pack.words == 3


def test_what_has_no_action_has_no_precedents() -> None:
    hold = replace(opened(Kind.confirmation, HIGH), question=question(Kind.confirmation, action=None))
    assert packs.alike(hold, [past(1)]) == []
