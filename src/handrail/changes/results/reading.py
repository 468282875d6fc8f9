"""Reading what tools write: JSON among other lines, XML without tricks, values of any shape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast
from xml.etree import ElementTree

_MAX_BYTES = 100_000_000


class Unreadable(Exception):
    """The output is not what the tool is known to write."""


def json_in(text: str, *, having: str) -> dict[str, Any]:
    """The last JSON object with that key; programs print before and after it. Raises Unreadable."""
    decoder = json.JSONDecoder()
    for start in reversed([match.start() for match in re.finditer(r"^\{", text, re.MULTILINE)][:200]):
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if having in value:
            return value
    raise Unreadable(f"There is no JSON report with `{having}`.")


def json_list(text: str) -> list[dict[str, Any]]:
    """A JSON array of objects, on its own or on a line of its own. Raises Unreadable."""
    for part in (text, *reversed([line for line in text.splitlines() if line.startswith("[")])):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list):
            return [cast("dict[str, Any]", each) for each in cast("list[Any]", value) if isinstance(each, dict)]
    raise Unreadable("There is no JSON report.")


def json_lines(text: str) -> Iterator[dict[str, Any]]:
    """The lines that are JSON objects; others are what programs print."""
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                continue
            yield cast("dict[str, Any]", value)


def xml_files(files: Mapping[str, bytes]) -> Iterator[ElementTree.Element]:
    """The roots of all reports. Raises Unreadable, which names the file, where one is no report or there is none."""
    if not files:
        raise Unreadable("There is no report.")
    for name, data in sorted(files.items()):
        try:
            yield xml(data)
        except Unreadable as error:
            raise Unreadable(f"{name}: {error}") from error


def xml(data: bytes) -> ElementTree.Element:
    """The root of a document without a type: entities can name files and grow without end. Raises Unreadable."""
    if len(data) > _MAX_BYTES:
        raise Unreadable(f"The report is larger than {_MAX_BYTES} bytes.")
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise Unreadable("The report declares a document type, which no test runner does.")
    try:
        return ElementTree.fromstring(data)  # noqa: S314 - without a document type there are no entities
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise Unreadable(f"The report is not XML: {error}.") from None


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def number_of(value: object) -> float:
    """Finite, zero for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 0.0
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return 0.0
    return number if abs(number) < 1e12 else 0.0


def line_of(value: object) -> int:
    return max(0, int(number_of(value)))


def objects(value: object) -> list[dict[str, Any]]:
    """The objects of a list that may be none."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", each) for each in items if isinstance(each, dict)]


def mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def strings(value: object) -> list[str]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [each for each in items if isinstance(each, str)]


def brief(message: str) -> str:
    """As much of a message as people read."""
    return message.strip()[:2_000]
