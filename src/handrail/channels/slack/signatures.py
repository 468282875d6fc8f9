"""Slack's signature of a request: HMAC over its moment and its body."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime

from handrail.core import errors

# older ones are refused; younger ones are remembered, so that none counts twice
WINDOW_SECONDS = 300


def check(secret: str, headers: Mapping[str, str], body: bytes, now: datetime) -> str:
    """The signature, which is as good as an id of the request; `BadSignature` where it is not Slack's or is old."""
    moment, given = headers.get("x-slack-request-timestamp", ""), headers.get("x-slack-signature", "")
    if not moment.isdecimal() or len(moment) > 12 or abs(now.timestamp() - int(moment)) > WINDOW_SECONDS:
        raise errors.BadSignature
    made = hmac.new(secret.encode(), b"v0:" + moment.encode() + b":" + body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(f"v0={made}".encode(), given.encode()):
        raise errors.BadSignature
    return given
