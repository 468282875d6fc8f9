"""Attacks on the digest: JSON that two readers understand differently, and holds that change after they were seen."""

from __future__ import annotations

import hashlib
import json
from uuid import uuid4

import httpx
import pytest
import rfc8785
from attacks_world import MEDIUM, Cast, Json, Member, joined

DEEP = 10_000


def posted(cast: Cast, args: str | bytes, **headers: str) -> httpx.Response:
    """The answer to an opening whose `args` are these bytes."""
    raw = args if isinstance(args, bytes) else args.encode()
    head = b'{"kind":"approval","title":"T","action":{"name":"deploy","target":"staging","args":'
    with cast.agent.http() as http:
        headers = {"Content-Type": "application/json", **headers}
        return http.post("/api/holds", content=head + raw + b"}}", headers=headers)


def digest_of(hold: Json) -> str:
    """Computed again from what is shown, by the rule that the documentation states."""
    content: Json = {
        "version": 1,
        "kind": hold["kind"],
        "title": hold["title"],
        "action": hold["action"],
        "items": hold["items"] or [],
        "schema": hold["schema"],
        "evidence": hold["evidence"],
    }
    return hashlib.sha256(rfc8785.dumps(content)).hexdigest()


REFUSED: dict[str, str | bytes] = {
    "the same key twice": '{"amount": 1, "amount": 1000}',
    "the same key twice, deeper": '{"a": [{"amount": 1, "amount": 1000}]}',
    "the same key twice, once escaped": '{"amount": 1, "\\u0061mount": 1000}',
    "NaN": '{"n": NaN}',
    "Infinity": '{"n": Infinity}',
    "minus Infinity": '{"n": -Infinity}',
    "1e400": '{"n": 1e400}',
    "minus 1e400": '{"n": -1e400}',
    "2^53": '{"n": 9007199254740992}',
    "minus 2^53": '{"n": -9007199254740992}',
    "2^53 + 1, which a double cannot hold": '{"n": 9007199254740993}',
    "2^53 as a float": '{"n": 9007199254740992.0}',
    "1e21": '{"n": 1e21}',
    "five thousand digits": f'{{"n": {"9" * 5000}}}',
    "a number in hexadecimal": '{"n": 0x10}',
    "a number with a leading zero": '{"n": 010}',
    "a number with a plus": '{"n": +1}',
    "half of a surrogate pair": '{"s": "\\ud83d"}',
    "the other half": '{"s": "\\ude00"}',
    "a pair the wrong way round": '{"s": "\\ude00\\ud83d"}',
    "half of a pair in a key": '{"\\ud83d": 1}',
    "a surrogate in UTF-8": b'{"s": "\xed\xa0\x80"}',
    "an overlong slash": b'{"s": "\xc0\xaf"}',
    "bytes that are not UTF-8": b'{"s": "\xff"}',
    "NUL, escaped": '{"s": "\\u0000"}',
    "NUL in a key": '{"a\\u0000b": 1}',
    "a raw control character": '{"s": "a\nb"}',
    "a trailing comma": '{"a": 1,}',
    "a comment": '{"a": 1 /* and 1000 */}',
    "single quotes": "{'a': 1}",
    "a list in place of an object": "[1]",
    "a text in place of an object": '"args"',
    "lists in lists": f'{{"a": {"[" * DEEP}{"]" * DEEP}}}',
    "objects in objects": '{"a":' * DEEP + "1" + "}" * DEEP,
}


@pytest.mark.parametrize("what", REFUSED)
def test_json_that_may_be_read_in_two_ways_opens_nothing(cast: Cast, what: str) -> None:
    answer = posted(cast, REFUSED[what])
    assert answer.status_code in (400, 413, 422), answer.text
    assert answer.json()["code"] not in ("internal", "unavailable"), answer.text


def test_a_body_in_another_encoding_or_with_a_mark_of_it_opens_nothing(cast: Cast) -> None:
    text = json.dumps(MEDIUM)
    for content in (
        text.encode("utf-16"),
        text.encode("utf-16-le"),
        text.encode("utf-32"),
        b"\xef\xbb\xbf" + text.encode(),
    ):
        with cast.agent.http() as http:
            answer = http.post("/api/holds", content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422), answer.text


