"""What a graph asks when it interrupts, as holds to open; and their decisions as the value that it resumes with.

One module for each shape that a question can have. All of it is pure: the driver opens the holds and resumes.
"""

from __future__ import annotations

from . import anything, inbox, middleware, ours
from .inquiry import Inquiry, check

__all__ = ["Inquiry", "read"]

# the first that knows a value reads it
_SHAPES = (ours.read, middleware.read_batch, middleware.read_call, inbox.read, anything.read)


def read(value: object, response_schema: object = None) -> Inquiry:
    """What an interrupt's value asks; `response_schema` is the interrupt's own.

    QuestionUnusable where it cannot be put to people. Of `Inquiry.answer`, AnswerUnusable where the decision cannot be
    said in the form that the graph takes: the run then fails, and nothing of what was asked has happened.
    """
    for shape in _SHAPES:
        inquiry = shape(value, response_schema)
        if inquiry is not None:
            return check(inquiry)
    raise AssertionError("the last shape takes anything")
