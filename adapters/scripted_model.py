"""A model on loopback that asks for tool calls, and notes what it was told: by the protocols of three providers."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from adapters import protocols
from adapters.protocols import Call, Json, Reply


@dataclass
class Model:
    """Asks for the calls one after another. How far it is, it reads from the results that it is sent, as a real one
    does: a conversation that begins again is answered from its beginning, with new call ids.

    `results` are what the agent reported back, oldest first; `read` is all that it sent; `replies` is what the model
    said.
    """

    calls: list[Call]
    url: str = ""
    results: list[str] = field(default_factory=list[str])
    read: list[str] = field(default_factory=list[str])
    replies: list[Reply] = field(default_factory=list[Reply])

    def reply(self, results: list[str]) -> Reply:
        if len(results) >= len(self.results):
            self.results[:] = results
        said: Reply = self.calls[len(results)] if len(results) < len(self.calls) else "done"
        self.replies.append(said)
        return said


@contextmanager
def scripted(tool: str, args: Json, *more: Call) -> Generator[Model]:
    model = Model([Call(tool, args), *more])
    kept: dict[str | None, list[str]] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body: Json = json.loads(self.rfile.read(int(self.headers.get("content-length", "0"))) or b"{}")
            streamed = bool(body.get("stream"))
            model.read.append(json.dumps(body))
            if "count_tokens" in self.path:
                self._json({"input_tokens": 1})
            elif "generatecontent" in (method := self.path.rpartition(":")[2].lower()):
                # its errands, too, come without tools
                reply = model.reply(protocols.gemini_results(body)) if body.get("tools") else "ok"
                whole = protocols.gemini_whole(reply)
                self._say(method.startswith("stream"), whole, [whole])
            elif "responses" in self.path:
                # an agent may leave the conversation with the provider, and send only what is new
                results = [*kept.get(body.get("previous_response_id"), []), *protocols.responses_results(body)]
                whole = protocols.responses_whole(model.reply(results))
                kept[whole["id"]] = results
                self._say(streamed, whole, protocols.responses_events(whole))
            elif "chat/completions" in self.path:
                reply = model.reply(protocols.chat_results(body))
                self._say(streamed, protocols.chat_whole(reply), protocols.chat_events(reply))
            else:
                # an agent's own errands, such as a title for the conversation, come without tools
                reply = model.reply(protocols.anthropic_results(body)) if body.get("tools") else "ok"
                self._say(streamed, protocols.anthropic_whole(reply), protocols.anthropic_events(reply))

        def do_GET(self) -> None:
            self._json({"models": [], "data": []})

        def _say(self, streamed: bool, whole: Json, events: Iterable[Json]) -> None:
            lines = "".join(f"{_event(one)}data: {json.dumps(one)}\n\n" for one in events)
            self._send(lines.encode(), "text/event-stream") if streamed else self._json(whole)

        def _json(self, said: Json) -> None:
            self._send(json.dumps(said).encode(), "application/json")

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


def _event(said: Json) -> str:
    return f"event: {said['type']}\n" if "type" in said else ""
