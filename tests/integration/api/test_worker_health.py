"""A worker says whether it can take runs."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from handrail.api.routes import health
from handrail.api.worker import worker_app
from handrail.store.database import Database, opened
from handrail.store.embedded import Server


async def asked(database: Database, *, serves: bool) -> tuple[int, str, str]:
    transport = httpx.ASGITransport(worker_app(database, lambda: serves))
    async with httpx.AsyncClient(transport=transport, base_url="http://worker") as http:
        answer = await http.get("/health")
    said = answer.json()
    return answer.status_code, said["status"], said["database"]


async def test_it_is_well_once_a_process_has_its_workflows_and_while_the_database_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(tmp_path, durable=False)
    try:
        async with opened(server.start()) as database:
            assert await asked(database, serves=False) == (503, "unavailable", "ok")
            assert await asked(database, serves=True) == (200, "ok", "ok")
            server.stop()
            monkeypatch.setattr(health, "PATIENCE_SECONDS", 0.1)
            assert await asked(database, serves=True) == (503, "unavailable", "unavailable")
    finally:
        server.stop()
