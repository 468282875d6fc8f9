"""What may be asked: every part is JSON that keeps its meaning, and people are able to decide it."""

from __future__ import annotations

from . import answers, canonical, errors
from .holds import Action, Hold, Question


def check(hold: Hold) -> None:
    question = hold.question
    _check_line(question.title, "title")
    check_action(question.action)
    canonical.check(question.evidence, "evidence")
    canonical.check(hold.description, "description")
    canonical.check(hold.case_id, "case_id")
    canonical.check(hold.context, "context")
    canonical.check(hold.task, "task")
    if question.schema is not None:
        canonical.check(question.schema, "schema")
        answers.check_schema(question.schema)
    if question.items:
        _check_items(question)
        _check_one_person_decides(hold)


def check_action(action: Action) -> None:
    _check_line(action.name, "action.name")
    canonical.check(action.args, "action.args")
    canonical.check(action.target, "action.target")


def _check_line(text: str, field: str) -> None:
    canonical.check(text, field)
    if not text.strip():
        raise errors.InvalidField(f"`{field}` must not be empty", field=field)


def _check_items(question: Question) -> None:
    canonical.check(list(question.items), "items")
    for n, item in enumerate(question.items):
        item_id = item.get("item_id")
        if not isinstance(item_id, str) or not item_id.strip():
            raise errors.InvalidField(f"`items[{n}]` needs an `item_id` of text", field=f"items[{n}].item_id")
    ids = question.item_ids
    if len(ids) != len(set(ids)):
        twice = next(item_id for item_id in ids if ids.count(item_id) > 1)
        raise errors.InvalidField(f"the item_id {twice!r} is there twice", field="items")


def _check_one_person_decides(hold: Hold) -> None:
    """A batch is decided by one request, so a batch that needs several people would go past its thresholds."""
    requirements = hold.assessment.requirements
    if requirements.approvals > 1 or len(requirements.required) > 1:
        raise errors.InvalidField(
            "a batch is decided by one person, and this action needs several: open a hold for each item", field="items"
        )
