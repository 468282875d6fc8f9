"""The catalogue as a whole: every room's events are in it, and what is generated from it is up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import handrail
from handrail.api import catalogue
from handrail.core.events import Event, adapter, read
from handrail.people.erasing import emptied

ROOT = Path(__file__).parents[3]
SOURCE = Path(handrail.__file__).parent


def test_every_room_that_declares_events_is_known() -> None:
    declaring = re.compile(r"^@event\(", re.MULTILINE)
    files = {file for file in SOURCE.rglob("*.py") if declaring.search(file.read_text(encoding="utf-8"))}
    assert files == {Path(str(room.__file__)) for room in catalogue.ROOMS}


def test_only_the_store_writes_into_the_log_and_only_what_is_declared() -> None:
    writers = {
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if "INSERT INTO event_inbox" in file.read_text(encoding="utf-8")
    }
    assert writers == {"store/events.py", "store/claims.py", "store/restoring.py"}
    for name in writers:
        assert not re.search(r"'[a-z]+\.[a-z_]+'", (SOURCE / name).read_text(encoding="utf-8")), name


def test_what_a_run_may_write_is_declared_as_a_runs_and_nothing_else_is() -> None:
    """The login of runs is let by these prefixes (`store/migrations/0016_run_login.sql`)."""
    of_runs = {
        cls.__module__ for type_, cls in catalogue.declared().items() if re.match(r"(run|message|effect)\.", type_)
    }
    assert of_runs == {"handrail.core.run_events"}


@pytest.mark.parametrize("cls", catalogue.declared().values(), ids=lambda cls: cls.type)
def test_an_event_is_read_as_it_was_written_also_after_an_erasure(cls: type[Event]) -> None:
    event = _example(cls)
    assert read(cls.type, event.data, event.actor) == event
    assert type(read(cls.type, emptied(event.data, "erased-1"))) is cls


@pytest.mark.parametrize(("what", "file"), [("types", "web/src/api/events.gen.ts"), ("document", "docs/events.md")])
def test_what_is_generated_is_up_to_date(what: str, file: str) -> None:
    made = subprocess.run([sys.executable, ROOT / "scripts" / "events.py", what], capture_output=True, check=True)
    assert made.stdout.decode() == (ROOT / file).read_text(encoding="utf-8"), "run `make schema`"


def _example(cls: type[Event]) -> Event:
    """One with a value in every field, made from its schema."""
    schema = adapter(cls).json_schema()
    return adapter(cls).validate_python(_value({**schema, "title": ""}, schema.get("$defs", {})))


def _value(schema: Any, known: Any) -> Any:
    match schema:
        case {"$ref": ref}:
            return _value(known[ref.rpartition("/")[2]], known)
        case {"anyOf": [first, *_]}:
            return _value(first, known)
        case {"enum": [first, *_]} | {"const": first}:
            return first
        case {"type": "object", "properties": inner}:
            return {name: _value(part, known) for name, part in inner.items()}
        case {"type": "object", "additionalProperties": inner} if inner is not True:
            return {"7": _value(inner, known)}
        case {"type": "array", "items": items}:
            return [_value(items, known)]
        case {"type": "string", "format": "uuid"}:
            return "00000000-0000-7000-8000-000000000007"
        case {"type": "integer" | "number"}:
            return 7
        case {"type": "boolean"}:
            return True
        case {"type": "string"}:
            return "text"
        case _:
            return {"any": ["thing"]}