# of each group all mean the same, and nothing of another group does
SAME: dict[str, list[str]] = {
    "one": ['{"n": 1}', '{"n": 1.0}', '{"n": 1e0}', '{"n": 10e-1}', '{ "n" :\t1 }'],
    "nothing": ['{"n": 0}', '{"n": -0}', '{"n": -0.0}', '{"n": 0e0}', '{"n": 1e-400}'],
    "a text one": ['{"n": "1"}'],
    "true": ['{"n": true}'],
    "null": ['{"n": null}'],
    "absent": ["{}"],
    "a fraction": ['{"n": 0.1}', '{"n": 1e-1}', '{"n": 0.10000000000000000555}'],
    "the largest": ['{"n": 9007199254740991}', '{"n": 9007199254740991.0}'],
    "a letter with its accent": ['{"s": "\u00e9"}', '{"s": "\\u00e9"}', '{"s": "\\u00E9"}'],
    "a letter and an accent": ['{"s": "e\u0301"}'],
    "a smile": ['{"s": "\U0001f600"}', '{"s": "\\ud83d\\ude00"}'],
    "a solidus": ['{"s": "/"}', '{"s": "\\/"}'],
    "a full-width letter": ['{"s": "\uff41"}'],
    "a letter": ['{"s": "a"}'],
    "a Cyrillic letter": ['{"s": "\u0430"}'],
    "a letter and a joiner": ['{"s": "a\u200b"}'],
    "two keys": ['{"a": 1, "b": 2}', '{"b": 2, "a": 1}'],
    "two keys, the other way": ['{"a": 2, "b": 1}'],
    "a list": ['{"l": [1, 2]}'],
    "the list the other way": ['{"l": [2, 1]}'],
    "a list in a text": ['{"l": "[1, 2]"}'],
}


def test_what_means_the_same_has_one_digest_and_what_does_not_has_another(cast: Cast) -> None:
    digests: dict[str, set[str]] = {}
    for what, forms in SAME.items():
        for form in forms:
            hold = posted(cast, form).raise_for_status().json()
            shown = cast.hold(hold)
            assert shown["digest"] == hold["digest"] == digest_of(shown), form
            digests.setdefault(what, set()).add(hold["digest"])
    assert [what for what, found in digests.items() if len(found) > 1] == []
    assert len({digest for found in digests.values() for digest in found}) == len(SAME)


def test_every_part_that_is_shown_is_in_the_digest(cast: Cast) -> None:
    """Evidence, items, the answer's schema, target, title and kind: none can be swapped under an approval."""
    asked: Json = {**MEDIUM, "evidence": {"tests": "all passed"}}
    variants: list[Json] = [
        asked,
        {**asked, "evidence": {"tests": "none ran"}},
        {**asked, "evidence": None},
        {**asked, "title": "Deploy billing 1.3 to staging"},
        {**asked, "action": {**asked["action"], "args": {"version": "1.3"}}},
        {**asked, "action": {**asked["action"], "args": {"version": "1.2", "force": True}}},
        {**asked, "action": {**asked["action"], "target": "staging-eu"}},
        {**asked, "action": {**asked["action"], "name": "deploy "}},
        {**asked, "kind": "review"},
        {**asked, "kind": "confirmation"},
        {**asked, "kind": "confirmation", "items": [{"item_id": "1"}]},
        {**asked, "kind": "confirmation", "items": [{"item_id": "1", "amount": 1000}]},
        {**asked, "kind": "input", "schema": {"type": "string"}},
        {**asked, "kind": "input", "schema": {"type": "number"}},
    ]
    holds = [cast.agent.open(each) for each in variants]
    assert len({hold["digest"] for hold in holds}) == len(variants)
    assert [hold["digest"] for hold in holds] == [digest_of(cast.hold(hold)) for hold in holds]
    # an approval of one is none of another
    for other in holds[1:]:
        said = cast.team_lead.review({**holds[0], "digest": other["digest"]})
        assert (said.status_code, said.json()["code"]) == (409, "stale_digest")
    assert cast.hold(holds[0])["reviews"] == []


