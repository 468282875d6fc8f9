"""What a person reads in the terminal before deciding on a code change."""

from __future__ import annotations

from typing import Any

from handrail.cli import change_cards

PLAN: dict[str, Any] = {
    "kind": "fix",
    "title": "round prices",
    "summary": "No cent is lost.",
    "tasks": [
        {
            "task": "Round",
            "files": ["money.py"],
            "new_files": ["tests/test_money.py"],
            "changes": "",
            "tests": ["tests/test_money.py"],
            "notes": "",
        }
    ],
    "criteria": ["A lamp costs 1999 cents."],
}


def hold(action: dict[str, Any] | None, evidence: dict[str, Any]) -> dict[str, Any]:
    return {
        "short_id": "H-7",
        "title": "fix: round prices",
        "risk": "medium",
        "digest": "ab" * 32,
        "action": action,
        "evidence": evidence,
    }


def test_a_plan_shows_tasks_files_tests_and_what_would_run() -> None:
    command = {"command": {"arguments": ["python3", "-m", "unittest"]}}
    args = {"plan": PLAN, "commands": {"tests": [command], "checks": []}, "facts": {"files": 2, "risk_score": 5}}
    card = change_cards.lines(
        hold({"name": "change.plan", "args": args}, {"impact": {"owners": {"money.py": ["@ada"]}}})
    )
    assert card is not None
    text = "\n".join(card)
    for part in (
        "H-7  fix: round prices",
        "  1. Round",
        "     money.py",
        "     tests/test_money.py (new)",
        "Runs in the sandbox: python3 -m unittest",
        "risk score 5 of 100",
        "Owned by @ada: money.py",
        "Digest abababababababab",
    ):
        assert part in text


def test_a_result_shows_every_check_and_what_a_person_must_look_at() -> None:
    finding = {"path": "money.py", "line": 4, "what": "Rounds.", "why": "Only a person can tell."}
    checks: list[dict[str, Any]] = [
        {"name": "fail_to_pass", "verdict": "passed", "words": "2 tests failed before.", "findings": []},
        {"name": "criteria", "verdict": "unsure", "words": "1 for a person.", "findings": [finding]},
    ]
    args = {"branch": "handrail/1", "target_branch": "main", "repository": "shop", "commits": ["a", "b"]}
    files = [{"path": "money.py", "added": 1, "deleted": 2}]
    card = change_cards.lines(
        hold({"name": "change.publish", "args": args}, {"verification": {"checks": checks}, "files": files})
    )
    assert card is not None
    text = "\n".join(card)
    assert "handrail/1 into main of shop, 2 commits" in text
    assert "✓ fail to pass: 2 tests failed before." in text
    assert "? criteria: 1 for a person.\n      money.py:4: Rounds. Only a person can tell." in text
    assert "money.py  +1 −2" in text


def test_what_a_model_wrote_cannot_move_the_cursor() -> None:
    task = {**PLAN["tasks"][0], "task": "Round\x1b[2Jnothing\u202e"}
    args = {"plan": {**PLAN, "tasks": [task]}, "commands": {}, "facts": {}}
    card = change_cards.lines(hold({"name": "change.plan", "args": args}, {}))
    assert card is not None
    assert not any("\x1b" in line or "\u202e" in line for line in card)


def test_other_holds_are_shown_as_any_other() -> None:
    assert change_cards.lines(hold({"name": "deploy", "args": {}}, {})) is None
    assert change_cards.lines(hold(None, {})) is None
