"""Follows a session in the terminal: what the agent thinks and does, what it asks, and its answer."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from handrail.cli import answers, output, wording
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

Json = dict[str, Any]

RETRY_SECONDS = 1.0
# close codes from here on mean that reconnecting is pointless
REFUSED = 4000
# for an answer that the question does not accept: ask again
UNFIT = frozenset({"answer_mismatch", "invalid_field", "bad_utf8", "nul_byte", "number_out_of_range", "too_deep"})
ENDS = frozenset({"COMPLETED", "FAILED", "CANCELLED", "EXPIRED"})


def follow(server: Server, session: str) -> None:
    """Until it ends; the answer alone goes to standard output. Exits with 1 if the session did not complete."""
    status = ""
    asked: set[str] = set()
    question: Json = {}
    for message, socket in _messages(server, session):
        payload = message["payload"]
        status = payload.get("status") or status
        if server.as_json:
            print(json.dumps(message, ensure_ascii=False), flush=True)
        else:
            _show(session, message["event"], payload, asked)
        if message["event"] == "request_input" and payload["pending"]:
            asked.add(payload["request_id"])
            question = payload
            _answer(socket, question)
        elif message["event"] == "error" and payload["code"] in UNFIT and question:
            _answer(socket, question)
        if status in ENDS:
            break
    if status != "COMPLETED":
        raise typer.Exit(Exit.refused)


def _answer(socket: ClientConnection, question: Json) -> None:
    said = {"content": answers.value(question["schema"], None), "request_id": question["request_id"]}
    socket.send(json.dumps({"event": "user_response", "payload": said}))


def _messages(server: Server, session: str) -> Iterator[tuple[Json, ClientConnection]]:
    """Without a gap or a repeat, across lost connections and restarts of the server."""
    from websockets.exceptions import ConnectionClosedError

    cursor: str | None = None
    while True:
        try:
            with server.socket(f"/ws/execution/{session}" + (f"?after={cursor}" if cursor else "")) as socket:
                for text in socket:
                    message: Json = json.loads(text)
                    cursor = message["cursor"]
                    yield message, socket
        except ConnectionClosedError as error:
            if error.rcvd is not None and error.rcvd.code >= REFUSED:
                raise Failure(Exit.not_allowed, f"The server refused the session: {error.rcvd.reason}.") from error
        except OSError as error:
            if cursor is None:
                raise server.unreachable(error) from error
        output.say(f"Lost the connection to {server.url}. Trying again.", err=True)
        time.sleep(RETRY_SECONDS)


def _show(session: str, event: str, payload: Json, asked: set[str]) -> None:
    match event:
        case "token":
            sys.stderr.write(wording.plain(payload["text"]))
            sys.stderr.flush()
        case "request_input":
            output.say(f"\n{wording.plain(payload['description'] or payload['prompt'])}", err=True)
        case "final_answer":
            output.say("", err=True)
            output.say(wording.plain(payload["content"]))
        case "error":
            output.say(f"\n{wording.line(payload['message'])}", err=True)
        case _:
            _show_status(session, payload, asked)


def _show_status(session: str, payload: Json, asked: set[str]) -> None:
    call: Json = payload["tool_call"] or {}
    if "result" in call:
        output.say(f"  = {wording.value(call['result'])}", err=True)
    elif call:
        output.say(f"\n  {wording.line(call['name'])} {wording.value(call.get('args'))}", err=True)
    waits_for: list[str] = payload.get("holds") or []
    if payload["status"] == "PAUSED" and not asked.issuperset(waits_for):
        output.say(f"\nWaiting for a decision: handrail show {session}", err=True)
    if payload["status"] in {"CANCELLED", "EXPIRED"}:
        output.say(f"\nThe session is {payload['status']}: {wording.line(payload.get('reason') or '')}", err=True)
