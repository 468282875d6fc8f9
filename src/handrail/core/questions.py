"""What may be asked: every part is JSON that keeps its meaning, and a batch or a form is one that can be filled in."""

from __future__ import annotations

from . import answers, canonical, errors, kinds
from .holds import GRANT, Action, Question


def check(question: Question) -> None:
    """Rejected names the place. Only a checked question has a digest."""
    _check_line(question.title, "title")
    if question.action is not None:
        check_action(question.action)
    elif kinds.rules(question.kind).needs_action:
        raise errors.MissingField(f"a hold of kind {question.kind} needs an `action`", field="action")
    canonical.check(question.evidence, "evidence")
    if question.schema is not None:
        _check_schema(question)
    if question.items:
        _check_items(question)


def check_response(question: Question) -> None:
    """Whether it can take words in place of yes or no: what asks for an answer, or for one for each item, cannot."""
    if question.items or kinds.rules(question.kind).answered:
        what = "a batch" if question.items else f"a hold of kind {question.kind}"
        raise errors.InvalidField(f"{what} is answered, so it takes no response in addition", field="takes_response")


def check_action(action: Action) -> None:
    _check_line(action.name, "action.name")
    if action.name == GRANT:
        raise errors.InvalidField(f"`action.name`: {GRANT} is reserved for grants", field="action.name")
    canonical.check(action.args, "action.args")
    canonical.check(action.target, "action.target")


def _check_line(text: str, field: str) -> None:
    canonical.check(text, field)
    if not text.strip():
        raise errors.InvalidField(f"`{field}` must not be empty", field=field)


def _check_schema(question: Question) -> None:
    if not kinds.rules(question.kind).answered:
        raise errors.InvalidField("only an input has an answer schema", field="schema")
    canonical.check(question.schema, "schema")
    answers.check_schema(question.schema)


def _check_items(question: Question) -> None:
    if not kinds.rules(question.kind).batch:
        raise errors.InvalidField("only a confirmation can be a batch", field="items")
    canonical.check(list(question.items), "items")
    seen: set[str] = set()
    for n, item in enumerate(question.items):
        item_id = item.get("item_id")
        if not isinstance(item_id, str) or not item_id.strip():
            raise errors.InvalidField(f"`items[{n}]` needs an `item_id` that is text", field="items")
        if item_id in seen:
            raise errors.InvalidField(f"`items[{n}]` repeats the item_id {item_id!r} of another item", field="items")
        seen.add(item_id)
