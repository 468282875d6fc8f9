"""How a command ends: the exit codes, and the one failure that every expected trouble becomes."""

from __future__ import annotations

from enum import IntEnum
from typing import Any


class Exit(IntEnum):
    ok = 0
    refused = 1
    usage = 2
    not_found = 3
    not_allowed = 4
    conflict = 5
    unreachable = 6


MEANINGS = {
    Exit.ok: "done",
    Exit.refused: "refused, or something went wrong",
    Exit.usage: "the command line is wrong or does not name a single hold",
    Exit.not_found: "not found, or you may not see it",
    Exit.not_allowed: "not signed in, or not allowed",
    Exit.conflict: "conflict: already decided, changed since it was shown, or a name already taken",
    Exit.unreachable: "the server cannot be reached or is not ready",
}

_OF_STATUS = {
    401: Exit.not_allowed,
    403: Exit.not_allowed,
    404: Exit.not_found,
    409: Exit.conflict,
    502: Exit.unreachable,
    503: Exit.unreachable,
    504: Exit.unreachable,
}


def of_status(status: int) -> Exit:
    """The exit code for an HTTP status that is not a success."""
    return _OF_STATUS.get(status, Exit.refused)


class Failure(Exception):
    """Ends the command with one line: what happened and the next step. `problem` is what `--json` prints."""

    def __init__(self, exit: Exit, message: str, problem: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.exit = exit
        self.message = message
        self.problem = problem or {"code": exit.name, "detail": message}
