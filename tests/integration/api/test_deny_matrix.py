"""Who may do what: every route of the API against everybody who may call it. A route without a row fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import apps
import database as databases
import httpx
import pytest
from fastapi import FastAPI
from hook_world import READ, call_of
from psycopg.conninfo import conninfo_to_dict
from runs_world import ask, publish, settle
from runs_world import row as kept

from handrail.api.app import ROUTERS
from handrail.core import ids
from handrail.core.people import DEFAULT_ROLES
from handrail.policy import default_policy
from handrail.store import documents

CALLERS = ("anonymous", "agent", "service", "wrong_role", "requester", "right_role", "auditor", "administrator")
PEOPLE: dict[str, tuple[str, list[str]]] = {
    "agent": ("agent", []),
    "service": ("service", []),
    "wrong_role": ("person", []),
    "requester": ("person", ["team_lead"]),
    "right_role": ("person", ["team_lead"]),
    "auditor": ("person", ["auditor"]),
    "administrator": ("person", ["administrator"]),
}
CASE = "case-1"
HOLD: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy to staging",
    "case_id": CASE,
    "action": {"name": "deploy", "args": {"version": "1.2"}, "target": "staging"},
    "task": {"operation": "deploy", "environment": "staging"},
}
# without an action the requester may answer too
CONFIRMATION: dict[str, Any] = {**HOLD, "kind": "confirmation", "action": None, "task": None}
BATCH: dict[str, Any] = {**CONFIRMATION, "items": [{"item_id": "1"}]}
PENDING, APPROVED, REDEEMED = "pending", "approved", "redeemed"
START: dict[str, Any] = {"workflow": "deploy", "input": {"service": "billing"}}
TASK: dict[str, Any] = {"operation": "deploy", "environment": "staging", "description": "Deploy billing"}
SESSION: dict[str, Any] = {"skill_id": "none", "input": "Do it", "mode": "HITL"}
ROUND: dict[str, Any] = {"request": "Round prices", "repo_url": "https://example.org/shop"}
ASSERTION = dict.fromkeys(("nonce", "id", "client_data", "authenticator_data", "signature"), "AAAA")
DEVICE = {"endpoint": "https://fcm.googleapis.com/x", "p256dh": "BA", "auth": "AA", "label": "x"}
PASSKEY = {
    **dict.fromkeys(("nonce", "id", "client_data", "authenticator_data", "public_key"), "AAAA"),
    "label": "Laptop",
}
SHORTLY = (datetime.now(UTC) + timedelta(hours=5)).isoformat()
SOON = (datetime.now(UTC) + timedelta(days=1)).isoformat()
QUEUED, FAILED, ASKED, SKILL, CHANGE = "queued", "failed", "asked", "skill", "change"


@dataclass(frozen=True)
class Scene:
    """A desk, everybody's client, and a new hold of the requester in the state that the row asks for."""

    desk: apps.Desk
    clients: dict[str, httpx.AsyncClient]
    hold: dict[str, Any] = field(default_factory=dict[str, Any])
    # the principal whom people and tokens are tried on
    other: dict[str, Any] = field(default_factory=dict[str, Any])
    code: str = ""
    run: dict[str, Any] = field(default_factory=dict[str, Any])
    document: str = ""


Body = Callable[[Scene], Any]
Outcome = Callable[[Scene, httpx.Response], str]


def of_status(_: Scene, answer: httpx.Response) -> str:
    return "ok" if answer.is_success else answer.json()["code"]


def listed(wanted: Callable[[Scene], str]) -> Outcome:
    """Whether what the row is about is among what is listed."""

    def outcome(scene: Scene, answer: httpx.Response) -> str:
        if not answer.is_success:
            return answer.json()["code"]
        return "ok" if wanted(scene) in answer.text else "hidden"

    return outcome


of_list = listed(lambda scene: scene.hold["id"])
of_runs = listed(lambda scene: scene.run["id"])
of_documents = listed(lambda scene: scene.document)


def of_bulk(_: Scene, answer: httpx.Response) -> str:
    if not answer.is_success:
        return answer.json()["code"]
    [result] = answer.json()["results"]
    return "ok" if result["ok"] else result["code"]


def of_browser(_: Scene, answer: httpx.Response) -> str:
    """Browsers are sent to the sign-in page with the code of the problem."""
    return httpx.URL(answer.headers["location"]).params["problem"]


@dataclass(frozen=True)
class Row:
    """`expected` is in the order of CALLERS: ok, or the code of the problem."""

    route: str
    expected: str
    body: Body | None = None
    opens: dict[str, Any] | None = None
    state: str = PENDING
    # the state of the requester's run, where the row is about one
    starts: str | None = None
    # whether the requester has given a document
    gives: bool = False
    outcome: Outcome = of_status


