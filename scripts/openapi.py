"""Writes the OpenAPI document of the server, from which the types of the web pages are made."""

from __future__ import annotations

import json
import sys

from fastapi import FastAPI

from handrail.api import openapi
from handrail.api.app import ROUTES


def main() -> None:
    app = FastAPI(routes=ROUTES)
    openapi.document(app)
    json.dump(app.openapi(), sys.stdout)


if __name__ == "__main__":
    main()
