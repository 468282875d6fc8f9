"""The code graph over HTTP: of a repository that is fetched for it, by a run of the workflow `code_graph`."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from handrail.api.identity import Opener, Reader, guarded_router, rates_of
from handrail.api.references import RunInPath
from handrail.api.routes.runs import IdempotencyKey
from handrail.api.schemas.code_graph import CloneAndGenerate, GraphFormat, GraphUnderWay
from handrail.api.services import Services, Use
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.core.runs import Run, RunStatus
from handrail.engine import reading, starting
from handrail.engine.repositories import allowed_by
from handrail.engine.starting import Start
from handrail.feed.entries import about_run
from handrail.sandbox import repositories
from handrail.workflows.kinds import CODE_GRAPH

router = guarded_router("code graph")

PATH = "/clone-and-generate"
UNDER_WAY = {RunStatus.queued, RunStatus.running, RunStatus.paused}
Wait = Annotated[float, Query(ge=0, le=120, description="Seconds to wait for the graph before answering 202.")]
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The graph, as in the published schema; or a Mermaid diagram.",
        "content": {"application/json": {"schema": {"type": "object"}}, "text/plain": {"schema": {"type": "string"}}},
    },
    202: {"model": GraphUnderWay, "description": "The graph is not ready yet."},
}


@router.post(PATH, summary="Build the code graph of a repository", responses=ANSWERS)
async def clone_and_generate(
    body: CloneAndGenerate,
    request: Request,
    caller: Opener,
    services: Use,
    fan_threshold: Annotated[
        int,
        Query(ge=0, le=1_000_000, description="List symbols only for modules with at least this fan-in plus fan-out."),
    ] = 0,
    include_features: bool = True,
    graph_format: Annotated[GraphFormat, Query(alias="format")] = GraphFormat.json,
    wait: Wait = 30,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Fetch a repository and build the graph of its code. Nothing in it is run: no hooks, submodules or filters."""
    await rates_of(request).opening(caller.principal)
    await repositories.check(body.repo_url, allowed_by(services.settings))
    asked = Start(
        CODE_GRAPH,
        {
            "repo_url": body.repo_url,
            "fan_threshold": fan_threshold,
            "include_features": include_features,
            "format": graph_format.value,
        },
        operation="clone_and_generate",
    )
    run = await starting.start(services.engine, caller.principal, asked, idempotency_key)
    return await _answer(services, caller, run.id, wait)


@router.get(PATH + "/{run_id:run}", summary="Get a code graph", responses=ANSWERS)
async def get_graph(run_id: RunInPath, caller: Reader, services: Use, wait: Wait = 0) -> Response:
    """Get a graph that was requested earlier."""
    return await _answer(services, caller, run_id, wait)


async def _answer(services: Services, caller: Caller, run_id: UUID, wait: float) -> Response:
    run = await services.feed.wait_for(
        about_run(run_id),
        lambda: reading.get(services.context, caller.principal, run_id),
        lambda seen: seen.status not in UNDER_WAY,
        wait,
    )
    if run.workflow != CODE_GRAPH:
        raise errors.NotFound(f"the run {run_id} did not build a code graph")
    if run.status in UNDER_WAY:
        link, events = f"{PATH}/{run.id}", f"/api/events?run={run.id}"
        shown = GraphUnderWay(workflow_id=run.id, status=run.status.value, link=link, events=events)
        return JSONResponse(shown.model_dump(mode="json"), 202, headers={"Location": link})
    return _graph(run)


def _graph(run: Run) -> Response:
    error = run.error or {}
    result = run.result if isinstance(run.result, dict) else {}
    if run.status is not RunStatus.completed or "graph" not in result:
        message = str(error.get("message") or f"the run is {run.status.value}")
        raise errors.GraphFailed(message, reason=error.get("code"), workflow_id=str(run.id))
    graph = result["graph"]
    return PlainTextResponse(graph) if isinstance(graph, str) else JSONResponse(graph)
