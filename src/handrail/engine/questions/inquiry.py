"""One interrupt as holds: what every shape makes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from handrail.core import canonical, cases, errors, questions
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Action, Hold, Kind, Question, Status
from handrail.holds.opening import Opening
from handrail_sdk.holds import Action as Shown
from handrail_sdk.wording import title_of

# what a request to the API may hold
LARGEST = 2**20
LONGEST_NAME = 500
MOST_HOLDS = 100
UNBOUND: JsonObject = {"binding": "not bound to arguments"}
# who wrote the graph wants a person to look, whatever the policy thinks of the action
AT_LEAST: JsonObject = {"risk": "medium"}


class Answering(Protocol):
    def __call__(self, holds: Sequence[Hold], names: Mapping[UUID, str] = ...) -> Json: ...


@dataclass(frozen=True, slots=True)
class Inquiry:
    """`openings` are the holds that the interrupt needs, at least one, without the run's own fields (`run_id`,
    `starter`, `hold_id`); `answer` makes of the decided holds, in the same order, what the graph resumes with.

    `names` are those of the people who decided.
    """

    openings: tuple[Opening, ...]
    answer: Answering


def approval(action: Action, description: str | None, context: JsonObject, *, takes_response: bool) -> Opening:
    """The hold of an action that a foreign graph wants approved, titled by the action itself."""
    return Opening(
        kind=Kind.approval,
        title=title_of(Shown(action.name, action.args, action.target)),
        action=action,
        description=description,
        task=AT_LEAST,
        context={**UNBOUND, **context},
        takes_response=takes_response,
    )


def check(inquiry: Inquiry) -> Inquiry:
    """QuestionUnusable where a hold could not be opened, or nobody could read it."""
    if len(inquiry.openings) > MOST_HOLDS:
        raise errors.QuestionUnusable(
            f"one interrupt asks for {len(inquiry.openings)} decisions; ask for at most {MOST_HOLDS} at once"
        )
    for opening in inquiry.openings:
        _check(opening)
    return inquiry


def _check(opening: Opening) -> None:
    try:
        question = Question(opening.kind, opening.title, opening.action, (), opening.schema, opening.evidence)
        questions.check(question)
        if opening.takes_response:
            questions.check_response(question)
        cases.check(opening.case_id)
        for name in ("description", "task", "context"):
            canonical.check(getattr(opening, name), name)
    except errors.Rejected as error:
        raise errors.QuestionUnusable(f"{opening.title!r:.200} cannot be shown to people: {error.message}") from None
    action = [opening.action.name, opening.action.args, opening.action.target] if opening.action else []
    parts = [opening.title, *action, opening.evidence, opening.description]
    size = len(json.dumps([*parts, opening.context, opening.schema, opening.task]))
    if (opening.action and len(opening.action.name) > LONGEST_NAME) or size > LARGEST:
        raise errors.QuestionUnusable(f"{opening.title!r:.200} is too large for a person to decide ({size:,} bytes)")


def refusal(hold: Hold) -> str | None:
    """Why the answer is no, where the decision says; a person's no may stand without a reason."""
    decision = hold.decision
    if hold.status is Status.rejected:
        return decision.reason if decision else None
    return f"{hold.status.value}: {decision.reason}" if decision and decision.reason else hold.status.value


def nobody_answered(hold: Hold) -> errors.AnswerUnusable:
    return errors.AnswerUnusable(
        f"{hold.question.title!r} was {refusal(hold) or hold.status.value}, but the graph only accepts an answer:"
        " start the run again, or ask with `ask_human`, which can handle a rejection",
        hold_id=str(hold.id),
    )