LISTED_RUN = "unauthenticated hidden hidden hidden ok hidden ok ok"
RUN_READERS = "unauthenticated not_found not_found not_found ok not_found ok ok"
RUN_CONTROL = "unauthenticated not_found not_found not_found ok not_found forbidden ok"
NOBODY_BUT_READERS = "unauthenticated not_found not_found not_found ok ok ok ok"
ONLY_REQUESTER = "unauthenticated not_found not_found not_found ok forbidden forbidden forbidden"
ONLY_ADMINISTRATOR = "unauthenticated forbidden forbidden forbidden forbidden forbidden forbidden ok"
ONLY_PEOPLE = "unauthenticated forbidden forbidden ok ok ok ok ok"
AUDITORS = "unauthenticated forbidden forbidden forbidden forbidden forbidden ok ok"
EVERYBODY_KNOWN = "unauthenticated ok ok ok ok ok ok ok"
ANYBODY = "ok ok ok ok ok ok ok ok"
LISTED = "unauthenticated hidden hidden hidden ok ok ok ok"
OWN_TOKEN = "unauthenticated forbidden forbidden not_found ok not_found not_found ok"
DECIDES = "unauthenticated not_a_person not_a_person not_found own_request ok wrong_role wrong_role"
CONFIRMS = "unauthenticated not_a_person not_a_person not_found ok ok wrong_role wrong_role"


def all_known(code: str) -> str:
    return " ".join(["unauthenticated", *[code] * (len(CALLERS) - 1)])


def say(scene: Scene) -> dict[str, Any]:
    return {"verdict": "approve", "digest": scene.hold["digest"]}


def respond(scene: Scene) -> dict[str, Any]:
    return {"verdict": "respond", "digest": scene.hold["digest"], "answer": "ask again on Monday"}


def redemption(scene: Scene) -> dict[str, Any]:
    return {"digest": scene.hold["digest"], "key": "k1"}


