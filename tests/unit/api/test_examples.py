"""The examples of the OpenAPI document are true."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import BaseModel

from handrail.api import openapi, schemas
from handrail.api.app import ROUTES
from handrail.api.examples import EXAMPLES


def document() -> dict[str, Any]:
    app = FastAPI(routes=ROUTES)
    openapi.document(app)
    return app.openapi()


def schema(name: str) -> type[BaseModel]:
    modules = [import_module(f"{schemas.__name__}.{found.name}") for found in iter_modules(schemas.__path__)]
    (declared,) = {vars(module)[name] for module in modules if name in vars(module)}
    return declared


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_fits_its_type(name: str) -> None:
    schema(name).model_validate(EXAMPLES[name])


def test_every_body_that_is_sent_has_an_example() -> None:
    for operation in openapi.operations(document()):
        # a file is its own example
        if "application/json" in operation.get("requestBody", {}).get("content", {}):
            body = operation["requestBody"]["content"]["application/json"]["schema"]
            # one that may be missing is one of two
            reference = (body.get("anyOf") or [body])[0]["$ref"]
            assert reference.rpartition("/")[2] in EXAMPLES, reference
