"""Nodes of a document as plain values, by the core schema of YAML 1.2; dates stay text, so that all of it is JSON."""

from __future__ import annotations

import re

from handrail.core.canonical import Json

from .document import Mapping, Node, Scalar

_WORDS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# longer ones are text: JSON has no room for them
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}|0x[0-9a-fA-F]{1,12}|0o[0-7]{1,15}")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]{1,15}|[0-9]{1,15}(?:\.[0-9]{0,15})?)(?:[eE][-+]?[0-9]{1,2})?")


def plain(node: Node) -> Json:
    """The value that the node stands for."""
    if isinstance(node, Scalar):
        return _scalar(node.text) if node.plain else node.text
    if isinstance(node, Mapping):
        return {name: plain(value) for name, value in node.entries.items()}
    return [plain(item) for item in node.items]


def _scalar(text: str) -> Json:
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        base = {"0x": 16, "0o": 8}.get(text[:2], 10)
        return int(text, base)
    return float(text) if _NUMBER.fullmatch(text) else text
