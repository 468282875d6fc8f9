"""Answers as the server gives them, made with the server's own types, for tests of the SDK without a server."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar

from handrail.api.schemas.comments import CommentOut
from handrail.api.schemas.holds import HoldOut
from handrail_sdk import Action, digest
from handrail_sdk.exchange import Flow, Outcome, Reply, Request, Response, Tell

T = TypeVar("T")

HOLD_ID = "01890000-0000-7000-8000-000000000001"
AGENT = {"id": "01890000-0000-7000-8000-0000000000aa", "name": "agent", "kind": "agent"}
ADA = {"id": "01890000-0000-7000-8000-0000000000ad", "name": "Ada", "kind": "person"}
AT = "2026-11-02T10:00:00Z"


def hold(status: str = "pending", **changes: Any) -> dict[str, Any]:
    """A hold on the wire; decided by Ada where it is not pending."""
    decision: dict[str, Any] | None = None
    if status != "pending":
        decision = {
            "outcome": status,
            "basis": "people",
            "by": ADA,
            "on_behalf_of": None,
            "at": AT,
            "reason": None,
            "answer": None,
            "items": [],
            "grant": None,
        }
    fields: dict[str, Any] = {
        "id": HOLD_ID,
        "short_id": "H-1",
        "kind": "approval",
        "status": status,
        "title": "deploy",
        "description": None,
        "revision": 1,
        "risk": "medium",
        "rules": [],
        "requirements": {
            "approvals": 1,
            "roles": ["team_lead"],
            "required": [],
            "rejections": 1,
            "justification": False,
            "own_credential": False,
            "passkey": False,
            "requester_may_decide": False,
            "stand_ins": False,
            "grants": False,
        },
        "policy_version": 1,
        "action": {"name": "deploy", "args": {}, "target": None},
        "facts": [],
        "task": None,
        "items": [],
        "schema": None,
        "evidence": None,
        "context": None,
        "case_id": None,
        "run_id": None,
        "run_short_id": None,
        "opened_by": AGENT,
        "started_by": None,
        "opened_at": AT,
        "expires_at": None,
        "on_expiry": "expire",
        "takes_response": False,
        "escalate_at": None,
        "escalated_at": None,
        "reviews": [],
        "decision": decision,
        "redeemed": None,
        "result": None,
        "may_decide": {"allowed": False, "code": "not_a_person", "reason": "Only people decide"},
        **changes,
    }
    action = Action(**fields["action"]) if fields["action"] else None
    asked = digest(fields["kind"], fields["title"], action, items=fields["items"], evidence=fields["evidence"])
    fields.setdefault("digest", asked)
    return HoldOut.model_validate(fields).model_dump(mode="json", by_alias=True)


def comment(number: int, text: str, by: Mapping[str, str] = ADA, reply_to: int | None = None) -> dict[str, Any]:
    """A comment on the wire; Ada's where nobody else is named."""
    said = {"id": number, "by": by, "at": AT, "text": text, "reply_to": reply_to}
    return CommentOut.model_validate(said).model_dump(mode="json")


def redeemed(of: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "hold_id": of["id"],
        "digest": of["digest"],
        "revision": of["revision"],
        "action": of["action"],
        "redeemed_at": AT,
    }


def problem(code: str, **data: Any) -> dict[str, Any]:
    return {"type": "about:blank", "title": code, "status": 0, "code": code, "detail": f"problem {code}", "data": data}


def response(status: int, body: object = None, **headers: str) -> Response:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status, names, b"" if body is None else json.dumps(body).encode())


def drive(flow: Flow[T], *outcomes: Outcome) -> tuple[T, list[Request]]:
    """What an operation comes to when the server answers like this, and what it sent. Pauses take no time."""
    answers, sent = iter(outcomes), list[Request]()
    outcome: Outcome | Reply | None = None
    while True:
        try:
            step = flow.send(outcome)
        except StopIteration as done:
            assert next(answers, None) is None, "the operation ended before the answers did"
            return done.value, sent
        outcome = None
        if isinstance(step, Tell):
            answer = step.on_comment(step.comment)
            assert not isinstance(answer, Awaitable)
            outcome = Reply(answer)
        elif isinstance(step, Request):
            sent.append(step)
            outcome = next(answers)