MATRIX = (
    Row("POST /api/holds", EVERYBODY_KNOWN, lambda _: HOLD),
    Row("GET /api/holds", LISTED, opens=HOLD, outcome=of_list),
    Row("GET /api/holds/rows", LISTED, opens=HOLD, outcome=of_list),
    Row("GET /api/holds/counts", EVERYBODY_KNOWN),
    Row("POST /api/hooks/{agent}", EVERYBODY_KNOWN, lambda _: call_of("claude-code", **READ)),
    Row("GET /api/holds/{hold_id}", NOBODY_BUT_READERS, opens=HOLD),
    Row(
        "GET /api/holds/{hold_id}/pack",
        "unauthenticated not_a_person not_a_person not_found ok ok ok ok",
        opens=HOLD,
    ),
    Row("GET /api/samples", "unauthenticated not_a_person not_a_person ok ok ok ok ok"),
    Row(
        "GET /api/samples/rules/{rule_id}",
        "unauthenticated forbidden forbidden forbidden forbidden forbidden not_found not_found",
    ),
    # none was drawn
    Row(
        "POST /api/holds/{hold_id}/sample",
        "unauthenticated not_a_person not_a_person not_found not_found not_found not_found not_found",
        lambda _: {"finding": False},
        opens=HOLD,
    ),
    Row("GET /api/holds/{hold_id}/triage", NOBODY_BUT_READERS, opens=HOLD),
    Row("PUT /api/holds/{hold_id}/assignee", DECIDES, lambda _: {}, opens=HOLD),
    Row("DELETE /api/holds/{hold_id}/assignee", DECIDES, opens=HOLD),
    Row("PUT /api/holds/{hold_id}/snooze", DECIDES, lambda _: {"until": SHORTLY}, opens=HOLD),
    Row("DELETE /api/holds/{hold_id}/snooze", DECIDES, opens=HOLD),
    Row("GET /api/me/views", ONLY_PEOPLE),
    Row(
        "POST /api/me/views",
        "unauthenticated not_a_person not_a_person ok ok ok ok ok",
        lambda _: {"name": "mine", "filters": {}},
    ),
    Row("DELETE /api/me/views/{view_id}", "unauthenticated not_a_person not_a_person" + 5 * " not_found"),
    Row("GET /api/holds/{hold_id}/wait", NOBODY_BUT_READERS, opens=HOLD, state=APPROVED),
    Row("GET /api/holds/{hold_id}/events", NOBODY_BUT_READERS, opens=HOLD),
    Row("GET /api/holds/{hold_id}/comments", NOBODY_BUT_READERS, opens=HOLD),
    Row(
        "POST /api/holds/{hold_id}/comments",
        "unauthenticated not_found not_found not_found ok ok forbidden forbidden",
        lambda _: {"text": "why?"},
        opens=HOLD,
    ),
    Row("POST /api/holds/{hold_id}/reviews", DECIDES, say, opens=HOLD),
    Row(
        "POST /api/holds/reviews",
        DECIDES,
        lambda scene: {"verdict": "approve", "holds": [{"id": scene.hold["id"], "digest": scene.hold["digest"]}]},
        opens=HOLD,
        outcome=of_bulk,
    ),
    Row("POST /api/holds/{hold_id}/redeem", ONLY_REQUESTER, redemption, opens=HOLD, state=APPROVED),
    Row(
        "POST /api/holds/{hold_id}/result",
        ONLY_REQUESTER,
        lambda _: {"outcome": "succeeded"},
        opens=HOLD,
        state=REDEEMED,
    ),
    Row("POST /api/holds/{hold_id}/cancel", ONLY_REQUESTER, lambda _: {}, opens=HOLD),
    Row(
        "POST /api/holds/{hold_id}/withdraw",
        "unauthenticated not_a_person not_a_person not_found nothing_to_withdraw ok nothing_to_withdraw "
        "nothing_to_withdraw",
        lambda _: {},
        opens=HOLD,
        state=APPROVED,
    ),
    Row("POST /api/runs", EVERYBODY_KNOWN, lambda _: START),
    Row("GET /api/runs", LISTED_RUN, starts=QUEUED, outcome=of_runs),
    Row("GET /api/runs/{run_id}", RUN_READERS, starts=QUEUED),
    Row("GET /api/runs/{run_id}/story", RUN_READERS, starts=QUEUED),
    Row("POST /api/runs/{run_id}/cancel", RUN_CONTROL, lambda _: {}, starts=QUEUED),
    Row("POST /api/runs/{run_id}/retry", RUN_CONTROL, lambda _: {}, starts=FAILED),
    Row("GET /api/workflows", EVERYBODY_KNOWN),
    # who is known gets as far as what is wrong with the request
    Row("POST /api/changes", "unauthenticated " + " ".join(["missing_field"] * 7), lambda _: {"message": "Round"}),
    Row("GET /api/changes", LISTED_RUN, starts=CHANGE, outcome=of_runs),
    Row("GET /api/changes/repositories", EVERYBODY_KNOWN),
    Row("GET /api/changes/{change_id}", RUN_READERS, starts=CHANGE),
    Row("GET /api/changes/{change_id}/diff", RUN_READERS, starts=CHANGE),
    Row("GET /api/changes/{change_id}/patch", "unauthenticated " + " ".join(["not_found"] * 7), starts=CHANGE),
    Row("POST /api/changes/{change_id}/cancel", RUN_CONTROL, lambda _: {}, starts=CHANGE),
    Row(
        "POST /api/changes/{change_id}/answer",
        "unauthenticated not_a_person not_a_person not_found conflict not_found conflict conflict",
        lambda _: {"message": "half up"},
        starts=CHANGE,
    ),
    Row("POST /orchestrate", EVERYBODY_KNOWN, lambda _: TASK),
    Row("GET /workflows/pending", EVERYBODY_KNOWN),
    Row("GET /workflows/{run_id}/status", "unauthenticated not_found not_found not_found ok ok ok ok", starts=ASKED),
    Row("POST /workflows/{run_id}/approve", DECIDES, lambda _: {}, starts=ASKED),
    Row("POST /workflows/{run_id}/reject", DECIDES, lambda _: {}, starts=ASKED),
    Row("GET /api/cases/{case_id}/confirmations/pending", LISTED, opens=CONFIRMATION, outcome=of_list),
    Row(
        "POST /api/cases/{case_id}/confirmations/{request_id}",
        CONFIRMS,
        lambda _: {"approved": True},
        opens=CONFIRMATION,
    ),
    Row(
        "POST /api/cases/{case_id}/confirmations/batch/{batch_id}",
        CONFIRMS,
        lambda _: {"decisions": [{"item_id": "1", "approved": True}]},
        opens=BATCH,
    ),
    # who is known gets as far as what is wrong with the request
    Row("POST /process-pdf", "unauthenticated " + " ".join(["invalid_field"] * 7)),
    Row("GET /documents", "unauthenticated hidden hidden hidden ok hidden ok ok", gives=True, outcome=of_documents),
    Row("GET /documents/{document_id}", RUN_READERS, gives=True),
    Row("DELETE /documents/{document_id}", RUN_CONTROL, gives=True),
    Row("POST /clone-and-generate", "unauthenticated " + " ".join(["missing_field"] * 7), lambda _: {}),
    # the requester's run is of another workflow: who may see it is told so, in the words that others get
    Row("GET /clone-and-generate/{run_id}", "unauthenticated " + " ".join(["not_found"] * 7), starts=QUEUED),
    Row("GET /chunks", "unauthenticated " + " ".join(["missing_field"] * 7)),
    Row("POST /api/policy/assess", EVERYBODY_KNOWN, lambda _: {"task": HOLD["task"]}),
    Row("GET /api/roles", EVERYBODY_KNOWN),
    Row("GET /api/policy", ONLY_PEOPLE),
    Row("GET /api/policy/versions", ONLY_PEOPLE),
    Row("GET /api/policy/versions/{version}", ONLY_PEOPLE),
    Row("POST /api/policy/check", ONLY_ADMINISTRATOR, lambda _: {"files": dict(default_policy().source)}),
    Row("POST /api/policy", ONLY_ADMINISTRATOR, lambda _: {"files": dict(default_policy().source)}),
    Row("GET /api/skills", EVERYBODY_KNOWN),
    Row("POST /api/skills", all_known("forbidden"), lambda _: {"folder": "/nowhere"}),
    Row("GET /api/skills/registrations/{run_id}", "unauthenticated " + " ".join(["not_found"] * 7), starts=QUEUED),
    Row("GET /api/skills/search", all_known("missing_field")),
    Row("GET /api/skills/queue", "unauthenticated not_a_person not_a_person ok ok ok ok ok"),
    Row(
        "POST /api/skills/queue/approve-safe", "unauthenticated not_a_person not_a_person ok ok ok ok ok", lambda _: {}
    ),
    Row("GET /api/skills/{name}", all_known("not_found")),
    Row("GET /api/skills/{name}/versions", all_known("not_found")),
    Row("GET /api/skills/{name}/versions/{number}", all_known("not_found")),
    Row("GET /api/skills/{name}/versions/{number}/file", all_known("missing_field")),
    Row("POST /api/skills/{name}/sync", all_known("not_found"), lambda _: {}),
    Row(
        "DELETE /api/skills/{name}",
        "unauthenticated not_a_person not_a_person wrong_role not_found not_found wrong_role not_found",
    ),
    Row("POST /api/execution/start", all_known("not_found"), lambda _: SESSION),
    Row("GET /api/execution/sessions", LISTED_RUN, starts=SKILL, outcome=of_runs),
    Row("GET /api/execution/sessions/{session_id}", RUN_READERS, starts=SKILL),
    Row("GET /api/execution/sessions/{session_id}/files", RUN_READERS, starts=SKILL),
    Row("GET /api/execution/sessions/{session_id}/file", all_known("missing_field"), starts=SKILL),
    Row("POST /api/execution/sessions/{session_id}/file", all_known("missing_field"), starts=SKILL),
    Row("POST /api/execution/sessions/{session_id}/cancel", RUN_CONTROL, lambda _: {}, starts=SKILL),
    Row(
        "POST /api/execution/sessions/{session_id}/retry",
        "unauthenticated not_found not_found not_found session_final not_found session_final session_final",
        starts=SKILL,
    ),
    Row("GET /api/brake", EVERYBODY_KNOWN),
    Row(
        "POST /api/brake",
        "unauthenticated not_a_person not_a_person wrong_role ok ok wrong_role ok",
        lambda scene: {"agent": scene.other["principal_id"], "reason": "smoke"},
    ),
    Row(
        "POST /api/brake/lift",
        "unauthenticated forbidden forbidden forbidden forbidden forbidden forbidden not_found",
        lambda scene: {"agent": scene.other["principal_id"], "reason": "smoke"},
    ),
    Row("GET /api/insights", EVERYBODY_KNOWN),
    Row("GET /api/insights/holds", LISTED, opens=HOLD, outcome=of_list),
    # a program's own line and no other; people see who asked what they may see
    Row("GET /api/agents", EVERYBODY_KNOWN),
    Row("GET /api/agents/{agent_id}", "unauthenticated ok not_found not_found not_found not_found ok ok"),
    Row("GET /api/observations", AUDITORS),
    Row(
        "POST /api/observations",
        "unauthenticated forbidden forbidden forbidden forbidden forbidden forbidden invalid_field",
        lambda scene: {"agent": scene.other["principal_id"], "reason": "a trial"},
    ),
    Row(
        "POST /api/observations/end",
        "unauthenticated forbidden forbidden forbidden forbidden forbidden forbidden not_found",
        lambda scene: {"agent": scene.other["principal_id"], "reason": "a trial"},
    ),
    Row(
        "POST /api/policy/replay",
        AUDITORS,
        lambda _: {"files": dict(default_policy().source), "since": "2026-01-01T00:00:00Z"},
    ),
    # one's own; everybody's for those who read all
    Row("GET /api/fatigue", ONLY_PEOPLE),
    Row("GET /api/suggestions", AUDITORS),
    Row(
        "GET /api/suggestions/{suggestion_id}",
        "unauthenticated forbidden forbidden forbidden forbidden forbidden not_found not_found",
    ),
    Row("GET /api/report", AUDITORS),
    Row("GET /api/report.html", AUDITORS),
    Row("GET /api/grants", ONLY_PEOPLE),
    Row(
        "GET /api/grants/{hold_id}",
        "unauthenticated forbidden forbidden not_found not_found not_found not_found not_found",
        opens=HOLD,
    ),
    Row(
        "POST /api/grants/{hold_id}/revoke",
        "unauthenticated not_a_person not_a_person not_found not_found not_found not_found not_found",
        lambda _: {"reason": "enough"},
        opens=HOLD,
    ),
    Row(
        "POST /api/holds/{hold_id}/grant/preview",
        "unauthenticated not_a_person not_a_person not_found ok ok ok ok",
        lambda _: {},
        opens=HOLD,
    ),
    Row(
        "POST /api/holds/{hold_id}/grant",
        "unauthenticated not_a_person not_a_person not_found own_request ok wrong_role wrong_role",
        lambda scene: {
            "digest": scene.hold["digest"],
            "args": {"version": {"exact": "1.2"}},
            "target": {"exact": "staging"},
        },
        opens=HOLD,
    ),
    Row("GET /api/holds/{hold_id}/deliveries", NOBODY_BUT_READERS, opens=HOLD),
    Row("GET /api/deliveries", ONLY_ADMINISTRATOR),
    Row(
        "POST /api/deliveries/{delivery_id}/retry",
        "unauthenticated forbidden forbidden forbidden forbidden forbidden forbidden not_found",
    ),
    Row("GET /api/me/links", "unauthenticated not_a_person not_a_person ok ok ok ok ok"),
    Row(
        "POST /api/me/links",
        "unauthenticated not_a_person not_a_person ok ok ok ok ok",
        lambda _: {"channel": "slack"},
    ),
    Row(
        "DELETE /api/me/links/{link_id}",
        "unauthenticated not_a_person not_a_person not_found not_found not_found not_found not_found",
    ),
    Row("GET /api/me/notifications", "unauthenticated not_a_person not_a_person ok ok ok ok ok"),
    Row(
        "PUT /api/me/notifications",
        "unauthenticated not_a_person not_a_person ok ok ok ok ok",
        lambda _: {"channels": ["email"]},
    ),
    Row("GET /api/channels", "unauthenticated not_a_person not_a_person ok ok ok ok ok"),
    # none is set up
    Row(
        "POST /api/channels/{channel}/test",
        "unauthenticated not_a_person not_a_person not_found not_found not_found not_found not_found",
    ),
    Row("GET /api/holds/{hold_id}/messages/{channel}", NOBODY_BUT_READERS, opens=HOLD),
    Row("POST /api/me/links/webhook", "unauthenticated not_a_person not_a_person ok ok ok ok ok"),
    # a signature is all that counts there
    Row("POST /api/channels/webhook/{link_id}", " ".join(["bad_signature"] * 8)),
    # it is not set up
    Row("GET /api/me/push", all_known("not_found")),
    Row("POST /api/me/push", all_known("not_found"), lambda _: DEVICE),
    Row(
        "DELETE /api/me/push/{device_id}",
        "unauthenticated not_a_person not_a_person not_found not_found not_found not_found not_found",
    ),
    # it is not set up; a signature is all that counts there
    Row("POST /api/channels/slack", " ".join(["not_found"] * 8)),
    Row("POST /api/channels/linear", " ".join(["not_found"] * 8)),
    Row("GET /api/events", EVERYBODY_KNOWN),
    Row("GET /api/cases/{case_id}/events", EVERYBODY_KNOWN),
    Row("POST /api/people", ONLY_ADMINISTRATOR, lambda _: {"name": f"new {uuid4().hex[:8]}"}),
    Row("GET /api/people", ONLY_ADMINISTRATOR),
    Row("PATCH /api/people/{principal_id}", ONLY_ADMINISTRATOR, lambda _: {"roles": ["administrator"]}),
    Row("POST /api/people/{principal_id}/login-link", ONLY_ADMINISTRATOR),
    Row(
        "POST /api/people/{principal_id}/erase",
        "unauthenticated forbidden forbidden forbidden forbidden forbidden forbidden conflict",
    ),
    Row("GET /api/absences", ONLY_PEOPLE),
    # tokens that an administrator made name nobody's stand-in; the requester can be named, but not by themself
    Row(
        "POST /api/absences",
        "unauthenticated not_a_person not_a_person forbidden credential_not_own forbidden forbidden ok",
        lambda _: {"person": "requester", "stand_in": "right_role", "until": SOON, "reason": "ill"},
    ),
    Row(
        "POST /api/absences/{absence_id}/end",
        "unauthenticated not_a_person not_a_person not_found not_found not_found not_found not_found",
        lambda _: {},
    ),
    Row("GET /api/audit/head", AUDITORS),
    Row("GET /api/audit/entries", AUDITORS),
    Row("GET /api/audit/holds", AUDITORS),
    Row("GET /api/audit/export", AUDITORS),
    Row(
        "POST /api/tokens",
        "unauthenticated forbidden forbidden forbidden ok forbidden forbidden ok",
        lambda _: {"principal": "requester"},
    ),
    Row("GET /api/tokens", "unauthenticated forbidden forbidden ok ok ok ok ok"),
    Row("PATCH /api/tokens/{token_id}", OWN_TOKEN, lambda _: {"label": "mine"}),
    Row("DELETE /api/tokens/{token_id}", OWN_TOKEN),
    Row("POST /api/sign-in", ANYBODY, lambda scene: {"code": scene.code}),
    Row("POST /api/sign-out", "unauthenticated " + " ".join(["conflict"] * 7)),
    Row("POST /api/sign-out-everywhere", ONLY_PEOPLE),
    Row("GET /api/me", EVERYBODY_KNOWN),
    Row("GET /api/me/sign-ins", ONLY_PEOPLE),
    Row(
        "DELETE /api/me/sign-ins/{sign_in_id}",
        "unauthenticated forbidden forbidden not_found not_found not_found not_found not_found",
    ),
    Row("POST /api/me/sign-ins/end-others", ONLY_PEOPLE),
    Row(
        "POST /api/me/password",
        "unauthenticated forbidden forbidden ok ok ok ok ok",
        lambda _: {"password": "correct horse battery"},
    ),
    Row(
        "PUT /api/me/dates",
        "unauthenticated forbidden forbidden ok ok ok ok ok",
        lambda _: {"zone": "Europe/Berlin", "language": None},
    ),
    Row("GET /api/sso/providers", ANYBODY),
    Row("GET /api/me/sso", EVERYBODY_KNOWN),
    Row("GET /api/sso/{provider}/start", " ".join(["not_found"] * 8), outcome=of_browser),
    Row("GET /api/sso/{provider}/callback", " ".join(["not_found"] * 8), outcome=of_browser),
    Row("POST /api/sso/{provider}/back-channel-logout", " ".join(["sso_refused"] * 8)),
    Row(
        "POST /api/sso/{provider}/link",
        "unauthenticated forbidden forbidden " + " ".join(["credential_not_own"] * 5),
    ),
    Row(
        "POST /api/sso/preview",
        "unauthenticated forbidden forbidden forbidden forbidden forbidden forbidden not_found",
        lambda _: {"provider": "corp", "groups": []},
    ),
    Row("GET /api/me/passkeys", ONLY_PEOPLE),
    # the tests' server is called by its address
    Row("POST /api/me/passkeys/options", all_known("passkey_needs_name")),
    Row("POST /api/me/passkeys", all_known("passkey_needs_name"), lambda _: PASSKEY),
    Row(
        "DELETE /api/me/passkeys/{passkey_id}",
        "unauthenticated forbidden forbidden not_found not_found not_found not_found not_found",
    ),
    Row("POST /api/sign-in/passkey/options", " ".join(["passkey_needs_name"] * 8)),
    Row("POST /api/sign-in/passkey", " ".join(["passkey_needs_name"] * 8), lambda _: ASSERTION),
    Row(
        "POST /api/holds/{hold_id}/passkey-options",
        "unauthenticated not_a_person not_a_person " + " ".join(["passkey_needs_name"] * 5),
        lambda scene: {"verdict": "approve", "digest": scene.hold["digest"]},
        HOLD,
    ),
    Row("GET /health", ANYBODY),
    Row("GET /metrics", "unauthenticated forbidden ok forbidden forbidden forbidden ok ok"),
)
# a route of the matrix with another verdict: whoever may reject may respond
RESPOND = Row("POST /api/holds/{hold_id}/reviews", DECIDES, respond, opens={**HOLD, "takes_response": True})
STREAMS = {"GET /api/events", "GET /api/runs/{run_id}/story", "GET /api/cases/{case_id}/events"}


