"""Executors of the tests' tasks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def note(task: dict[str, Any]) -> dict[str, Any]:
    """Writes down what it was to do, so that a test sees each time that it was done."""
    with Path(os.environ["TASK_NOTES"]).open("a") as notes:
        notes.write(f"{task['operation']} {task['environment']} {task['payload']['id']}\n")
    return {"noted": task["payload"]["id"]}


async def fail(task: dict[str, Any]) -> None:
    raise RuntimeError(f"cannot {task['operation']}")
