"""The one address of a worker that has no API: whether it can take runs."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import FastAPI, Response

from handrail.api.routes.health import checked
from handrail.api.schemas.health import Health
from handrail.store.database import Database


def worker_app(database: Database, serves: Callable[[], bool]) -> FastAPI:
    """`serves` says whether a process of the worker has its workflows at hand."""
    app = FastAPI(openapi_url=None)

    @app.get("/health", response_model=None)
    async def health(response: Response) -> Health:
        found = await checked(database)
        if not serves():
            found.status = "unavailable"
        if found.status != "ok":
            response.status_code = 503
        return found

    return app
