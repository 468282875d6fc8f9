"""One log line and one measurement per request, under an id that the answer carries too."""

from __future__ import annotations

import re
import time
import traceback
from uuid import UUID, uuid4

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from handrail.api import problems
from handrail.api.metrics import Metrics
from handrail.telemetry import Sink, Span

ID_HEADER = "X-Request-ID"
GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# what others, too, write down for a client that went before it was answered
CLIENT_GONE = 499
PATH_IDS = ("hold_id", "run_id", "case_id")

log = structlog.stdlib.get_logger("handrail.api")


class Requests:
    """The outermost part. A defect becomes a problem that tells nothing but the id; the log has the rest.

    Code below adds to the line with `structlog.contextvars.bind_contextvars(hold_id=…)`.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, traces: Sink | None = None) -> None:
        self._app = app
        self._metrics = metrics
        self._traces = traces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _id(scope)
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        began = time.perf_counter()
        status = 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[ID_HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except ClientDisconnect:
            # nobody is left to answer, and nothing is wrong here
            status = status or CLIENT_GONE
        except Exception:
            # as text: renderers of exceptions like to show local variables, tokens among them
            log.error("request failed", method=scope["method"], route=_route(scope), exception=traceback.format_exc())
            if status:
                raise
            await problems.internal(request_id)(scope, receive, noted)
        finally:
            self._note(scope, status, time.perf_counter() - began)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = _route(scope), scope["method"]
        self._metrics.observe(method, route, status, seconds)
        ids = {name: str(value) for name, value in scope.get("path_params", {}).items() if name in PATH_IDS}
        # a route that knows the long id has said so
        structlog.contextvars.bind_contextvars(**{**ids, **structlog.contextvars.get_contextvars()})
        log.info("request", method=method, route=route, status=status, ms=round(seconds * 1000, 1))
        if self._traces is not None and (span := _span(scope, status, seconds)) is not None:
            self._traces.add([span])


def _id(scope: Scope) -> str:
    given = Headers(scope=scope).get(ID_HEADER, "")
    return given if GIVEN_ID.fullmatch(given) else uuid4().hex


def _route(scope: Scope) -> str:
    """The template, never the address itself: it may hold anything, and a label per id would have no end."""
    return getattr(scope.get("route"), "path_format", "unknown")


def _span(scope: Scope, status: int, seconds: float) -> Span | None:
    """Under the hold or the run that it is about; none where it is about neither, as a list or a page is."""
    known = structlog.contextvars.get_contextvars()
    run, hold = _uuid(known.get("run_id")), _uuid(known.get("hold_id"))
    trace = run or hold
    if trace is None:
        return None
    name, end = f"{scope['method']} {_route(scope)}", time.time_ns()
    request_id = known["request_id"]
    attributes = {
        "http.request.method": scope["method"],
        "http.route": _route(scope),
        "http.response.status_code": status,
        "handrail.request_id": request_id,
    }
    parent = f"hold {hold}" if hold else f"run {run}"
    about = f"request {request_id} {end}"
    return Span(trace, about, name, end - int(seconds * 1e9), end, parent, attributes, failed=status >= 500)


def _uuid(text: str | None) -> UUID | None:
    """None for a short id too: the routes that answer know the long one."""
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
