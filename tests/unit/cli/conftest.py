"""A hold as the server answers it, to be changed by each test."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

Json = dict[str, Any]

HOLD: Json = {
    "id": "019a8f3c-7701-7abc-8def-0123456789ab",
    "short_id": "H-1042",
    "kind": "approval",
    "status": "pending",
    "title": "Deploy api 2.14 to production",
    "description": None,
    "digest": "a" * 64,
    "revision": 1,
    "risk": "high",
    "rules": [],
    "requirements": {
        "approvals": 2,
        "roles": ["team_lead", "tech_lead", "cto"],
        "required": [["tech_lead", "cto"]],
        "rejections": 1,
        "justification": False,
        "own_credential": False,
        "passkey": False,
    },
    "action": {"name": "deploy", "args": {"version": "2.14"}, "target": "api-prod"},
    "items": [],
    "schema": None,
    "evidence": None,
    "context": None,
    "case_id": None,
    "run_id": None,
    "run_short_id": None,
    "opened_by": {"id": "1", "name": "deploy-agent", "kind": "agent"},
    "started_by": None,
    "opened_at": "2026-11-15T12:00:00Z",
    "expires_at": None,
    "on_expiry": "expire",
    "reviews": [],
    "decision": None,
    "redeemed": None,
    "result": None,
    "may_decide": {"allowed": True, "reject_only": False, "code": None, "reason": None},
}


@pytest.fixture
def hold() -> Callable[..., Json]:
    def changed(**changes: Any) -> Json:
        return {**deepcopy(HOLD), **changes}

    return changed
