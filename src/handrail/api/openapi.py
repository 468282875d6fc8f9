"""The OpenAPI document: its words, the ways to say who calls, and the problem that every operation may answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from handrail.api import problems
from handrail.api.examples import EXAMPLES
from handrail.api.schemas.problems import Problem

DESCRIPTION = """The human-in-the-loop runtime for AI agents: any action can be stopped at a *hold* until the right
people have decided.

Programs send a token as `Authorization: Bearer hr_…`; browsers sign in, and send `X-CSRF-Token` with every request that
changes something. Every error is an RFC 9457 problem with a stable `code`. Numbers are finite, integers within
±(2^53 − 1), bodies at most 1 MiB and 64 levels deep."""

TAGS: list[dict[str, Any]] = [
    {"name": "holds", "description": "Questions to people: open, read, decide, use the decision."},
    {"name": "runs", "description": "Executions of workflows: start, follow, cancel, retry."},
    {
        "name": "workflows",
        "description": "Risk-gated tasks: submit, list pending ones, approve, reject, check the status.",
    },
    {"name": "confirmations", "description": "The holds of one case, for pipelines that ask yes or no."},
    {"name": "hooks", "description": "Tool calls of coding agents, decided by their own hooks."},
    {"name": "skills", "description": "What agents can do: register, decide, search."},
    {"name": "execution", "description": "Sessions: runs of skills, interactive or autonomous."},
    {"name": "changes", "description": "Code changes: request, follow, answer, review as a diff."},
    {"name": "documents", "description": "Documents as text and chunks; search by meaning."},
    {"name": "code graph", "description": "The graph of a repository's code."},
    {"name": "policy", "description": "Which actions are risky, and who must approve."},
    {"name": "brake", "description": "Stop all agents, or one."},
    {"name": "observations", "description": "Agents that are only observed: nobody is asked, everything is recorded."},
    {"name": "grants", "description": "Standing permissions: calls within bounds that people approved in advance."},
    {"name": "insights", "description": "Figures on how holds are decided, and the holds behind each."},
    {"name": "hindsight", "description": "What the past says of deciding: fatigue, suggestions, the oversight report."},
    {"name": "agents", "description": "Agents and services, and what stops them."},
    {"name": "deliveries", "description": "Notifications to people, and whether they arrived."},
    {"name": "channels", "description": "Your accounts elsewhere, and what comes in from there."},
    {"name": "audit", "description": "Proof of what happened: the newest seal, and an export to verify elsewhere."},
    {"name": "events", "description": "What happened, as a stream that you can resume."},
    {"name": "people", "description": "People, services and agents, and their roles."},
    {"name": "absences", "description": "Who is away, and who decides for them."},
    {"name": "tokens", "description": "What programs sign in with."},
    {"name": "sign-in", "description": "Sign-ins."},
    {"name": "operating", "description": "Health and metrics."},
]

SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A token: `hr_…`."},
    "session": {"type": "apiKey", "in": "cookie", "name": "handrail_session"},
}
PROBLEM = {
    "description": "A problem; its `code` says which.",
    "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


def document(app: FastAPI) -> None:
    """Gives the app a document in which every operation names its problems, and guarded ones their security."""

    def made() -> dict[str, Any]:
        if not app.openapi_schema:
            found = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                tags=app.openapi_tags,
                routes=app.routes,
            )
            app.openapi_schema = _complete(found)
        return app.openapi_schema

    app.openapi = made


def _complete(found: dict[str, Any]) -> dict[str, Any]:
    parts = found.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    schemas["Problem"] = Problem.model_json_schema()
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    parts["securitySchemes"] = SCHEMES
    for name, example in EXAMPLES.items():
        schemas[name]["examples"] = [example]
    for operation in operations(found):
        operation["responses"].pop("422", None)
        operation["responses"]["default"] = PROBLEM
    return found


def operations(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in found["paths"].values():
        yield from cast("dict[str, dict[str, Any]]", path).values()