@pytest.fixture(scope="module")
def company(clones: databases.Clones) -> Generator[tuple[str, dict[str, str]]]:
    """The name of a database in which everybody is, to be copied for each row, and everybody's token."""
    with clones.database() as dsn:
        yield str(conninfo_to_dict(dsn)["dbname"]), asyncio.run(_joined(dsn))


async def _joined(dsn: str) -> dict[str, str]:
    async with apps.desk(dsn) as desk:
        await publish(desk.database)
        await publish(desk.database, "task", input_schema=None)
        await publish(desk.database, SKILL, input_schema=None)
        await publish(desk.database, CHANGE, input_schema=None)
        tokens: dict[str, str] = {}
        for name, (kind, roles) in PEOPLE.items():
            await desk.principal(name, kind, roles)
            tokens[name] = await desk.token(name)
        async with desk.database.transaction() as conn:
            # a role of an older policy
            await conn.execute("UPDATE principals SET roles = '{guest}' WHERE name = 'wrong_role'")
        return tokens


@pytest.fixture
async def scene(clones: databases.Clones, company: tuple[str, dict[str, str]]) -> AsyncGenerator[Scene]:
    name, tokens = company
    with clones.database(name) as dsn:
        async with apps.desk(dsn, max_sessions=len(CALLERS)) as desk:
            yield Scene(desk, {caller: desk.client(tokens.get(caller)) for caller in CALLERS})


