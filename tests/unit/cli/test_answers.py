"""From what is typed to the JSON that a schema asks for."""

from __future__ import annotations

import hashlib
import io
import os
import pty
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from handrail.cli import answers
from handrail.cli.exits import Exit, Failure

Json = dict[str, Any]


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        (None, "42", "42"),
        ({"type": "string"}, "42", "42"),
        ({"type": "integer"}, "42", 42),
        ({"type": "boolean"}, "true", True),
        ({"enum": ["red", "7"]}, "7", "7"),
        ({"enum": ["red", 7]}, "7", 7),
        ({"type": "object"}, '{"a": 1}', {"a": 1}),
        ({"type": "integer"}, "many", "many"),
    ],
)
def test_a_given_answer(schema: object, text: str, value: object):
    assert answers.value(schema, text) == value


def test_an_answer_from_standard_input(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("two\nlines\n"))

    assert answers.value(None, "-") == "two\nlines"


def test_a_form_is_asked_for_field_by_field(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("sys.stdin", io.StringIO("eu-1\n3\n\n"))
    schema = {"type": "object", "properties": {"region": {"enum": ["eu-1"]}, "count": {"type": "integer"}, "note": {}}}

    assert answers.value(schema, None) == {"region": "eu-1", "count": 3}
    assert 'region, one of "eu-1":' in capsys.readouterr().err


def test_nobody_to_answer_is_a_usage_failure(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))

    with pytest.raises(Failure) as failure:
        answers.value(None, None)
    assert failure.value.exit is Exit.usage


def _batch(hold: Callable[..., Json]) -> Json:
    return hold(items=[{"item_id": "a"}, {"item_id": "b"}, {"item_id": "c"}])


def test_items_that_are_not_named_are_asked_for(hold: Callable[..., Json], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("perhaps\ny\n"))

    said = answers.items(_batch(hold), ["a"], ["b"], None)

    assert {one["item_id"]: one["approved"] for one in said} == {"a": True, "b": False, "c": True}


@pytest.mark.parametrize(("approve", "reject"), [(["z"], []), (["a"], ["a"])])
def test_items_that_make_no_sense(hold: Callable[..., Json], approve: list[str], reject: list[str]):
    with pytest.raises(Failure) as failure:
        answers.items(_batch(hold), approve, reject, None)
    assert failure.value.exit is Exit.usage


def test_a_secret_is_typed_unseen_at_a_terminal() -> None:
    asks = (
        "import hashlib; from handrail.cli.answers import value; "
        "said = value({'type': 'string', 'format': 'password', 'title': 'The key'}, None); "
        "print('hash', hashlib.sha256(said.encode()).hexdigest())"
    )
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-c", asks])
    shown = b""
    with os.fdopen(terminal, "r+b", buffering=0) as person:
        while b"The key: " not in shown:
            shown += person.read(100)
        person.write(b" open sesame \n")
        with suppress(OSError):
            while part := person.read(100):
                shown += part
    assert os.waitpid(pid, 0)[1] == 0, shown
    assert hashlib.sha256(b" open sesame ").hexdigest().encode() in shown
    assert b"sesame" not in shown