def test_what_was_opened_is_not_changed_by_asking_again(cast: Cast) -> None:
    """The same key with another body, or another method, changes nothing that people look at."""
    key = {"Idempotency-Key": f"one key {uuid4().hex}"}
    asked: Json = {**MEDIUM, "evidence": {"tests": "all passed"}}
    hold = cast.agent.post("/api/holds", asked, headers=key).raise_for_status().json()
    changes: list[Json] = [{"evidence": {}}, {"title": "Other"}, {"description": "Other"}, {"context": {"a": 1}}]
    for change in changes:
        again = cast.agent.post("/api/holds", {**asked, **change}, headers=key)
        assert (again.status_code, again.json()["code"]) == (409, "idempotency_conflict"), again.text
    assert cast.agent.post("/api/holds", asked, headers=key).json()["id"] == hold["id"]
    # the key is the principal's own
    assert cast.rival.post("/api/holds", asked, headers=key).json()["id"] != hold["id"]
    for method in ("PUT", "PATCH", "DELETE"):
        assert cast.agent.send(method, f"/api/holds/{hold['id']}", json=asked).status_code == 405
    assert cast.hold(hold)["evidence"] == {"tests": "all passed"}


def test_an_amendment_changes_the_action_and_nothing_else(cast: Cast) -> None:
    hold = cast.agent.open({**MEDIUM, "evidence": {"tests": "none ran"}})
    action = {**hold["action"], "args": {"version": "1.1"}}
    for smuggled in ({"evidence": {"tests": "all passed"}}, {"title": "Harmless"}, {"kind": "confirmation"}):
        said = cast.team_lead.review(hold, "amend", amended_action=action, **smuggled)
        assert said.status_code == 422, said.text
    amended = cast.team_lead.review(hold, "amend", amended_action=action).raise_for_status().json()
    assert (amended["title"], amended["evidence"]) == (hold["title"], {"tests": "none ran"})
    # who has seen the first revision has not seen the second
    late = cast.team_lead.review(hold)
    assert (late.status_code, late.json()["code"]) == (409, "stale_digest")


def test_an_approval_is_used_for_what_was_approved_and_once(cast: Cast) -> None:
    """B1."""
    hold, other = cast.approved(), cast.approved({**MEDIUM, "action": {**MEDIUM["action"], "args": {"version": "6.6"}}})
    path = f"/api/holds/{hold['id']}/redeem"
    for digest in (other["digest"], "0" * 64, hold["digest"][::-1]):
        said = cast.agent.post(path, {"digest": digest, "key": "k"})
        assert (said.status_code, said.json()["code"]) == (409, "stale_digest")
    for digest in ("", hold["digest"].upper(), hold["digest"][:8], None, [hold["digest"]]):
        assert cast.agent.post(path, {"digest": digest, "key": "k"}).status_code in (409, 422)
    first = cast.agent.redeem(hold, "k").raise_for_status().json()
    assert first["action"] == hold["action"]
    assert cast.agent.redeem(hold, "k").json() == first
    for key in ("l", "K", "k "):
        again = cast.agent.redeem(hold, key)
        assert (again.status_code, again.json()["code"]) == (409, "already_redeemed"), again.text


LOW: Json = {"kind": "approval", "title": "Read", "action": {"name": "read_report", "args": {}, "target": None}}


