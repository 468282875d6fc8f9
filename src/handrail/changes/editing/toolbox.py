"""The tools as a model calls them: by name, with arguments from outside, and an answer in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from handrail.changes.editing import arguments
from handrail.changes.editing.desk import Edit, EditedFile, Gate, apply
from handrail.changes.editing.errors import BadArguments, Refused
from handrail.changes.editing.listing import Listing
from handrail.changes.editing.tools import files
from handrail.changes.editing.tools.apply_patch import apply_patch
from handrail.changes.editing.tools.ensure_import import ensure_import
from handrail.changes.editing.tools.insert import insert
from handrail.changes.editing.tools.read import read
from handrail.changes.editing.tools.replace_symbol import replace_symbol
from handrail.changes.editing.tools.replace_text import replace_text
from handrail.changes.editing.tools.rewrite import rewrite
from handrail.changes.editing.tools.search import MOST, search

EDITS: dict[str, tuple[type[arguments.Arguments], Callable[..., tuple[Edit, ...]]]] = {
    "replace_text": (arguments.ReplaceText, replace_text),
    "replace_symbol": (arguments.ReplaceSymbol, replace_symbol),
    "insert": (arguments.Insert, insert),
    "ensure_import": (arguments.EnsureImport, ensure_import),
    "rewrite": (arguments.Rewrite, rewrite),
    "create": (arguments.Create, files.create),
    "delete": (arguments.Delete, files.delete),
    "move": (arguments.Move, files.move),
    "apply_patch": (arguments.ApplyPatch, apply_patch),
}
LOOKS: dict[str, type[arguments.Arguments]] = {"read": arguments.Read, "search": arguments.Search}


class Answer(NamedTuple):
    """`text` goes back to the model; `edited` is what the run tells people."""

    text: str
    code: str = ""
    """Why it was refused; empty where it was not."""
    edited: tuple[EditedFile, ...] = ()


class Toolbox:
    """The tools over one tree. `allow` is asked about each edit and raises Refused for one outside the plan."""

    def __init__(self, tree: Listing, gate: Gate, allow: Callable[[Edit], None] = lambda _: None) -> None:
        self._tree, self._gate, self._allow = tree, gate, allow

    def call(self, name: str, given: Mapping[str, Any]) -> Answer:
        """Never raises for what a model sends: a refusal is an answer, and then nothing was changed."""
        try:
            if name in EDITS:
                return self._edit(name, given)
            if name == "read":
                return Answer(read(self._tree, **_checked(name, arguments.Read, given)))
            if name == "search":
                return self._search(_checked(name, arguments.Search, given))
            raise BadArguments(f"There is no tool {name!r}. There are: {', '.join((*LOOKS, *EDITS))}.")
        except Refused as refused:
            return Answer(refused.message, refused.code)

    def _edit(self, name: str, given: Mapping[str, Any]) -> Answer:
        schema, tool = EDITS[name]
        edits = tool(self._tree, **_checked(name, schema, given))
        if not edits:
            return Answer("It is there already; nothing was changed.")
        edited = apply(self._tree, edits, self._gate, self._allow)
        told = (f"{each.path} hash={each.hash}" if each.hash else f"{each.path} deleted" for each in edited)
        return Answer("Done: " + ", ".join(told) + "\n" + "".join(each.diff for each in edited), edited=edited)

    def _search(self, given: dict[str, Any]) -> Answer:
        hits = search(self._tree, **given)
        lines = [f"{hit.path}:{hit.line}:{f' [{hit.symbol}]' if hit.symbol else ''} {hit.text}" for hit in hits]
        if len(hits) == MOST:
            lines.append(f"These are the first {MOST}. Narrow the search to see others.")
        return Answer("\n".join(lines) or "Nothing found.")


def schemas() -> list[dict[str, Any]]:
    """Name, description and JSON Schema of each tool, as providers of models take them."""
    found = {**LOOKS, **{name: schema for name, (schema, _) in EDITS.items()}}
    return [
        {"name": name, "description": schema.__doc__, "parameters": schema.model_json_schema()}
        for name, schema in found.items()
    ]


def _checked(name: str, schema: type[arguments.Arguments], given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return schema.model_validate(dict(given)).model_dump()
    except ValidationError as error:
        faults = (f"`{'.'.join(map(str, fault['loc']))}`: {fault['msg']}" for fault in error.errors())
        raise BadArguments(f"{name} cannot be called so. " + "; ".join(faults)) from None
