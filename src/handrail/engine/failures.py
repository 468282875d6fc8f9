"""Why a run failed, in words for whoever fixes it: a code, a message, the node, the frames of the workflow's code."""

from __future__ import annotations

import traceback

from langgraph.errors import GraphRecursionError

from handrail import logs
from handrail.core import errors
from handrail.core.runs import Budget, RunStatus
from handrail.engine.ending import Failure
from handrail.engine.plain import plain
from handrail_sdk.langgraph.refusals import Refused

FRAMES = 20
MOST_MESSAGE = 2000
# frames of what drives the graph say nothing of the graph
_DRIVERS = (
    "/langgraph/",
    "/langchain_core/",
    "/handrail/engine/",
    "/asyncio/",
    "/concurrent/futures/",
    "/contextlib.py",
)


class Failed(Exception):
    """The run ends here, and this is why."""

    def __init__(self, code: str, message: str, node: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.node = node


def failure_of(error: Exception, node: str | None, budget: Budget) -> Failure:
    match error:
        case Failed():
            return Failure(error.code, str(error), error.node or node)
        case GraphRecursionError():
            return out_of_steps(budget)
        case Refused(answer=no):
            status = RunStatus.expired if no.outcome == "expired" else RunStatus.cancelled
            return Failure(no.outcome, _loggable(str(error)), node, hold_id=no.hold_id, status=status)
        case errors.RunFailed() | errors.QuotaExceeded():
            return Failure(error.code, error.message, node)
        case errors.Rejected():
            return Failure("question_unusable", f"what the graph asks cannot be shown: {error.message}", node)
        case _:
            message = f"{type(error).__name__}: {error}".removesuffix(": ")
            return Failure("node_failed", _loggable(message)[:MOST_MESSAGE], node, _loggable(_frames(error)))


def out_of_steps(budget: Budget) -> Failure:
    return Failure("budget_exceeded", f"the run used all its {budget.steps} steps: start it with a larger budget")


def _frames(error: Exception) -> str:
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not any(part in frame.filename for part in _DRIVERS)
    ]
    return "".join(traceback.format_list(own[-FRAMES:])) + "".join(traceback.format_exception_only(error))


def _loggable(text: str) -> str:
    """Fit for the log: no secret, and JSON."""
    return str(plain(logs.SECRET_TEXT.sub(logs.HIDDEN, text)))
