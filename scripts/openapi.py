"""Writes the OpenAPI document of the server, from which the types of the web pages are made."""

from __future__ import annotations

import json
import sys
from typing import Any

from fastapi import FastAPI

from handrail.api import openapi
from handrail.api.app import ROUTES


def document() -> dict[str, Any]:
    app = FastAPI(routes=ROUTES, openapi_tags=openapi.TAGS)
    openapi.document(app)
    return app.openapi()


if __name__ == "__main__":
    json.dump(document(), sys.stdout)
