"""Writes the OpenAPI document of the server, from which the types of the web pages are made. With `sdk`: the part of it
that the SDK for TypeScript needs."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from fastapi import FastAPI

from handrail.api import openapi
from handrail.api.app import ROUTES

# what the SDK sends and gets; the rest follows from what these refer to
SDK = ("OpenHold", "ReviewHold", "RecordResult", "HoldOut", "RedeemOut", "CommentOut")


def document() -> dict[str, Any]:
    app = FastAPI(routes=ROUTES, openapi_tags=openapi.TAGS)
    openapi.document(app)
    return app.openapi()


def of_sdk() -> dict[str, Any]:
    """The document with those schemas alone."""
    whole = document()
    known: dict[str, Any] = whole["components"]["schemas"]
    needed, looked_at = set(SDK), set[str]()
    while open_ := needed - looked_at:
        for name in open_:
            needed |= set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(known[name])))
        looked_at |= open_
    schemas = {name: schema for name, schema in known.items() if name in needed}
    return {**whole, "paths": {}, "components": {"schemas": schemas}}


if __name__ == "__main__":
    json.dump(of_sdk() if sys.argv[1:] == ["sdk"] else document(), sys.stdout)
