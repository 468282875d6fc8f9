"""The files of a session over HTTP: what it works on and what it leaves."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import Query, Request, Response

from handrail.api import uploads
from handrail.api.identity import Opener, Reader, guarded_router, rates_of
from handrail.api.references import SessionInPath
from handrail.api.schemas.execution import SessionFile, SessionFiles
from handrail.api.services import Use
from handrail.core.sizes import MIB
from handrail.core.workspaces import LARGEST_FILE, LONGEST_PATH
from handrail.skills import sessions, workspace

router = guarded_router("execution")

FilePath = Annotated[str, Query(min_length=1, max_length=LONGEST_PATH, description="Like `reports/may.csv`.")]


@router.get("/api/execution/sessions/{session_id:run}/files", summary="List the files in its workspace")
async def list_files(session_id: SessionInPath, caller: Reader, services: Use) -> SessionFiles:
    await sessions.get(services.context, caller.principal, session_id)
    found = await workspace.files(services.context, caller.principal, session_id)
    return SessionFiles(files=[SessionFile.model_validate(file, from_attributes=True) for file in found])


@router.get(
    "/api/execution/sessions/{session_id:run}/file",
    response_class=Response,
    summary="Download a file from its workspace",
)
async def download(session_id: SessionInPath, caller: Reader, services: Use, path: FilePath) -> Response:
    await sessions.get(services.context, caller.principal, session_id)
    content = await workspace.read(services.context, caller.principal, session_id, path)
    # never as what it claims to be: a browser must not run it
    name = quote(path.rpartition("/")[2], safe="")
    headers = {"X-Content-Type-Options": "nosniff", "Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(content, media_type="application/octet-stream", headers=headers)


@router.post(
    "/api/execution/sessions/{session_id:run}/file",
    status_code=201,
    openapi_extra=uploads.BODY,
    summary="Upload a file to its workspace",
)
async def upload(
    session_id: SessionInPath, request: Request, caller: Opener, services: Use, path: FilePath
) -> SessionFile:
    """Only its starter can, until the session ends. A file with the same path is replaced."""
    await rates_of(request).opening(caller.principal)
    await sessions.get(services.context, caller.principal, session_id)
    _, content = await uploads.take(request, LARGEST_FILE // MIB)
    file = await workspace.upload(services.context, caller.principal, session_id, path, content)
    return SessionFile.model_validate(file, from_attributes=True)
