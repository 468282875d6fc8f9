"""A real server sends traces by OTLP: one for each run, under the id that the audit log has for it."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import UUID

import pytest
import server as servers
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from server import until

Json = dict[str, Any]


class Collector(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taking)
        self.spans: list[Any] = []


class Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        request: Any = ExportTraceServiceRequest.FromString(body)
        assert isinstance(self.server, Collector)
        self.server.spans += [s for r in request.resource_spans for scope in r.scope_spans for s in scope.spans]
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Quiet."""


@pytest.fixture
def collector() -> Generator[Collector]:
    with Collector() as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield found
        found.shutdown()


def test_a_run_is_one_trace_from_its_request_to_its_effects(collector: Collector) -> None:
    url = f"http://127.0.0.1:{collector.server_address[1]}/v1/traces"
    logs = {"HANDRAIL_LOG_FORMAT": "json", "HANDRAIL_LOG_LEVEL": "info"}
    with servers.beginning(HANDRAIL_CONCURRENCY="1", HANDRAIL_TRACES_URL=url, **logs) as server:
        server.serves("demo-refund")
        shop = server.token_of("shop", kind="service")
        person = server.make_own(server.token_of("Ann", "tech_lead"))
        with server.client(shop) as http:
            given: Json = {"workflow": "demo-refund", "input": {"messages": []}}
            run: Json = http.post("/api/runs", json=given).raise_for_status().json()
            path = f"/api/runs/{run['id']}"
            until(lambda: http.get(path).json()["status"] == "paused")
        with server.client(person) as http:
            [hold] = http.get("/api/holds", params={"run": run["id"]}).raise_for_status().json()["holds"]
            # by its short id, as people do
            review = {"verdict": "approve", "digest": hold["digest"], "reason": "checked"}
            http.post(f"/api/holds/{hold['short_id']}/reviews", json=review).raise_for_status()
        with server.client(shop) as http:
            until(lambda: http.get(path).json()["status"] == "completed")

        def spans() -> dict[str, Any]:
            trace = UUID(run["id"]).bytes
            return {span.name: span for span in list(collector.spans) if span.trace_id == trace}

        root = until(lambda: spans().get("run demo-refund"))
        found = spans()
        by_id = {span.span_id: span for span in found.values()}
        assert found["POST /api/runs"].parent_span_id == root.span_id
        review_span = found["POST /api/holds/{hold_id}/reviews"]
        assert by_id[review_span.parent_span_id].name == "hold approval"
        assert found["hold approval"].parent_span_id == root.span_id
        nodes = [span for name, span in found.items() if name.startswith("node ")]
        assert nodes
        assert all(root.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano for span in nodes)
        calls = [span for name, span in found.items() if name.startswith(("tool ", "effect "))]
        assert calls
        assert all(by_id[span.parent_span_id].name.startswith("node ") for span in calls)
        # an entry of the log that a span names is about this run
        with server.client() as http:
            entries = {
                entry["seq"] for entry in http.get("/api/audit/entries", params={"run": run["id"]}).json()["entries"]
            }
        numbers = {a.value.int_value for span in nodes for a in span.attributes if a.key == "handrail.entry"}
        assert set[int]() < numbers <= entries
        # and so are lines of the logs
        lines = [json.loads(line) for line in server.output().splitlines() if line.startswith("{")]
        named = {line["route"] for line in lines if line.get("run_id") == run["id"]}
        assert {"/api/runs", "/api/runs/{run_id}"} <= named
        named = {line["route"] for line in lines if line.get("hold_id") == hold["id"]}
        assert "/api/holds/{hold_id}/reviews" in named


def test_a_collector_that_is_away_stops_nothing() -> None:
    with servers.running(HANDRAIL_TRACES_URL="http://127.0.0.1:1/v1/traces") as server:
        agent = server.token_of("agent", kind="agent")
        with server.client(agent) as http:
            question = {"kind": "confirmation", "title": "Send it", "action": {"name": "send"}}
            http.post("/api/holds", json=question).raise_for_status()
        assert server.stop() == 0