async def test_every_route_has_its_row(scene: Scene) -> None:
    document = scene.desk.app.openapi()
    routes = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    assert {row.route for row in MATRIX} == routes
    assert len({(row.route, row.body) for row in MATRIX}) == len(MATRIX), "a row that is there twice"
    hidden = [r for router in ROUTERS for r in router.routes if not getattr(r, "include_in_schema", True)]
    assert not hidden, "a route that OpenAPI does not show has no row either"


@pytest.mark.parametrize("row", [*MATRIX, RESPOND], ids=lambda row: row.route)
async def test_who_may(scene: Scene, row: Row) -> None:
    assert len(row.expected.split()) == len(CALLERS)
    found = [await tried(await prepared(scene, row), row, caller) for caller in CALLERS]
    assert dict(zip(CALLERS, found, strict=True)) == dict(zip(CALLERS, row.expected.split(), strict=True))


async def test_an_approver_of_something_else_is_a_wrong_role_too(scene: Scene) -> None:
    row = next(row for row in MATRIX if row.route == "POST /api/holds/{hold_id}/reviews")
    developer = await scene.desk.member("developer", roles=["developer"])
    made = await prepared(Scene(scene.desk, {**scene.clients, "developer": developer}), row)
    assert await tried(made, row, "developer") == "not_found"


