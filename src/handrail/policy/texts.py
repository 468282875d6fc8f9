"""Arguments in other languages, parsed for what they do: commands, SQL, addresses and paths of files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never, cast

from handrail.core.canonical import Json
from handrail.core.holds import Action

from .actions import Text, at
from .derivers import credentials, sql, urls
from .derivers.reading import Reading

_NOTHING: frozenset[str] = frozenset()


def read(action: Action, text: Text) -> Iterator[Reading]:
    """What the texts at the places do. Where none is there, or something beside it is not known, that is unclear."""
    values = [value for place in text.places if (value := at(action, place)) is not None]
    if text.language == "path":
        yield from (_path(value) for value in values)
        return
    where = " or ".join(f"`{'.'.join(place)}`" for place in text.places)
    if not values:
        yield Reading(_NOTHING, "", unclear=f"there is no {text.language} at {where}")
    for value in values:
        yield _parsed(action, text, value)
    held = {place[1] for place in (*text.places, *((text.method,) if text.method else ())) if len(place) > 1}
    odd = sorted(action.args.keys() - held - text.beside)
    if odd:
        yield Reading(_NOTHING, "", unclear=f"it is not known what `args.{odd[0][:50]}` adds to the {text.language}")


def _parsed(action: Action, text: Text, value: Json) -> Reading:
    match text.language:
        case "command":
            # a large parser, which most processes never need
            from .derivers import shell

            if isinstance(value, str):
                return shell.read(value, text.allowed)
            if isinstance(value, list) and all(isinstance(part, str) for part in value):
                return shell.read(cast("list[str]", value), text.allowed)
        case "sql":
            if isinstance(value, str):
                return sql.read(value)
        case "url":
            method = at(action, text.method) if text.method else None
            if isinstance(value, str) and isinstance(method, str | None):
                return urls.read(value, method or "GET", text.allowed)
        case "path":
            return _path(value)
        case _:
            assert_never(text.language)
    return Reading(frozenset({"execute"}), "", unclear=f"the {text.language} is not text")


def _path(value: Json) -> Reading:
    paths = value if isinstance(value, list) else [value]
    secret = [path for path in paths if isinstance(path, str) and credentials.is_credential(path)]
    if not secret:
        return Reading(_NOTHING, "")
    return Reading(_NOTHING, f"the file `{secret[0][:80]}` holds secrets", resources=frozenset({"credential"}))
