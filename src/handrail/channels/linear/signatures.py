"""Linear's signature of a request: HMAC over its body, in which its moment is.

Headers are not signed, so neither the moment nor the id that they give proves anything.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from handrail.core import errors

# older ones are refused
WINDOW_SECONDS = 300
LONGEST_ID = 100


def check(secret: str, headers: Mapping[str, str], body: bytes) -> str:
    """The id of the delivery, which is the same when Linear sends it again; `BadSignature` where it is not Linear's."""
    given, delivery = headers.get("linear-signature", ""), headers.get("linear-delivery", "")
    made = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(made.encode(), given.encode()) or not 0 < len(delivery) <= LONGEST_ID:
        raise errors.BadSignature
    return delivery


def check_moment(headers: Mapping[str, str], payload: dict[str, Any], now: datetime) -> None:
    """`BadSignature` where it was not sent just now: the signed moment counts, and the header must agree with it."""
    moment = payload.get("webhookTimestamp")
    if not isinstance(moment, int) or abs(now.timestamp() - moment / 1000) > WINDOW_SECONDS:
        raise errors.BadSignature
    if headers.get("linear-timestamp", str(moment)) != str(moment):
        raise errors.BadSignature