def test_what_is_used_as_it_opens_is_what_was_opened_and_once(cast: Cast) -> None:
    low = digest_of({**LOW, "items": [], "schema": None, "evidence": None})

    def opened(
        question: Json, digest: object, key: object = "k", who: Member = cast.agent, under: str | None = None
    ) -> Json:
        headers = {} if under is None else {"Idempotency-Key": under}
        return who.post("/api/holds", {**question, "redeem": {"digest": digest, "key": key}}, headers=headers).json()

    for digest in (cast.approved()["digest"], "0" * 64, low[::-1]):
        assert opened(LOW, digest)["code"] == "stale_digest"
    for digest, key in (
        (low.upper(), "k"),
        ("", "k"),
        (None, "k"),
        ([low], "k"),
        (low, ""),
        (low, 7),
        (low, "k" * 999),
    ):
        assert opened(LOW, digest, key)["status"] == 422
    asked = cast.agent.open(MEDIUM)
    for claimed in (None, {"operation": "read", "environment": "development"}):
        held = opened({**MEDIUM, "task": claimed}, asked["digest"])
        assert (held["status"], held["redeemed"]) == ("pending", None), "a claim does not use it either"
    for word in ("", " x"):
        assert cast.agent.post("/api/holds", {**LOW, "redeem": word}).status_code == 422
    same = f"used-{uuid4()}"
    first = opened(LOW, low, under=same)
    assert first["redeemed"]["by"]["id"] == cast.agent.id
    assert opened(LOW, low, under=same) == first
    assert opened(LOW, low, "l", under=same)["code"] == "already_redeemed"
    rival = opened(LOW, low, who=cast.rival, under=same)
    assert rival["id"] != first["id"], "a key is its principal's own"
    assert opened(LOW, low, who=cast.gone)["status"] == 401
    assert cast.agent.redeem(first, "m").json()["code"] == "already_redeemed"


def test_a_result_is_recorded_by_who_used_the_approval_once(cast: Cast) -> None:
    hold = cast.approved()
    path, good = f"/api/holds/{hold['id']}/result", {"outcome": "succeeded", "detail": {"rows": 3}}
    early = cast.agent.post(path, good)
    assert (early.status_code, early.json()["code"]) == (409, "not_redeemed")
    cast.agent.redeem(hold).raise_for_status()
    for who in (cast.rival, cast.service, cast.team_lead, cast.administrator, cast.auditor, cast.nobody, cast.gone):
        assert who.post(path, {"outcome": "failed"}).status_code in (401, 403, 404)
    assert cast.agent.post(path, {"outcome": "brilliant"}).status_code == 422
    cast.agent.post(path, good).raise_for_status()
    for forged in ({"outcome": "failed"}, {**good, "detail": {"rows": 0}}):
        said = cast.agent.post(path, forged)
        assert (said.status_code, said.json()["code"]) == (409, "result_recorded")
    seen = cast.hold(hold)["result"]
    assert (seen["outcome"], seen["detail"]) == ("succeeded", {"rows": 3})


def test_a_route_that_takes_no_digest_never_means_what_the_hold_became(cast: Cast) -> None:
    """Who looked at a confirmation or a workflow before it was amended has not agreed to the amendment."""
    case = "amended"
    hold = cast.agent.open({**MEDIUM, "kind": "confirmation", "case_id": case})
    path = f"/api/cases/{case}/confirmations/{hold['id']}"
    action = {**hold["action"], "args": {"version": "6.6"}}
    amended = cast.team_lead.review(hold, "amend", amended_action=action).raise_for_status().json()
    other = joined(cast.server, "other", "team_lead")
    blind = other.post(path, {"approved": True})
    assert (blind.status_code, blind.json()["code"]) == (422, "digest_required")
    stale = other.post(path, {"approved": True, "digest": hold["digest"]})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_digest")
    assert cast.hold(hold)["status"] == "pending"
    seen = other.post(path, {"approved": True, "digest": amended["digest"]})
    assert (seen.status_code, cast.hold(hold)["status"]) == (200, "approved")


def test_a_key_starts_one_task_of_one_principal(cast: Cast) -> None:
    key = {"Idempotency-Key": f"task {uuid4().hex}"}
    body: Json = {"operation": "deploy", "environment": "staging", "description": "Deploy billing"}
    made = cast.developer.post("/orchestrate", body, headers=key).raise_for_status().json()
    again = cast.developer.post("/orchestrate", body, headers=key).raise_for_status().json()
    assert again["workflow_id"] == made["workflow_id"]
    worse = cast.developer.post("/orchestrate", {**body, "environment": "production"}, headers=key)
    assert (worse.status_code, worse.json()["code"]) == (409, "idempotency_conflict")
    others = cast.team_lead.post("/orchestrate", body, headers=key).raise_for_status().json()
    assert others["workflow_id"] != made["workflow_id"]
