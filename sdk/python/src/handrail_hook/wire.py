"""One request to the server, by the standard library."""

from __future__ import annotations

import http.client
import json
import urllib.parse
from typing import Any, NamedTuple

from .config import Config
from .stopping import Stop

PENDING = "Handrail-Pending"
LARGEST = 4 << 20
# the way there and back, on top of the time that the server waits
MARGIN_SECONDS = 15.0


class Answer(NamedTuple):
    status: int
    said: bytes
    pending: str | None
    retry_after: float


def post(config: Config, body: bytes, wait: float, attempt: str) -> Answer:
    """The server's answer; OSError or HTTPException if it cannot be reached."""
    parts = urllib.parse.urlsplit(config.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Stop(f"{config.url} is not an address of a server")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=wait + MARGIN_SECONDS)
    query = urllib.parse.urlencode({"wait": f"{wait:g}", "defer": str(config.defer).lower()})
    headers = {
        "Authorization": f"Bearer {config.token}",
        "Content-Type": "application/json",
        "Handrail-Attempt": attempt,
        "Connection": "close",
    }
    try:
        connection.request("POST", f"{parts.path.rstrip('/')}/api/hooks/{config.agent}?{query}", body, headers)
        response = connection.getresponse()
        said = response.read(LARGEST)
        return Answer(response.status, said, response.headers.get(PENDING), _seconds(response.headers))
    finally:
        connection.close()


def problem(answer: Answer) -> str:
    """What the server says about a refusal, on one line."""
    try:
        found: Any = json.loads(answer.said)
        return " ".join(str(found["detail"]).split())[:500]
    except (ValueError, KeyError, TypeError):
        return f"it answered {answer.status}"


def _seconds(headers: http.client.HTTPMessage) -> float:
    try:
        return min(60.0, max(1.0, float(headers.get("Retry-After", "1"))))
    except ValueError:
        return 1.0