SMALL = {"files": 1, "migrations": 0, "risk_score": 0, "outside_plan": 0, "tests_changed": 0}
LARGE = {**SMALL, "files": 6}
MIGRATION = {**SMALL, "migrations": 1}
# what each may decide of their own: a developer, someone with every role, an agent, a service
OWN: list[tuple[str, dict[str, Any], str]] = [
    # low only where Handrail's own workflow asks, which nobody can say of their own hold
    ("change.plan", {"facts": SMALL}, "wrong_role ok not_a_person not_a_person"),
    ("change.plan", {"facts": LARGE}, "wrong_role ok not_a_person not_a_person"),
    ("change.prepare", {}, "wrong_role ok not_a_person not_a_person"),
    ("change.publish", {"facts": SMALL, "draft": True}, "wrong_role ok not_a_person not_a_person"),
    ("change.publish", {"facts": SMALL, "draft": False}, "wrong_role own_request not_a_person not_a_person"),
    ("change.plan", {"facts": MIGRATION}, "wrong_role own_request not_a_person not_a_person"),
    ("change.publish", {"facts": MIGRATION, "draft": True}, "wrong_role own_request not_a_person not_a_person"),
    ("change.plan", {}, "wrong_role own_request not_a_person not_a_person"),
    ("change_plan", {"facts": SMALL}, "wrong_role own_request not_a_person not_a_person"),
    ("deploy", {"environment": "staging"}, "wrong_role own_request not_a_person not_a_person"),
    ("delete", {"environment": "production"}, "wrong_role own_request not_a_person not_a_person"),
]


