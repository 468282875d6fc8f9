"""One example of every body that is sent and of the main answers, for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handrail.core.callers import Scope

HOLD = "01980a3e-5d2c-7b64-9f13-2f6b1c0d4e5a"
RUN = "01980a3e-5555-7e05-8b21-6f9a8d4c3b72"
ANN = "01980a3e-1111-7a01-8c22-9b7d55aa10f3"
BOT = "01980a3e-2222-7f02-a4d1-03c6b8e71a90"
DOCUMENT = "01980a3e-6666-7a06-9d32-7c1e5f2b8a40"
TOKEN = "01980a3e-3333-7c03-b7e5-61d2f4a0c8b7"  # noqa: S105 - an id
SESSION = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
ONE, TWO, THREE = "2026-11-15T09:30:00Z", "2026-11-15T09:34:12Z", "2026-11-15T09:34:13Z"

_ann = {"id": ANN, "name": "Ann", "kind": "person"}
_bot = {"id": BOT, "name": "deployer", "kind": "agent"}
_action = {"name": "deploy", "args": {"service": "billing", "version": "4.2.0"}, "target": "staging"}
_task = {"operation": "deploy", "environment": "staging"}
_person: dict[str, Any] = {
    "id": ANN,
    "name": "Ann",
    "kind": "person",
    "roles": ["team_lead"],
    "email": "ann@example.org",
    "active": True,
    "trusted_claims": False,
    "created_at": ONE,
}
_token: dict[str, Any] = {
    "id": TOKEN,
    "principal": _bot,
    "label": "build server",
    "scopes": [Scope.open, Scope.read],
    "created_at": ONE,
    "expires_at": None,
    "revoked_at": None,
    "last_used_at": TWO,
    "own": False,
}
_hold: dict[str, Any] = {
    "id": HOLD,
    "short_id": "H-1042",
    "kind": "approval",
    "status": "approved",
    "title": "Deploy billing 4.2.0 to staging",
    "description": None,
    "digest": DIGEST,
    "revision": 1,
    "risk": "medium",
    "rules": [{"rule": "deploy-staging", "level": "medium", "reason": "deploy on staging", "from": "fact"}],
    "requirements": {
        "approvals": 1,
        "roles": ["team_lead"],
        "required": [],
        "rejections": 1,
        "justification": False,
        "requester_may_decide": False,
        "own_credential": False,
    },
    "policy_version": 1,
    "action": _action,
    "facts": [
        {"name": "operation", "value": "deploy", "source": "the name, registered as `deploys`"},
        {"name": "environment", "value": "staging", "source": "the target"},
    ],
    "task": _task,
    "items": [],
    "schema": None,
    "evidence": {"tests": "passed"},
    "context": None,
    "case_id": "release-4.2",
    "run_id": None,
    "run_short_id": None,
    "opened_by": _bot,
    "started_by": None,
    "opened_at": ONE,
    "expires_at": None,
    "on_expiry": "expire",
    "escalate_at": None,
    "escalated_at": None,
    "reviews": [
        {
            "by": _ann,
            "verdict": "approve",
            "roles": ["team_lead"],
            "at": TWO,
            "reason": "tests are green",
            "credential": {
                "kind": "session",
                "id": SESSION,
                "scopes": ["decide", "open", "read"],
                "made_by": _ann,
                "own_since": ONE,
                "lent_by": None,
                "remark": None,
            },
        }
    ],
    "decision": {
        "outcome": "approved",
        "basis": "people",
        "by": _ann,
        "at": TWO,
        "reason": "tests are green",
        "answer": None,
        "items": [],
    },
    "redeemed": None,
    "result": None,
    "may_decide": {"allowed": False, "code": "not_a_person", "reason": "Only people decide."},
}

_run: dict[str, Any] = {
    "id": RUN,
    "short_id": "R-77",
    "workflow": "deploy",
    "version": "3c1f0a9b7d52e680",
    "status": "paused",
    "mode": None,
    "risk": None,
    "started_by": _ann,
    "agent": {"id": BOT, "name": "workflow/deploy", "kind": "agent"},
    "error": None,
    "budget": {"steps": 50, "seconds": 3600, "cost": None},
    "usage": {"steps": 2, "seconds": 1.4, "tokens_in": 812, "tokens_out": 96, "cost": 0.0041},
    "created_at": ONE,
    "started_at": ONE,
    "ended_at": None,
    "active_at": TWO,
}

_skill: dict[str, Any] = {
    "name": "compound-interest",
    "description": "Calculates compound interest, year by year.",
    "complexity": "simple",
    "version": 1,
    "status": "approved",
    "hold_id": HOLD,
    "hold_short_id": "H-1042",
    "safe": True,
    "content_hash": DIGEST,
    "source": {
        "kind": "git",
        "location": "https://git.example.org/skills",
        "path": "compound-interest",
        "ref": "main",
        "commit": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    },
    "registered_at": ONE,
    "registered_by": _ann,
}
_registered: dict[str, Any] = {
    "path": "compound-interest",
    "outcome": "new",
    "reason": None,
    "skill": {**_skill, "status": "pending"},
    "findings": [],
}

_workflow: dict[str, Any] = {
    "workflow_id": RUN,
    "short_id": "R-77",
    "status": "pending_approval",
    "risk_level": "high",
    "rules": [{"rule": "deploy-production", "level": "high", "reason": "operation is deploy", "from": "fact"}],
    "workflow": "task",
    "task_id": RUN,
    "description": "Deploy billing 4.2.0",
    "metadata": {"ticket": "OPS-7"},
    "hold_id": HOLD,
    "hold_short_id": "H-1042",
    "approved_by": [{"by": "Ann", "at": TWO, "justification": "tested on staging for a week"}],
    "rejected_by": None,
    "reason": None,
    "result": None,
    "submitted_at": ONE,
    "ended_at": None,
}
_change: dict[str, Any] = {
    "id": RUN,
    "short_id": "R-77",
    "workflow": "change",
    "message": "Round prices to the nearest cent.",
    "repo_url": "https://github.com/acme/shop",
    "base_branch": None,
    "status": "paused",
    "stage": "planning",
    "waits_for": [
        {
            "id": HOLD,
            "short_id": "H-1042",
            "kind": "review",
            "title": "fix: Round prices to the nearest cent",
            "risk": "low",
            "opened_at": TWO,
            "expires_at": None,
        }
    ],
    "branch": None,
    "commit": None,
    "url": None,
    "summary": None,
    "answer": None,
    "files": [],
    "error": None,
    "follows": None,
    "started_by": _ann,
    "usage": _run["usage"],
    "created_at": ONE,
    "ended_at": None,
    "active_at": TWO,
}
EXAMPLES: Mapping[str, Any] = {
    "StartChange": {"message": "Round prices to the nearest cent.", "repo_url": "https://github.com/acme/shop"},
    "CancelChange": {"reason": "no longer needed"},
    "AnswerChange": {"message": "Round half up, as the invoices do."},
    "ChangeOut": _change,
    "ChangeDiff": {
        "base_branch": "main",
        "base_commit": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "commit": "5d41402abc4b2a76b9719d911017c592ae4d3f0b",
        "files": [
            {
                "path": "shop/prices.py",
                "old_path": "shop/prices.py",
                "status": "modified",
                "binary": False,
                "added": 1,
                "deleted": 1,
                "mode": ["100644", "100644"],
                "diff": "@@ -1 +1 @@\n-    return int(price * 100)\n+    return round(price * 100)\n",
                "hunks": ["0f343b0931126a20"],
            }
        ],
    },
    "RepositoryList": {
        "repositories": [{"repo_url": "https://github.com/acme/shop", "changes": 3, "newest": ONE}],
        "roots": ["/srv/repositories"],
        "private": ["github.com/acme/*"],
        "ssh": False,
    },
    "RegisterSkills": {"url": "https://git.example.org/skills/tree/main/compound-interest"},
    "ApproveSafe": {"reason": "from our own repository"},
    "SkillOut": _skill,
    "RegisteredOut": _registered,
    "RegisteredList": {"candidates": [_registered]},
    "ApprovedSafe": {
        "approved": ["compound-interest"],
        "left": ["csv-report"],
        "refused": [
            {
                "skill": "csv-report",
                "code": "own_request",
                "message": "You requested this, so someone else must decide.",
            }
        ],
    },
    "SkillMatches": {
        "matches": [{"name": "compound-interest", "description": _skill["description"], "score": 0.71}],
        "message": None,
    },
    "SetBrake": {"agent": "deployer", "pending": "freeze", "reason": "It deploys the same version again and again"},
    "LiftBrake": {"agent": "deployer", "reason": "Fixed in 4.2.1"},
    "OpenHold": {
        "kind": "approval",
        "title": "Deploy billing 4.2.0 to staging",
        "case_id": "release-4.2",
        "action": _action,
        "task": _task,
        "evidence": {"tests": "passed"},
        "expires_in": 3600,
    },
    "ReviewHold": {"verdict": "approve", "digest": DIGEST, "reason": "tests are green"},
    "BulkReview": {"verdict": "approve", "holds": [{"id": HOLD, "digest": DIGEST}], "reason": "looked at each"},
    "Redeem": {"digest": DIGEST, "key": "deploy-billing-4.2.0"},
    "RecordResult": {"outcome": "succeeded", "detail": {"duration_s": 41}},
    "Withdraw": {"reason": "the tests were of another branch"},
    "Cancel": {"reason": "no longer needed"},
    "AddComment": {"text": "Which migration does this run?"},
    "StartRun": {"workflow": "deploy", "input": {"service": "billing", "version": "4.2.0"}, "budget": {"steps": 50}},
    "CancelRun": {"reason": "no longer needed"},
    "RetryRun": {"budget": {"steps": 100}},
    "RunOut": _run,
    "WorkflowOut": {
        "name": "deploy",
        "description": "Deploys a service once the right people have said yes.",
        "version": "3c1f0a9b7d52e680",
        "input_schema": {"type": "object", "properties": {"service": {"type": "string"}}},
        "diagram": "graph TD; plan --> deploy;",
        "error": None,
        "seen_at": ONE,
        "served": True,
        "example": {"service": "billing"},
    },
    "Orchestrate": {
        "operation": "deploy",
        "environment": "production",
        "description": "Deploy billing 4.2.0",
        "resource_type": "service",
        "estimated_cost": 40,
        "payload": {"service": "billing", "version": "4.2.0"},
        "approvers": ["tech_lead", "cto"],
        "timeout_minutes": 60,
        "metadata": {"ticket": "OPS-7"},
    },
    "ApproveWorkflow": {"justification": "tested on staging for a week"},
    "RejectWorkflow": {"reason": "not on a Friday"},
    "Submitted": {"success": True, **_workflow},
    "WorkflowStatus": {
        "success": True,
        "workflow": {
            **_workflow,
            "history": [
                {"at": ONE, "event": "run.started", "by": "Ben", "hold_id": None, "outcome": None, "reason": None}
            ],
        },
    },
    "Approved": {
        "success": True,
        "workflow_id": RUN,
        "status": "pending_approval",
        "approved_by": "Ann",
        "hold_id": HOLD,
        "approvals": 1,
        "approvals_needed": 2,
    },
    "Rejected": {
        "success": True,
        "workflow_id": RUN,
        "status": "rejected",
        "rejected_by": "Ann",
        "hold_id": HOLD,
    },
    "StartSession": {
        "skill_id": "compound-interest",
        "input": "What are 1000 EUR worth after 10 years at 3 %?",
        "mode": "HITL",
        "config": {"model_id": None, "max_steps": 10},
    },
    "SessionStarted": {"session_id": RUN, "short_id": "R-77", "status": "RUNNING"},
    "CancelSession": {"reason": "not needed any more"},
    "ResolveConfirmation": {"approved": True, "reason": "checked the list"},
    "ResolveBatch": {"decisions": [{"item_id": "row-1", "approved": True}, {"item_id": "row-2", "approved": False}]},
    "AssessAction": {"action": _action, "task": _task},
    "PolicyFiles": {"files": {"approval-policies.yaml": "roles: {…}"}},
    "ApplyPolicy": {"files": {"approval-policies.yaml": "roles: {…}"}, "reason": "staging needs a team lead"},
    "AddPrincipal": {"name": "Ann", "kind": "person", "roles": ["team_lead"]},
    "ChangePrincipal": {"roles": ["team_lead", "auditor"]},
    "MakeToken": {"principal": "deployer", "expires_in": 2592000, "label": "build server"},
    "ChangeToken": {"label": "old build server", "expires_in": 3600},
    "SignIn": {"name": "Ann", "password": "correct horse battery"},
    "SetPassword": {"password": "correct horse battery", "current": "a temporary one"},
    "HoldOut": _hold,
    "HoldPage": {"holds": [], "next": None, "counts": {"medium": {"count": 12, "capped": False, "text": "12"}}},
    "BulkResult": {"results": [{"id": HOLD, "ok": False, "code": "stale_digest", "message": "The hold has changed."}]},
    "RedeemOut": {"hold_id": HOLD, "digest": DIGEST, "revision": 1, "action": _action, "redeemed_at": THREE},
    "CommentOut": {"id": 7, "by": _ann, "at": TWO, "text": "Which migration does this run?", "reply_to": None},
    "ConfirmationResolved": {"status": "resolved", "approved": True},
    "BatchResolved": {"status": "resolved", "approved": 1, "rejected": 1},
    "DeliveryOut": {
        "id": "01980a3e-4444-7d04-9a10-5e8f7c3b2a61",
        "hold_id": HOLD,
        "event": "hold.opened",
        "route": "approvers",
        "channel": "webhook",
        "channels": ["webhook"],
        "people": [_ann],
        "status": "delivered",
        "attempts": 1,
        "queued_at": ONE,
        "next_at": None,
        "last_error": None,
        "delivered_at": TWO,
    },
    "CloneAndGenerate": {"repo_url": "https://github.com/pallets/flask"},
    "GraphUnderWay": {
        "workflow_id": RUN,
        "status": "running",
        "link": f"/clone-and-generate/{RUN}",
        "events": f"/api/events?run={RUN}",
    },
    "DocumentList": {
        "documents": [
            {
                "id": DOCUMENT,
                "name": "harbour.pdf",
                "kind": "pdf",
                "digest": "9f2c…",
                "size": 48211,
                "pages": 4,
                "owner": _ann,
                "created_at": ONE,
            }
        ],
        "next": None,
    },
    "FoundChunks": {
        "query": "who looks after the pumps",
        "chunks": [
            {
                "id": 12,
                "document_id": DOCUMENT,
                "document": "harbour.pdf",
                "score": 0.71,
                "text": "The pumps of the harbour are looked after by the port office.",
                "start": 1840,
                "end": 1901,
                "page": 3,
                "section": "Upkeep",
            }
        ],
        "count": 1,
    },
    "PrincipalOut": _person,
    "LoginLink": {"url": "http://127.0.0.1:8400/sign-in#code=…", "expires_at": TWO},
    "TokenOut": _token,
    "TokenMade": {**_token, "token": "hr_…"},
    "Me": {
        **_ann,
        "roles": ["team_lead"],
        "scopes": [Scope.decide, Scope.open, Scope.read],
        "csrf_token": None,
        "own_credential": True,
    },
    "Health": {"status": "ok", "version": "0.1.0", "database": "ok", "disk": "ok"},
    "Problem": {
        "type": "urn:handrail:problem:already_decided",
        "title": "Conflict",
        "status": 409,
        "code": "already_decided",
        "detail": "The hold was approved by Ann.",
        "data": {"outcome": "approved", "decided_at": TWO, "decided_by": _ann, "basis": "people"},
    },
}
