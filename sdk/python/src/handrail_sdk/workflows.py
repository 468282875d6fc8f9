"""Risk-gated workflows from a program: submit a task, list what is pending, approve, reject, ask how it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self
from urllib.parse import quote

from .canonical import plain
from .client import AsyncHandrail, Handrail
from .exchange import Flow, Request
from .retries import send

Answer = dict[str, Any]
RETRY_FOR = 30.0


def _submitted(
    task: Mapping[str, object],
    risk_level: str | None,
    approvers: Sequence[str] | None,
    timeout_minutes: float | None,
    key: str | None,
) -> Request:
    given = {**task, "description": task.get("description") or task.get("operation")}
    asked = {"risk": risk_level, "approvers": approvers and list(approvers), "timeout_minutes": timeout_minutes}
    body = {**given, **{name: value for name, value in asked.items() if value is not None}}
    headers = {} if key is None else {"Idempotency-Key": key}
    plainly = {name: plain(value, f"`{name}`") for name, value in body.items()}
    return Request("POST", "/orchestrate", body=plainly, headers=headers, repeatable=key is not None)


def _decision(workflow_id: str, word: str, **said: str | None) -> Request:
    body = {name: value for name, value in said.items() if value is not None}
    return Request("POST", f"/workflows/{quote(str(workflow_id), safe='')}/{word}", body=body)


def _pending() -> Flow[list[Answer]]:
    found: list[Answer] = []
    query: dict[str, str] = {}
    while True:
        page = yield from send(Request("GET", "/workflows/pending", query=query, repeatable=True), RETRY_FOR)
        found += page["workflows"]
        if page["next"] is None:
            return found
        query = {"cursor": page["next"]}


def _status(workflow_id: str) -> Flow[Answer]:
    path = f"/workflows/{quote(str(workflow_id), safe='')}/status"
    return (yield from send(Request("GET", path, repeatable=True), RETRY_FOR))["workflow"]


class HITLManager:
    """Over the API, as whoever the client's token is; names passed as `approved_by` and `rejected_by` are not believed.

    Without a client: HANDRAIL_URL and HANDRAIL_TOKEN.
    """

    def __init__(self, client: Handrail | None = None) -> None:
        self._client = client or Handrail()

    def request_approval(
        self,
        task: Mapping[str, object],
        risk_level: str | None = None,
        approvers: Sequence[str] | None = None,
        timeout_minutes: float | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Answer:
        """Submits the task: `{workflow_id, status, risk_level, …}`. The other arguments only make it stricter."""
        request = _submitted(task, risk_level, approvers, timeout_minutes, idempotency_key)
        return self._client.run(send(request, RETRY_FOR))

    def approve_workflow(
        self, workflow_id: str, approved_by: str | None = None, justification: str | None = None
    ) -> Answer:
        request = _decision(workflow_id, "approve", approved_by=approved_by, justification=justification)
        return self._client.run(send(request, RETRY_FOR))

    def reject_workflow(self, workflow_id: str, rejected_by: str | None = None, reason: str | None = None) -> Answer:
        return self._client.run(
            send(_decision(workflow_id, "reject", rejected_by=rejected_by, reason=reason), RETRY_FOR)
        )

    def list_pending(self) -> list[Answer]:
        """All that waits and that the caller may see, most urgent first."""
        return self._client.run(_pending())

    def get_workflow_status(self, workflow_id: str) -> Answer:
        return self._client.run(_status(workflow_id))

    def close(self) -> None:
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncHITLManager:
    """The same for asyncio programs."""

    def __init__(self, client: AsyncHandrail | None = None) -> None:
        self._client = client or AsyncHandrail()

    async def request_approval(
        self,
        task: Mapping[str, object],
        risk_level: str | None = None,
        approvers: Sequence[str] | None = None,
        timeout_minutes: float | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Answer:
        """Submits the task: `{workflow_id, status, risk_level, …}`. The other arguments only make it stricter."""
        request = _submitted(task, risk_level, approvers, timeout_minutes, idempotency_key)
        return await self._client.run(send(request, RETRY_FOR))

    async def approve_workflow(
        self, workflow_id: str, approved_by: str | None = None, justification: str | None = None
    ) -> Answer:
        request = _decision(workflow_id, "approve", approved_by=approved_by, justification=justification)
        return await self._client.run(send(request, RETRY_FOR))

    async def reject_workflow(
        self, workflow_id: str, rejected_by: str | None = None, reason: str | None = None
    ) -> Answer:
        request = _decision(workflow_id, "reject", rejected_by=rejected_by, reason=reason)
        return await self._client.run(send(request, RETRY_FOR))

    async def list_pending(self) -> list[Answer]:
        """All that waits and that the caller may see, most urgent first."""
        return await self._client.run(_pending())

    async def get_workflow_status(self, workflow_id: str) -> Answer:
        return await self._client.run(_status(workflow_id))

    async def aclose(self) -> None:
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
