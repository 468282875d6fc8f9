"""Answer schemas: is it a JSON schema that can be used, and does an answer fit it."""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import unquote

import jsonschema_rs

from . import canonical, errors
from .canonical import Json, JsonObject

# With every reference written out: a few hundred fields, each with its choices.
MAX_SUBSCHEMAS = 2_000
MAX_NESTING = 128
# The linear engine: the backtracking one took 44 s over `(?=(a+)+$)x` and 100 kB of text. The limit keeps out
# `((a{30}){30}){30}` (9 s) and takes `^\S{1,200}$`.
_PATTERNS = jsonschema_rs.RegexOptions(size_limit=500_000)


def check_schema(schema: Json) -> None:
    """BadSchema says why, where the schema is none, or reaches outside itself, or could keep the server busy."""
    _validator(schema)
    assert isinstance(schema, dict)
    if _Cost(schema).of(schema) > MAX_SUBSCHEMAS:
        raise errors.BadSchema(f"the schema expands to more than {MAX_SUBSCHEMAS} subschemas; make it smaller")


def check_answer(schema: Json, answer: Json) -> None:
    """Text where there is no schema; otherwise whatever the schema takes. The message names the place."""
    canonical.check(answer, "answer")
    if schema is None:
        if not isinstance(answer, str) or not answer.strip():
            raise errors.AnswerMismatch("the answer must be non-empty text")
        return
    problem = next(iter(_validator(schema).iter_errors(answer)), None)
    if problem is not None:
        place = "".join(f"[{step!r}]" for step in problem.instance_path)
        raise errors.AnswerMismatch(f"answer{place}: {problem.message}")


def _validator(schema: Json) -> jsonschema_rs.Draft202012Validator:
    if not isinstance(schema, dict):
        raise errors.BadSchema("the schema must be a JSON object")
    try:
        # the mask keeps what a person typed out of messages
        return jsonschema_rs.Draft202012Validator(
            schema, retriever=_refuse, validate_formats=True, mask="the value", pattern_options=_PATTERNS
        )
    except ValueError as error:
        raise errors.BadSchema(f"the schema is not a usable JSON schema: {str(error).splitlines()[0]}") from None


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"references outside the schema are not followed: {uri}")


class _Cost:
    """Counts subschemas with references written out.

    A recursive schema is nested without end, and refused: checking one took 137 s for an answer 18 levels deep.
    """

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._known: dict[str, int] = {}

    def of(self, node: Json, depth: int = 0) -> int:
        if depth > MAX_NESTING:
            raise errors.BadSchema(f"the schema refers to itself, or is nested deeper than {MAX_NESTING} levels")
        if isinstance(node, list):
            return sum(self.of(inner, depth + 1) for inner in node)
        if not isinstance(node, dict):
            return 0
        if isinstance(node.get("$dynamicRef"), str) or (node is not self._root and isinstance(node.get("$id"), str)):
            raise errors.BadSchema("`$dynamicRef` and an inner `$id` are not supported; use `#/$defs/…`")
        reference = node.get("$ref")
        referred = self._of_reference(reference, depth) if isinstance(reference, str) else 0
        return 1 + referred + sum(self.of(inner, depth + 1) for inner in node.values())

    def _of_reference(self, reference: str, depth: int) -> int:
        if reference not in self._known:
            self._known[reference] = self.of(target(self._root, reference), depth + 1)
        return self._known[reference]


def target(root: Json, reference: str) -> Json:
    """What a `$ref` within the schema means; BadSchema where that is nothing."""
    start, *steps = reference.split("/")
    node: Json = root if start == "#" and steps else None
    for step in steps:
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict):
            node = node.get(name)
        elif isinstance(node, list) and name.isdecimal() and int(name) < len(node):
            node = node[int(name)]
        else:
            node = None
    if node is None:
        raise errors.BadSchema(f"`$ref` {reference!r} is not supported; use `#/$defs/…`")
    return node
