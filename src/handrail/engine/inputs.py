"""Whether an input fits a workflow's published JSON schema."""

from __future__ import annotations

import re
from typing import NoReturn

import jsonschema_rs

from handrail.core import canonical, errors
from handrail.core.canonical import Json, JsonObject

# LangChain's messages: the schema knows only their full form, and a graph also takes role and content, pairs and text
_MESSAGE = re.compile(r"#/\$defs/[A-Za-z]*Message(Chunk)?")


def check(schema: Json, given: Json) -> None:
    """InputMismatch names the place. Without a schema, everything but nothing will do."""
    canonical.check(given, "input")
    if given is None:
        raise errors.InputMismatch("input: null cannot start a run; send {} if the workflow needs no input")
    if not isinstance(schema, dict):
        return
    validator = jsonschema_rs.Draft202012Validator(_lenient(schema), retriever=_refuse, mask="the value")
    problem = next(iter(validator.iter_errors(given)), None)
    if problem is not None:
        place = "".join(f"[{step!r}]" for step in problem.instance_path)
        raise errors.InputMismatch(f"input{place}: {problem.message}", field=f"input{place}")


def _lenient(node: JsonObject) -> JsonObject:
    """The schema with anything allowed where it asks for messages, one or a list of them."""
    return {name: _lenient_part(part) for name, part in node.items()}


def _lenient_part(node: Json) -> Json:
    if isinstance(node, list):
        return [_lenient_part(part) for part in node]
    if not isinstance(node, dict):
        return node
    return {} if _is_message(node) or _is_message(node.get("items")) else _lenient(node)


def _is_message(node: Json) -> bool:
    if not isinstance(node, dict):
        return False
    reference = node.get("$ref")
    if isinstance(reference, str):
        return _MESSAGE.fullmatch(reference) is not None
    choices = node.get("oneOf") or node.get("anyOf")
    return isinstance(choices, list) and any(_is_message(choice) for choice in choices)


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"references outside the schema are not followed: {uri}")
