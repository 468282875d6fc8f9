"""A model on loopback that speaks OpenAI's protocol: asks for a colour, then says it word by word, when it may."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]

QUESTION = "What is your favourite colour?"
# before the model is let go on, and after
BEFORE, AFTER = "I will paint ", "the shed "


class Talker:
    """`go` lets it speak to its end; cleared, it stops in the middle of its answer and waits."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.go.set()
        self.url = ""

    def deltas(self, messages: list[Json]) -> Iterator[Json]:
        told = [message["content"] for message in messages if message["role"] == "tool"]
        if not told:
            yield {"role": "assistant", "content": "One question."}
            call = {"name": "request_input", "arguments": json.dumps({"prompt": QUESTION})}
            yield {"tool_calls": [{"index": 0, "id": "call-1", "type": "function", "function": call}]}
            return
        yield from ({"content": f"{word} "} for word in BEFORE.split())
        self.go.wait()
        yield from ({"content": f"{word} "} for word in AFTER.split())
        yield {"content": f"{told[-1]}."}


@contextmanager
def talking() -> Generator[Talker]:
    talker = Talker()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked: Json = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            # who asked may have been killed
            with suppress(OSError):
                for delta in talker.deltas(asked["messages"]):
                    self._say({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
                self._say({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
                self.wfile.write(b"data: [DONE]\n\n")

        def _say(self, chunk: Json) -> None:
            whole = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "talker", **chunk}
            self.wfile.write(f"data: {json.dumps(whole)}\n\n".encode())
            self.wfile.flush()

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    talker.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield talker
    finally:
        talker.go.set()
        server.shutdown()
        thread.join()
        server.server_close()