async def test_who_may_decide_their_own_request(scene: Scene) -> None:
    own = [
        await scene.desk.member("developer", roles=["developer"]),
        await scene.desk.member("alone", roles=[*DEFAULT_ROLES]),
        scene.clients["agent"],
        scene.clients["service"],
    ]

    async def decided(client: httpx.AsyncClient, action: dict[str, Any]) -> str:
        body = {"kind": "review", "title": "Change the code", "action": action}
        hold = (await client.post("/api/holds", json=body)).raise_for_status().json()
        made = Scene(scene.desk, scene.clients, hold)
        return of_status(made, await client.post(f"/api/holds/{hold['id']}/reviews", json=say(made)))

    for name, args, expected in OWN:
        found = [await decided(client, {"name": name, "args": args}) for client in own]
        assert found == expected.split(), (name, args)


async def prepared(scene: Scene, row: Row) -> Scene:
    """Each try finds everything new, so that none depends on the one before."""
    admin, requester, right = scene.desk.admin, scene.clients["requester"], scene.clients["right_role"]
    hold: dict[str, Any] = {}
    if row.opens:
        hold = (await requester.post("/api/holds", json=row.opens)).raise_for_status().json()
        address = f"/api/holds/{hold['id']}"
        made = Scene(scene.desk, scene.clients, hold)
        if row.state in {APPROVED, REDEEMED}:
            (await right.post(f"{address}/reviews", json=say(made))).raise_for_status()
        if row.state == REDEEMED:
            (await requester.post(f"{address}/redeem", json=redemption(made))).raise_for_status()
    code = ""
    other: dict[str, Any] = {}
    if any(name in row.route for name in ("principal_id", "token_id", "sign-in", "brake", "observations")):
        person = await scene.desk.principal(f"other {uuid4().hex[:8]}")
        token = (await admin.post("/api/tokens", json={"principal": "requester"})).json()
        link = (await admin.post(f"/api/people/{person.id}/login-link")).json()
        code = link["url"].partition("code=")[2]
        other = {"principal_id": str(person.id), "token_id": token["id"]}
    run: dict[str, Any] = {}
    if row.starts:
        asked = {SKILL: {**START, "workflow": SKILL}, CHANGE: {"workflow": CHANGE, "input": ROUND}}
        run = (await requester.post("/api/runs", json=asked.get(row.starts, START))).raise_for_status().json()
        if row.starts == FAILED:
            await settle(scene.desk.database, UUID(run["id"]), FAILED, error={"code": "failed"})
        if row.starts == ASKED:
            await ask(scene.desk.context, await kept(scene.desk.database, UUID(run["id"])))
            await settle(scene.desk.database, UUID(run["id"]), "paused")
    document = ""
    if row.gives:
        document = str(ids.fresh())
        owner = UUID((await requester.get("/api/me")).json()["id"])
        kept_document = documents.Row(UUID(document), owner, "a.txt", "txt", document, 1, None, {}, "a", [])
        async with scene.desk.database.transaction() as conn:
            await documents.put(conn, kept_document, [])
    return Scene(scene.desk, scene.clients, hold, other, code, run, document)


