"""The contract of the chat, field by field: what happens in a change, and how every client is told of it."""

from __future__ import annotations

from typing import Any, NamedTuple

JsonMap = dict[str, Any]

# the fields of each event from the server; `error` also has what belongs to its code
CONNECTION_STATUS = {"status", "message", "session_id", "seq"}
AGENT_UPDATE = {"type", "timestamp", "stage", "data", "session_id", "seq"}
ERROR = {"code", "message", "event", "session_id", "seq"}
TYPES = {"log", "status", "code_change", "test_result", "error", "approval_request", "summary"}
STAGES = (
    "intent_extraction",
    "pkg_query",
    "impact_analysis",
    "planning",
    "editing",
    "testing",
    "verification",
    "pr_creation",
)
# what a person is asked to approve
APPROVAL_REQUEST = {
    "message",
    "plan_id",
    "plan_short_id",
    "digest",
    "cause",
    "asks",
    "risk",
    "expires_at",
    "pending",
    "current",
    "description",
    "action",
    "plan",
    "evidence",
}


class Row(NamedTuple):
    """An event of the log, the type of the update that tells it, and the whole of that update's `data`. Its sentence
    for people is the event's own, which may be worded better one day: `message` is any."""

    event: str
    given: JsonMap
    type: str
    data: JsonMap


def _noted(event: str, kind: str, /, **given: Any) -> Row:
    return Row(event, given, "log", {"kind": kind, **given})


def _began(stage: str, **given: Any) -> Row:
    data = {"status": "running", "attempt": given.get("attempt", 0)}
    return Row("change.stage_began", {"stage": stage, **given}, "status", data)


_EDIT: JsonMap = {"path": "money.py", "hash": "h1", "diff": "@@ -1 +1 @@\n-a\n+b"}
_FILES: JsonMap = {"files": [{"path": "money.py", "added": 1}], "added": 1, "deleted": 1}
_PASSED: JsonMap = {"tree": "head", "tool": "pytest", "test": "t.py::test_a", "outcome": "passed", "seconds": 0.1}
_FAILED: JsonMap = {**_PASSED, "tree": "base", "outcome": "failed", "message": "1 != 2"}
_PUBLISHED: JsonMap = {"branch": "handrail/1", "commit": "c" * 40, "url": "https://example.org/pull/1"}
_MOVED: JsonMap = {"from": "a" * 40, "to": "b" * 40}
_KEPT: JsonMap = {"hold_id": "h", **_MOVED, "commit": "c" * 40, "diff_sha256": "d" * 64, "verified": "12 of 12."}
_EFFECT: JsonMap = {"name": "push", "key": "k", "since": "s"}

ROWS = (
    _began("intent_extraction"),
    _noted("change.understood", "intent", intent={"intent": "change", "description": "Round."}),
    _began("pkg_query"),
    _noted(
        "change.mapped",
        "modules",
        modules=["money", "shop"],
        total=3,
        skipped=0,
    ),
    _began("planning"),
    _noted("run.progressed", "progress", message="half", done=1, total=2, detail=None),
    _noted(
        "change.planned",
        "plan",
        plan={"kind": "fix", "title": "round prices"},
        digest="d" * 64,
    ),
    _began("impact_analysis"),
    _noted(
        "change.weighed",
        "impact",
        impact={"facts": {"files": 1, "endpoints": 2, "risk_score": 7}},
    ),
    _began("editing"),
    Row("change.edited", _EDIT, "code_change", {**_EDIT}),
    _noted(
        "change.refused",
        "refused",
        tool="insert",
        code="outside_plan",
        message="not in the plan",
    ),
    Row("change.diffed", _FILES, "code_change", {**_FILES}),
    _noted(
        "change.prepared",
        "dependencies",
        environment={"manager": "pip"},
        fetched=True,
    ),
    _began("testing", attempt=1),
    Row("change.tested", _PASSED, "test_result", {**_PASSED}),
    Row("change.tested", _FAILED, "test_result", {**_FAILED}),
    _noted(
        "change.checked",
        "check",
        tree="head",
        tool="ruff",
        outcome="ended",
        summary={"findings": 2},
        output="money.py:1: F401",
    ),
    _noted(
        "change.checked",
        "check",
        tree="base",
        tool="mypy",
        outcome="ended",
        summary={},
    ),
    _began("verification"),
    _noted("change.verified", "verification", verification={"words": "12 of 12"}),
    _noted(
        "change.rebased",
        "rebased",
        branch="main",
        **_MOVED,
    ),
    _noted(
        "change.approval_kept",
        "approval_kept",
        **_KEPT,
    ),
    _began("pr_creation"),
    _noted(
        "change.committed",
        "committed",
        branch="handrail/1",
        commit="c" * 40,
        messages=["fix: round prices"],
    ),
    Row(
        "effect.reserved",
        _EFFECT,
        "log",
        {"kind": "effect", "name": "push", "state": "reserved"},
    ),
    Row(
        "effect.completed",
        {"name": "push"},
        "log",
        {"kind": "effect", "name": "push", "state": "completed"},
    ),
    Row(
        "change.published",
        _PUBLISHED,
        "summary",
        {"kind": "published", **_PUBLISHED},
    ),
    Row("change.answered", {"content": "It rounds."}, "summary", {"kind": "answer"}),
)
