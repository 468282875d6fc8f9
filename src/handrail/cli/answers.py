"""What a person types as an answer, made into the JSON that the hold's schema asks for."""

from __future__ import annotations

import json
import sys
from getpass import getpass
from typing import Any, cast

from handrail.cli import output, wording
from handrail.cli.exits import Exit, Failure

Json = dict[str, Any]

YES, NO = {"y", "yes"}, {"n", "no"}


def value(schema: object, text: str | None) -> object:
    """The answer: of the text given ("-": of standard input), else asked for, field by field in a form."""
    shape = cast(Json, schema) if isinstance(schema, dict) else {}
    if text == "-":
        return typed(shape, sys.stdin.read().strip())
    if text is not None:
        return typed(shape, text)
    fields: Json = shape.get("properties") or {}
    if not fields:
        return typed(shape, _ask_for(shape, "Answer"))
    return {name: typed(field, said) for name, field in fields.items() if (said := _ask_for(field, name)) != ""}


def typed(shape: Json, text: str) -> object:
    """Text where the schema takes text or says nothing; JSON where it wants another type."""
    if not shape or shape.get("type") == "string" or text in _choices(shape):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def items(hold: Json, approved: list[str], rejected: list[str], reason: str | None) -> list[Json]:
    """A decision for each item of a batch, asked for where it is not given."""
    known = [item["item_id"] for item in hold["items"]]
    for named in (*approved, *rejected):
        if named not in known:
            raise Failure(Exit.usage, f"The batch has no item {wording.line(named)!r}. Its items: {', '.join(known)}.")
    if both := set(approved) & set(rejected):
        raise Failure(Exit.usage, f"Item {wording.line(min(both))!r} cannot be both approved and rejected.")
    return [
        {"item_id": id, "approved": id in approved or (id not in rejected and _yes(id)), "reason": reason}
        for id in known
    ]


def agree(question: str, declined: str) -> None:
    """Goes on where the person says yes; ends the command where they do not, or nobody is there."""
    output.say(f"{question} [y/N]", err=True)
    try:
        said = input().strip().lower()
    except EOFError as error:
        raise Failure(
            Exit.usage, f"This is not an interactive terminal. {declined} Give --yes to do it without a prompt."
        ) from error
    if said not in YES:
        raise Failure(Exit.refused, declined, {"code": "declined", "detail": declined})


def _yes(id: str) -> bool:
    while (said := ask(f"Approve item {wording.line(id)}? [y/n]").lower()) not in YES | NO:
        pass
    return said in YES


def _choices(shape: Json) -> list[object]:
    return shape.get("enum") or []


def _label(shape: Json, name: str) -> str:
    label = wording.line(shape.get("title") or name)
    about = f" ({wording.line(shape['description'])})" if shape.get("description") else ""
    among = f", one of {', '.join(map(wording.value, _choices(shape)))}" if _choices(shape) else ""
    return f"{label}{about}{among}:"


def _ask_for(shape: Json, name: str) -> str:
    """What the person types; unseen, and as it is, where it is a secret."""
    label = _label(shape, name)
    return getpass(f"{label} ") if shape.get("format") == "password" and sys.stdin.isatty() else ask(label)


def ask(question: str) -> str:
    output.say(question, err=True)
    try:
        return input().strip()
    except EOFError as error:
        raise Failure(
            Exit.usage, "This is not an interactive terminal: give the answer on the command line."
        ) from error
