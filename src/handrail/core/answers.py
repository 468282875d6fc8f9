"""Answer schemas: is it a JSON schema, and does an answer fit it."""

from __future__ import annotations

from typing import NoReturn

import jsonschema_rs

from . import errors
from .canonical import Json


def check_schema(schema: Json) -> None:
    _validator(schema)


def check_answer(schema: Json, answer: Json) -> None:
    """Text where there is no schema; otherwise whatever the schema takes. The message names the place."""
    if schema is None:
        if not isinstance(answer, str) or not answer.strip():
            raise errors.AnswerMismatch("the answer must be text that is not empty")
        return
    problem = next(iter(_validator(schema).iter_errors(answer)), None)
    if problem is not None:
        place = "".join(f"[{step!r}]" for step in problem.instance_path)
        raise errors.AnswerMismatch(f"answer{place}: {problem.message}")


def _validator(schema: Json) -> jsonschema_rs.Draft202012Validator:
    if not isinstance(schema, dict):
        raise errors.BadSchema("the schema must be a JSON object")
    try:
        # fancy-regex stops at a backtracking limit, so a hostile `pattern` cannot hang the server
        return jsonschema_rs.Draft202012Validator(schema, retriever=_refuse, validate_formats=True)
    except ValueError as error:
        raise errors.BadSchema(f"not a usable JSON schema: {str(error).splitlines()[0]}") from None


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"references outside the schema are not followed: {uri}")