async def tried(scene: Scene, row: Row, caller: str) -> str:
    method, template = row.route.split()
    hold_id = scene.hold.get("id", "")
    known = {
        "hold_id": hold_id,
        "request_id": hold_id,
        "batch_id": hold_id,
        "agent": "claude-code",
        "agent_id": "agent",
        "case_id": CASE,
        "version": 1,
        "name": "none",
        "number": 1,
        "run_id": scene.run.get("id", ""),
        "document_id": scene.document,
        "session_id": scene.run.get("id", ""),
        "change_id": scene.run.get("id", ""),
        "sign_in_id": uuid4(),
        "link_id": uuid4(),
        "provider": "corp",
        "passkey_id": uuid4(),
        "suggestion_id": "0123456789ab",
        "rule_id": "sampled-read-ledger",
        "absence_id": uuid4(),
        "device_id": uuid4(),
        "view_id": uuid4(),
    }
    address = template.format(
        **known, **{"principal_id": "", "token_id": "", "delivery_id": uuid4(), "channel": "slack", **scene.other}
    )
    client = scene.clients[caller]
    if row.route in STREAMS:
        return await beginning(scene.desk.app, client.build_request(method, address))
    body = row.body(scene) if row.body else None
    answer = await client.request(method, address, json=body)
    return row.outcome(scene, answer)


async def beginning(app: FastAPI, request: httpx.Request) -> str:
    """How a stream begins: the test's client would wait for its end."""
    began: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    parts: list[bytes] = []

    async def receive() -> dict[str, Any]:
        await began
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            began.set_result(200)
        elif message["type"] == "http.response.body":
            parts.append(message["body"])

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.url.path,
        "raw_path": request.url.raw_path,
        "query_string": request.url.query,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8400),
    }
    serving: Awaitable[None] = asyncio.ensure_future(app(scope, receive, send))
    async with asyncio.timeout(60):
        await asyncio.wait([began, serving], return_when=asyncio.FIRST_COMPLETED)
        await serving if not began.done() else None
    if began.done():
        serving.cancel()
        return "ok"
    return httpx.Response(400, content=b"".join(parts)).json()["code"]
