"""Reads the call on stdin, asks the server, prints the answer. Whatever goes wrong is a no."""

from __future__ import annotations

import _thread
import http.client
import json
import os
import select
import sys
import time
from contextlib import suppress
from typing import Any, NoReturn, cast

from . import config as configs
from . import deferring, local, wire
from .config import Config
from .stopping import Stop

BLOCK = 2
POLL_SECONDS = 50.0
LARGEST_CALL = 8 << 20
# a server that was never reached must not keep the agent waiting for an hour; one that holds the question may restart
AWAY_SECONDS = 20.0
_BEFORE = ("PreToolUse", "BeforeTool")


def run(arguments: list[str] | None = None, reader: int = 1) -> NoReturn:
    """`AGENT CONFIG [probe]`: exit 0 with the answer on stdout, or 2 with the reason on stderr; a probe never waits.

    `reader` is the file descriptor that leads to the agent.
    """
    began = time.monotonic()
    try:
        _end_with(reader)
        agent, path, *probe = sys.argv[1:] if arguments is None else arguments
        config = configs.read(path)
        if probe:
            config = config._replace(wait=0.0)
        config = config._replace(defer=config.defer and not probe and deferring.possible())
        if config.agent != agent:
            raise Stop(f"{path} belongs to {config.agent}, not to {agent}")
        print(_answer(config, sys.stdin.buffer.read(LARGEST_CALL + 1), began), flush=True)
    except Stop as no:
        _block(str(no))
    except BaseException as error:
        # an agent takes any other end for a yes
        _block(f"the hook failed ({type(error).__name__})")
    # nothing is left to do, and taking Python down takes a moment too
    os._exit(0)


def _end_with(reader: int) -> None:
    """Ends this program when nobody reads its answer any more. It would use an approval for an agent that has died,
    which could not find it when its session is resumed."""
    watched = select.poll()
    watched.register(reader, 0)

    def watch() -> None:
        [(_, happened)] = watched.poll()
        if not happened & select.POLLNVAL:
            os._exit(BLOCK)

    _thread.start_new_thread(watch, ())


def _block(why: str) -> NoReturn:
    print(f"Handrail blocked this call: {why}.", file=sys.stderr, flush=True)
    os._exit(BLOCK)


def _answer(config: Config, raw: bytes, began: float) -> str:
    call = _call(raw)
    before = call.get("hook_event_name") in _BEFORE
    if before:
        call["handrail"] = local.seen(call)
    else:
        # what a tool returned stays on this machine
        call["tool_response"] = {"error": True} if _failed(call.get("tool_response")) else None
    body = json.dumps(call, allow_nan=False).encode()
    if not before:
        return _told(config, body)
    said, pending = _asked(config, body, began)
    if config.defer:
        deferring.note(config.path, call, pending)
    return said


def _call(raw: bytes) -> dict[str, Any]:
    if len(raw) > LARGEST_CALL:
        raise Stop("the call is too large")
    try:
        call: Any = json.loads(raw)
    except ValueError:
        raise Stop("the agent did not describe the call in JSON") from None
    if not isinstance(call, dict):
        raise Stop("the agent did not describe the call in JSON")
    return cast("dict[str, Any]", call)


def _asked(config: Config, body: bytes, began: float) -> tuple[str, str | None]:
    """The decision; or, when the time is over, the refusal that says it is still pending, and the hold."""
    attempt = os.urandom(16).hex()
    deadline = began + config.wait
    away_since: float | None = None
    patience = min(AWAY_SECONDS, config.wait)
    while True:
        left = deadline - time.monotonic()
        try:
            answer = wire.post(config, body, max(0.0, min(POLL_SECONDS, left)), attempt)
        except (OSError, http.client.HTTPException) as error:
            why, pause = f"the server at {config.url} cannot be reached ({type(error).__name__})", 0.5
        else:
            if answer.status == 200:
                said = _json(answer.said)
                if answer.pending is None or config.defer or time.monotonic() >= deadline:
                    return said, answer.pending
                patience, away_since = config.wait, None
                continue
            why, pause = f"the server refused: {wire.problem(answer)}", answer.retry_after
            if answer.status not in (429, 500, 502, 503, 504):
                raise Stop(why)
            if answer.status == 429:
                away_since = None
        now = time.monotonic()
        away_since = away_since or now
        if now - away_since > patience or now + pause > deadline:
            raise Stop(why)
        time.sleep(pause)


def _told(config: Config, body: bytes) -> str:
    """After the call, nothing can be stopped any more: a result that cannot be recorded is no reason to fail."""
    with suppress(OSError, http.client.HTTPException):
        wire.post(config, body, 0.0, "after-the-call")
    return "{}"


def _failed(response: object) -> bool:
    if not isinstance(response, dict):
        return False
    said = cast("dict[str, Any]", response)
    return bool(said.get("error") or said.get("is_error"))


def _json(said: bytes) -> str:
    """The server's answer, checked and written out again: an agent runs the tool if it cannot read it."""
    try:
        found: Any = json.loads(said)
    except ValueError:
        raise Stop("the server's answer is not JSON") from None
    if not isinstance(found, dict):
        raise Stop("the server's answer is not JSON")
    return json.dumps(found)
