"""Arguments in other languages, parsed for what they do: commands, SQL, addresses and paths of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import assert_never, cast
from urllib.parse import unquote

from handrail.core.canonical import Json
from handrail.core.holds import Action

from .actions import Text, at
from .derivers import credentials, names, sql, urls
from .derivers.reading import MAX_BYTES, Reading, unreadable

_NOTHING: frozenset[str] = frozenset()
_MOST_COMMANDS = 50
_MOST_PATHS = 1000
_ONE_COMMAND = frozenset({"command", "cmd", "argv", "args"})
"""Names of arguments whose lists are the words of one command; a list by another name may be one of commands."""


def read(action: Action, text: Text) -> Iterator[Reading]:
    """What the texts at the places do. Where none is there, or something beside it is not known, that is unclear."""
    found = [(place, value) for place in text.places if (value := at(action, place)) is not None]
    values = [value for _, value in found]
    if text.language == "path":
        yield from (_path(value) for value in values)
        return
    if text.optional and not values:
        return
    where = " or ".join(f"`{'.'.join(place)}`" for place in text.places)
    if not values:
        yield Reading(_NOTHING, "", unclear=f"there is no {text.language} at {where}")
    for place, value in found:
        yield _parsed(action, text, value)
        if text.language == "command" and isinstance(value, list) and place[-1] not in _ONE_COMMAND:
            yield from _each(action, text, value)
    if text.language == "command" and len(values) > 1:
        yield _joined(values)
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


def _each(action: Action, text: Text, commands: Sequence[Json]) -> Iterator[Reading]:
    if len(commands) > _MOST_COMMANDS:
        yield unreadable("there are too many commands to read")
        return
    yield from (_parsed(action, text, each) for each in commands)


def _joined(values: Sequence[Json]) -> Reading:
    """`{command: "git", args: ["push"]}`: one command or several, as the tool takes it. Never low, whatever each is."""
    from .derivers import shell

    words = [part for value in values for part in (value.split() if isinstance(value, str) else _texts(value))]
    unclear = "it is not known how its parts go together"
    return replace(shell.read(words, ()), unclear=unclear)


def _texts(value: Json) -> list[str]:
    return [part for part in value if isinstance(part, str)] if isinstance(value, list) else []


def _path(value: Json) -> Reading:
    paths = list(islice(_paths(value), _MOST_PATHS + 1))
    if len(paths) > _MOST_PATHS or sum(map(len, paths)) > MAX_BYTES:
        return unreadable("there are too many paths to read", ())
    secret = next((path for path in paths if _is_secret(path)), None)
    if secret is None:
        return Reading(_NOTHING, "")
    return Reading(_NOTHING, f"the file `{secret[:80]}` holds secrets", resources=frozenset({"credential"}))


def _paths(value: Json) -> Iterator[str]:
    """Every text of a value: a tool may take `[{path: …}]`."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(path):
                yield path
            case list(several):
                waiting.extend(several)
            case dict(fields):
                waiting.extend(fields.values())
            case _:
                pass


def _is_secret(path: str) -> bool:
    """Also as it is for a program that ends it at a zero, drops what is not seen, or decodes it."""
    shown = names.fold(unquote(path).partition("\0")[0]).text
    return credentials.is_credential(path) or credentials.is_credential(shown)
