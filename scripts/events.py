"""Writes what follows from the catalogue of events: the types of the web pages, and the table of docs/events.md."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import TypeAdapter

from handrail.api.catalogue import declared
from handrail.core.events import Event, adapter
from handrail.core.parts import Part

ROOT = Path(__file__).parents[1]
TYPES = ROOT / "web" / "src" / "api" / "events.gen.ts"
DOCUMENT = ROOT / "docs" / "events.md"
BEGIN = "<!-- the table is written by `make schema`, from the classes of the events -->\n"
END = "<!-- end of the table -->\n"
Schema = dict[str, Any]


def fields(cls: type[Event]) -> dict[str, tuple[str, bool]]:
    """The fields of an event's data by name: each with its type in TypeScript, and whether it may be left out."""
    schema = adapter(cls).json_schema(mode="serialization")
    known = cast("dict[str, Schema]", schema.get("$defs", {}))
    found = cast("dict[str, Schema]", schema["properties"])
    written: dict[str, str] = {}
    for base in cls.__mro__:
        written |= getattr(base, "__annotations__", {})
    return {
        name.removesuffix("_"): _field(_type(found[name], known), str(written[name]).startswith("Maybe["))
        for name in found
        if name != "actor"
    }


def part(cls: type[Any]) -> str:
    """A part of a story in TypeScript."""
    schema = TypeAdapter(cls).json_schema(mode="serialization")
    known = cast("dict[str, Schema]", schema.get("$defs", {}))
    found = cast("dict[str, Schema]", schema.get("properties", {}))
    told = "".join(f"; {name}: {_type(kind, known)}" for name, kind in found.items())
    return f'{{ is: "{cls.is_}"; words: string{told} }}'


def _field(kind: str, maybe: bool) -> tuple[str, bool]:
    return (kind.removesuffix(" | null") if maybe else kind), maybe


def _type(schema: Schema, known: dict[str, Schema]) -> str:
    match schema:
        case {"$ref": ref}:
            name = str(ref).rpartition("/")[2]
            return "unknown" if name == "JsonValue" else _type(known[name], known)
        case {"anyOf": choices}:
            return " | ".join(_type(choice, known) for choice in choices)
        case {"const": value}:
            return f'"{value}"'
        case {"enum": values}:
            return " | ".join(f'"{value}"' for value in values)
        case {"type": "array", "items": items}:
            inner = _type(items, known)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case {"type": "object", "properties": inner}:
            return "{ " + "; ".join(f"{name}: {_type(part, known)}" for name, part in inner.items()) + " }"
        case {"type": "object", "additionalProperties": inner} if inner is not True:
            return f"Record<string, {_type(inner, known)}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": "integer"}:
            return "number"
        case {"type": "string" | "number" | "boolean" | "null" as name}:
            return str(name)
        case _:
            return "unknown"


def types() -> str:
    """The union of all events, and that of the parts of a story."""
    lines = [
        "/** Written by `make schema` from the catalogue of events. Do not edit. */",
        "",
        "/** The data of each event. Of one whose data the log no longer keeps, nothing is left. */",
        "export interface EventData {",
    ]
    for type_, cls in declared().items():
        said = [f"{name}{'?' if maybe else ''}: {kind}" for name, (kind, maybe) in fields(cls).items()]
        lines.append(f'  "{type_}": {{ ' + "; ".join(said) + " };")
    lines += [
        "}",
        "",
        "export interface Envelope {",
        "  seq: number;",
        "  at: string;",
        "  actor: { id: string; name: string; kind: string } | null;",
        "  hold_id: string | null;",
        "  run_id: string | null;",
        "  case_id: string | null;",
        "  kind: string | null;",
        "}",
        "",
        "/** One event of the log. Newer servers may send others: ignore them. */",
        "export type Entry = { [T in keyof EventData]: Envelope & { type: T; data: Partial<EventData[T]> } }"
        "[keyof EventData];",
        "",
        "/** A part of a run's story: what happened, and how it reads. */",
        "export type StoryPart =",
        *(f"  | {part(cls)}" for cls in get_args(Part)),
        ";",
        "",
        "/** One event of a run, as the part of the story that it is. */",
        "export type Told = Envelope & { type: keyof EventData; story: StoryPart };",
        "",
    ]
    return "\n".join(lines)


def table() -> str:
    lines = ["| type | what happened | `data` |", "| --- | --- | --- |"]
    for type_, cls in declared().items():
        meaning = " ".join((cls.__doc__ or "").split())
        said = ", ".join(_told(name, kind, maybe) for name, (kind, maybe) in fields(cls).items())
        lines.append(f"| `{type_}` | {meaning} | {said} |")
    return "\n".join(lines) + "\n"


def _told(name: str, kind: str, maybe: bool) -> str:
    parts = [part.strip('"') for part in kind.split(" | ") if part != "null"]
    values = f" ({', '.join(parts)})" if kind.startswith('"') else ""
    return f"`{name}`{'?' if maybe else ''}{values}"


def document() -> str:
    """docs/events.md with the table as it should be."""
    text = DOCUMENT.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + table() + END + rest.partition(END)[2]


def main() -> None:
    match sys.argv[1:]:
        case ["types"]:
            sys.stdout.write(types())
        case ["document"]:
            sys.stdout.write(document())
        case _:
            TYPES.write_text(types(), encoding="utf-8")
            DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
