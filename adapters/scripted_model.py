"""A model on loopback that asks for one tool call, and notes what it was told: by Anthropic's and OpenAI's protocol."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass
class Model:
    """`results` are what the agent reported back on the call, oldest first."""

    tool: str
    args: Json
    url: str = ""
    results: list[str] = field(default_factory=list[str])
    asked: list[str] = field(default_factory=list[str])

    def anthropic(self, body: Json) -> list[Json]:
        if not body.get("tools"):
            return _anthropic_text("ok")
        results = [
            json.dumps(block.get("content"))
            for message in body["messages"]
            if isinstance(message.get("content"), list)
            for block in message["content"]
            if block.get("type") == "tool_result"
        ]
        if results:
            self.results[:] = results
            return _anthropic_text("done")
        block: Json = {"type": "tool_use", "id": "toolu_scripted", "name": self.tool, "input": {}}
        delta: Json = {"type": "input_json_delta", "partial_json": json.dumps(self.args)}
        return _anthropic(block, delta, "tool_use")

    def openai(self, body: Json) -> list[Json]:
        results = [
            json.dumps(item.get("output"))
            for item in body.get("input", [])
            if str(item.get("type")).endswith("_call_output")
        ]
        if results:
            self.results[:] = results
            item: Json = {
                "type": "message",
                "role": "assistant",
                "id": "msg_1",
                "content": [{"type": "output_text", "text": "done"}],
            }
        else:
            item = {
                "type": "function_call",
                "id": "fc_1",
                "call_id": "call_scripted",
                "name": self.tool,
                "arguments": json.dumps(self.args),
            }
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": None}
        return [
            {"type": "response.created", "response": {"id": "resp_1"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": "resp_1", "usage": usage, "output": [item]}},
        ]


def _anthropic_text(text: str) -> list[Json]:
    return _anthropic({"type": "text", "text": ""}, {"type": "text_delta", "text": text}, "end_turn")


def _anthropic(block: Json, delta: Json, stop: str) -> list[Json]:
    message: Json = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


@contextmanager
def scripted(tool: str, args: Json) -> Generator[Model]:
    model = Model(tool, args)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body: Json = json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))) or b"{}")
            model.asked.append(self.path)
            if "count_tokens" in self.path:
                self._json({"input_tokens": 1})
            elif "responses" in self.path:
                self._stream(model.openai(body))
            elif body.get("stream"):
                self._stream(model.anthropic(body))
            else:
                self._json(_whole(model.anthropic(body)))

        def do_GET(self) -> None:
            self._json({"models": [], "data": []})

        def _json(self, said: Json) -> None:
            self._send(json.dumps(said).encode(), "application/json")

        def _stream(self, events: Iterable[Json]) -> None:
            lines = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
            self._send(lines.encode(), "text/event-stream")

        def _send(self, raw: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        model.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield model
        finally:
            server.shutdown()
            thread.join()


def _whole(events: list[Json]) -> Json:
    message: Json = events[0]["message"]
    block: Json = {**events[1]["content_block"]}
    delta = events[2]["delta"]
    if block["type"] == "text":
        block["text"] = delta["text"]
    else:
        block["input"] = json.loads(delta["partial_json"])
    return {**message, "content": [block], "stop_reason": events[4]["delta"]["stop_reason"]}
