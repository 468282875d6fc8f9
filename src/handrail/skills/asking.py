"""`request_input`: a person's answer, or what stands for it where there is nobody to ask."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from langchain_core.tools import ToolException

from handrail.core import answers, errors
from handrail.core.canonical import JsonObject
from handrail.core.skills import Input
from handrail.engine.failures import Failed
from handrail_sdk.langgraph import Action, ask_human

NAME: Final = "request_input"
LONGEST_TITLE = 300


def ask(prompt: str, name: str | None, schema: JsonObject | None) -> str:
    """Waits for the answer, for as long as it takes."""
    if not prompt.strip():
        raise errors.InvalidField("`prompt` is empty: say what you want to know", field="prompt")
    if schema is not None:
        answers.check_schema(schema)
    line = " ".join(prompt.split())
    short = len(line) <= LONGEST_TITLE
    answer = ask_human(
        "input",
        line if short else line[:LONGEST_TITLE] + "…",
        Action(NAME, {"prompt": prompt, "name": name}),
        schema=schema,
        description=None if short else prompt,
    )
    if answer.outcome != "answered":
        raise ToolException(f"There is no answer: the question was {answer.outcome}.")
    return answer.answer if isinstance(answer.answer, str) else json.dumps(answer.answer, ensure_ascii=False)


def answer_alone(prompt: str, name: str | None, inputs: Sequence[Input], missing: Sequence[str]) -> str:
    """The input's default; else, the first time, the advice to find another way; then the run ends."""
    declared = next((given for given in inputs if given.name == name), None)
    if declared is not None and declared.default is not None:
        return (
            f"No one can be asked in this run. The skill's default for `{declared.name}` is: {declared.default}. "
            "Continue with it, and say so in your answer."
        )
    if missing:
        raise Failed(
            "input_missing",
            f"the skill cannot continue without knowing: {'; '.join(dict.fromkeys([*missing, prompt]))}. No one can "
            "be asked in this run: say it in the request, or start the skill interactively",
        )
    raise ToolException(
        "No one can be asked in this run, and the skill has no default for this. Take an approach that does not need "
        "it. If there is none, say in your answer exactly what was missing."
    )
