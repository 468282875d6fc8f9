"""The attestation as a block at the end of a text, and read from there again."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import cast

from handrail.core.attestation import Attestation
from handrail.core.canonical import JsonObject

NAME = "handrail-attestation"
_BEGIN = "<details><summary>Signed attestation (check it with <code>handrail change verify</code>)</summary>"
_BLOCK = re.compile(
    rf"^{re.escape(_BEGIN)}\n\n```json {NAME}\n(?P<json>.*?)\n```\n\n</details>$", re.MULTILINE | re.DOTALL
)
# what could end the fence or begin markup stands in JSON as an escape
_ESCAPED = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "`<>&@"})
_FENCE = re.compile(rf"^[ >]*[`~]{{3,}}.*{NAME}", re.MULTILINE)


def text_hash(text: str) -> str:
    """Of a text as people read it: line endings and spaces at the ends of lines, which hosts change, do not count."""
    return sha256(_normal(text).encode()).hexdigest()


def with_block(text: str, attestation: Attestation) -> str:
    """The text, followed by the attestation that covers it."""
    written = json.dumps(attestation.as_data(), indent=1).translate(_ESCAPED)
    return f"{text.rstrip()}\n\n{_BEGIN}\n\n```json {NAME}\n{written}\n```\n\n</details>\n"


class Unreadable(Exception):
    """The text has no attestation, or more than one."""


def taken_apart(body: str) -> tuple[str | None, JsonObject]:
    """The text around the block, and what the block says; no text where the file is an attestation alone."""
    normal = _normal(body)
    if normal.startswith("{"):
        return None, _object(normal)
    blocks = list(_BLOCK.finditer(normal))
    if len(blocks) > 1 or len(_FENCE.findall(normal)) > 1:
        raise Unreadable("it has more than one attestation, so which one counts is unclear")
    if not blocks:
        raise Unreadable("it has no attestation")
    found = blocks[0]
    return normal[: found.start()] + normal[found.end() :], _object(found["json"])


def _object(text: str) -> JsonObject:
    try:
        data = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"its attestation is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise Unreadable("its attestation is not a JSON object")
    return cast("JsonObject", data)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a name stands in it twice")
    return dict(pairs)


def _normal(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip(" \t") for line in lines).strip("\n")
