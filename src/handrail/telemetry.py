"""Traces for OpenTelemetry: what a span is here, and sending spans to a collector.

A trace has the id of its run, or of its hold where there is no run. Every entry of the audit log names both, so an
entry leads to its trace and a trace to its entries. Ids of spans follow from what they are about: every process knows
them without being told, and a span that is sent twice is one.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Protocol
from uuid import UUID

import structlog

from handrail import extras

# spans that wait for a collector that is away; beyond that the oldest are dropped
MOST_WAITING = 10_000
BATCH = 500
PAUSE_SECONDS = 1.0
RETRY_SECONDS = 10.0

log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Span:
    """`about` says what it is of in its trace; `start` and `end` are nanoseconds since 1970."""

    trace: UUID
    about: str
    name: str
    start: int
    end: int
    parent: str | None = None
    attributes: Mapping[str, str | int | float | bool] = field(default_factory=dict[str, str])
    failed: bool = False


def id_of(trace: UUID, about: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{trace} {about}".encode()).digest()[:8]) or 1


class Sink(Protocol):
    def add(self, spans: Sequence[Span]) -> None: ...


class Collector:
    """Takes spans at once and sends them in the background: nobody waits for a collector, and none stops the work."""

    def __init__(self, url: str) -> None:
        extras.require("telemetry")
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        self._exporter = OTLPSpanExporter(endpoint=url)
        self._waiting: deque[Span] = deque(maxlen=MOST_WAITING)
        self._some = asyncio.Event()

    def add(self, spans: Sequence[Span]) -> None:
        self._waiting.extend(spans)
        if spans:
            self._some.set()

    async def keep_sending(self) -> None:
        """Until cancelled; then what waits is sent once more."""
        away = False
        try:
            while True:
                await self._some.wait()
                sent = await self._send()
                if not sent and not away:
                    log.warning("traces.not_sent", waiting=len(self._waiting))
                away = not sent
                await asyncio.sleep(PAUSE_SECONDS if sent else RETRY_SECONDS)
        finally:
            await asyncio.shield(self._send())

    async def _send(self) -> bool:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            if not await asyncio.to_thread(self._export, batch):
                self._waiting.extendleft(reversed(batch))
                return False
        self._some.clear()
        return True

    def _export(self, batch: Sequence[Span]) -> bool:
        from opentelemetry.sdk.trace.export import SpanExportResult

        return self._exporter.export([_readable(span) for span in batch]) is SpanExportResult.SUCCESS


def _readable(span: Span) -> Any:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import SpanContext, Status, StatusCode, TraceFlags

    def context(about: str) -> SpanContext:
        flags = TraceFlags(TraceFlags.SAMPLED)
        return SpanContext(span.trace.int, id_of(span.trace, about), is_remote=False, trace_flags=flags)

    return ReadableSpan(
        name=span.name,
        context=context(span.about),
        parent=context(span.parent) if span.parent else None,
        resource=Resource({"service.name": "handrail", "service.version": version("handrail")}),
        attributes=dict(span.attributes),
        status=Status(StatusCode.ERROR if span.failed else StatusCode.OK),
        start_time=span.start,
        end_time=span.end,
    )
