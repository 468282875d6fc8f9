"""Values that a model hands in: by a call of one tool, or as fenced JSON; what is wrong with one goes back to it."""

from __future__ import annotations

import json
import re
from typing import Any, Generic, TypeVar

from langchain_core.messages import AIMessage
from pydantic import BaseModel, ValidationError

V = TypeVar("V", bound=BaseModel)
_FENCED = re.compile(r"^(`{3,}|~{3,})\s*(?:json)?\s*\n(.*?)^\1\s*$", re.DOTALL | re.MULTILINE)
MOST_FAULTS = 10


class Unusable(Exception):
    """What the model handed in, in words that help it to do better."""


class HandIn(Generic[V]):
    """The tool by which a value of this type is handed in."""

    def __init__(self, name: str, schema: type[V]) -> None:
        self.name = name
        self._schema = schema

    def described(self) -> dict[str, Any]:
        """As providers of models take tools."""
        about = (self._schema.__doc__ or "").strip()
        return {"name": self.name, "description": about, "parameters": self._schema.model_json_schema()}

    def of(self, said: AIMessage) -> V | None:
        """The value in a model's message; nothing where it hands none in. Raises Unusable."""
        for call in said.tool_calls:
            if call["name"] == self.name:
                return self._read(call["args"])
        if said.tool_calls:
            return None
        blocks = [found[2] for found in _FENCED.finditer(said.text)]
        text = blocks[-1] if blocks else said.text.strip()
        if not text.startswith("{"):
            return None
        try:
            return self._read(json.loads(text))
        except json.JSONDecodeError as error:
            raise Unusable(f"The JSON cannot be read: {error}. Hand in one JSON object.") from None

    def _read(self, given: Any) -> V:
        try:
            return self._schema.model_validate(given)
        except ValidationError as error:
            found = error.errors()[:MOST_FAULTS]
            told = "; ".join(f"`{'.'.join(map(str, fault['loc'])) or 'value'}`: {fault['msg']}" for fault in found)
            raise Unusable(f"{self.name} was not accepted. {told}") from None
