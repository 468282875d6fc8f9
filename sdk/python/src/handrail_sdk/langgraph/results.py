"""What a call returned, as JSON that is kept with it, and back."""

from __future__ import annotations

import base64
import logging
from typing import Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from handrail_sdk.canonical import plain
from handrail_sdk.errors import HandrailError, NotJson

log = logging.getLogger("handrail_sdk")


class ResultNotKept(HandrailError):
    """The call was made by an earlier execution, and what it returned could not be kept."""

    default_code = "result_not_kept"


def keep(name: str, value: object) -> dict[str, Any]:
    """Plain data stays readable; what LangGraph can keep in a checkpoint (messages, models, dates) is kept its way."""
    try:
        return {"value": plain(value)}
    except NotJson:
        pass
    try:
        form, data = JsonPlusSerializer().dumps_typed(value)
    except Exception as error:  # the call has happened: whatever its value is made of must not undo that
        log.warning("what %r returned (%s) cannot be stored: %s", name, type(value).__name__, error)
        return {"not_kept": type(value).__name__}
    return {"form": form, "data": base64.b64encode(data).decode()}


def kept(name: str, record: dict[str, Any]) -> Any:
    if "not_kept" in record:
        raise ResultNotKept(
            f"{name!r} was done before the worker stopped, and returned a {record['not_kept']}, which cannot be stored:"
            " return plain data from it"
        )
    if "form" in record:
        return JsonPlusSerializer().loads_typed((record["form"], base64.b64decode(record["data"])))
    return record["value"]
