"""`ask_human`: a question to people from inside a graph's node; the run waits, for seconds or for weeks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from langgraph.types import interrupt

from handrail_sdk.canonical import digest, plain, plain_object
from handrail_sdk.errors import HandrailError, Misconfigured
from handrail_sdk.holds import Action, ExpiryOutcome, Kind

from . import answers, port
from .answers import Answer

# A question that never settles would be asked for ever, each time with a person's answer thrown away.
MOST_CHANGES: Final = 5


class UnsteadyQuestion(HandrailError):
    """The question differs each time the node runs."""

    default_code = "unsteady_question"


def ask_human(
    kind: Kind,
    title: str,
    action: Action | None = None,
    *,
    schema: object = None,
    description: str | None = None,
    evidence: object = None,
    context: object = None,
    task: Mapping[str, object] | None = None,
    case_id: str | None = None,
    expires_in: float | None = None,
    on_expiry: ExpiryOutcome | None = None,
    takes_response: bool = False,
) -> Answer:
    """Asks people and returns their answer, in a sync or async node; nothing waits in memory meanwhile.

    The node runs again from its start when the answer arrives, so what comes before the question happens twice: ask in
    a separate node, or wrap what acts in `effect`. A rejection or an expired question is an Answer too.

    With `takes_response`, people may also respond with words in place of yes or no: the outcome is then `answered`, and
    `answer` is what they said.

    The answer belongs to exactly this question (its digest): if kind, title, action, schema or evidence differ when the
    node runs again, people are asked again.

    In plain LangGraph this is an `interrupt`. A resume value that does not come from Handrail is read for what it
    plainly means: true, "yes" or {"type": "approve"} is a yes; anything but a clear yes is a no, with the text as its
    reason; for an `input` it is the answer.
    """
    if action is None and kind in ("approval", "review"):
        raise Misconfigured(f"{title!r} asks for an {kind} without an `action`: say what should be done")
    expected = digest(kind, title, action, schema=schema, evidence=evidence)
    question: dict[str, Any] = {
        answers.MARK: answers.VERSION,
        "kind": kind,
        "title": title,
        "action": action
        and {"name": action.name, "args": plain_object(action.args, "`action.args`"), "target": action.target},
        "schema": plain(schema, "`schema`"),
        "evidence": plain(evidence, "`evidence`"),
        "context": plain(context, "`context`"),
        "task": None if task is None else plain_object(task, "`task`"),
        "description": description,
        "case_id": case_id,
        "expires_in": expires_in,
        "on_expiry": on_expiry,
        # left out where it says nothing, so that it is the same question as before it was known
        **({"takes_response": True} if takes_response else {}),
    }
    driven = port.current.get() is not None
    for _ in range(MOST_CHANGES):
        said = interrupt(question)
        answer = answers.read(said, kind, action, expected, driven=driven, takes_response=takes_response)
        if answer is not None:
            return answer
    raise UnsteadyQuestion(
        f"{title!r} was asked {MOST_CHANGES} times and differed each time the node ran: build it from the state alone,"
        " without clocks, random numbers or a model"
    )
