"""Values that a model hands in, with and without calls of tools."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage
from pydantic import BaseModel, ConfigDict

from handrail.changes.planning.handing_in import HandIn, Unusable


class Size(BaseModel):
    """How large it is."""

    model_config = ConfigDict(extra="forbid")

    lines: int


SUBMIT = HandIn("submit_size", Size)


def called(name: str, **args: object) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": "1"}])


@pytest.mark.parametrize(
    "said",
    [
        called("submit_size", lines=3),
        AIMessage('{"lines": 3}'),
        AIMessage('Here it is.\n```json\n{"lines": 3}\n```\n'),
        AIMessage('First\n```\n{"lines": 1}\n```\nthen\n~~~~json\n{"lines": 3}\n~~~~'),
    ],
)
def test_a_value_is_read_from_a_call_or_from_fenced_json(said: AIMessage) -> None:
    assert SUBMIT.of(said) == Size(lines=3)


@pytest.mark.parametrize("said", [called("read", path="a.py"), AIMessage("I would rather not."), AIMessage("")])
def test_a_message_without_one_has_none(said: AIMessage) -> None:
    assert SUBMIT.of(said) is None


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (called("submit_size", lines="many"), "`lines`"),
        (called("submit_size", lines=3, colour="red"), "`colour`"),
        (AIMessage('{"lines": 3'), "cannot be read"),
        (AIMessage("```json\n{}\n```"), "`lines`"),
    ],
)
def test_what_is_wrong_with_one_is_said(said: AIMessage, says: str) -> None:
    with pytest.raises(Unusable, match=says):
        SUBMIT.of(said)


def test_the_tool_is_described_as_providers_take_it() -> None:
    about = SUBMIT.described()
    assert (about["name"], about["description"]) == ("submit_size", "How large it is.")
    assert about["parameters"]["properties"]["lines"]["type"] == "integer"
