"""The plan of a change: tasks in order, each with its files. Once approved, the tools may touch these and no others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from handrail.changes.editing.desk import Edit
from handrail.changes.editing.errors import Refused
from handrail.changes.editing.trees import checked
from handrail.core import canonical

MOST_TASKS = 30
MOST_FILES = 200

Sentence = Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[^\r\n]+$")]
Text = Annotated[str, Field(max_length=4_000)]
Paths = tuple[str, ...]


class OutsidePlan(Refused):
    """The plan that people approved does not have this file."""

    code = "outside_plan"


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Task(_Value):
    """One step of the change."""

    task: Sentence = Field(description="What is done, as one sentence")
    files: Paths = Field(default=(), description="Files of the repository that it changes, moves or deletes")
    new_files: Paths = Field(default=(), description="Files that it creates")
    changes: Text = Field(default="", description="What changes in them, and why")
    tests: Paths = Field(default=(), description="Tests that show it: files, or file::name")
    weakens: Paths = Field(
        default=(),
        description="Test files in which tests go, are skipped or expect something else, because the request wants it",
    )
    notes: Text = Field(default="", description="What a reviewer should know")


class Plan(_Value):
    """What the change will do. Each file that is edited must be named in a task."""

    kind: Literal["feat", "fix", "refactor", "perf", "docs", "test", "build", "ci", "chore"] = Field(
        description="Type of the commit, as in Conventional Commits"
    )
    title: Annotated[str, Field(min_length=1, max_length=72, pattern=r"^[^\r\n]+$")] = Field(
        description="What the change does, in at most 72 characters, in the imperative"
    )
    summary: Text = Field(default="", description="What changes for users and why, in a few sentences")
    tasks: Annotated[tuple[Task, ...], Field(min_length=1, max_length=MOST_TASKS)]
    criteria: Annotated[tuple[Sentence, ...], Field(max_length=20)] = Field(
        default=(), description="When the request is met; each a sentence"
    )
    migration: Text = Field(default="", description="What must be migrated, if anything")
    rollback: Text = Field(default="", description="How to undo it, if reverting the commit is not enough")

    @property
    def paths(self) -> frozenset[str]:
        """Every file that it may touch."""
        return frozenset(path for task in self.tasks for path in (*task.files, *task.new_files))

    @property
    def weakened(self) -> frozenset[str]:
        """Test files whose tests may demand less or something else than before: people see it in the plan."""
        return frozenset(path for task in self.tasks for path in task.weakens)

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(test for task in self.tasks for test in task.tests)

    @property
    def digest(self) -> str:
        return canonical.sha256(self.as_data())

    def as_data(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    def allow(self, edit: Edit) -> None:
        """Raises OutsidePlan for an edit of a file that the plan does not name."""
        if edit.path not in self.paths:
            raise OutsidePlan(
                f"{edit.path} is not in the approved plan, so it was not changed. If the change needs it, call "
                "`widen_plan` with the file and the reason; people decide."
            )

    def widened(self, files: Paths, new_files: Paths, why: str) -> Self:
        """With one task more."""
        more = Task(task=f"Also change {', '.join((*files, *new_files))}"[:300], files=files, new_files=new_files,
                    changes=why)  # fmt: skip
        return self.model_copy(update={"tasks": (*self.tasks, more)})


def faults(plan: Plan, exists: Callable[[str], bool]) -> list[str]:
    """Why the plan cannot be carried out in this repository, each as a sentence; none where it can."""
    return list(_faults(plan, exists))


def _faults(plan: Plan, exists: Callable[[str], bool]) -> Iterator[str]:
    made: set[str] = set()
    if len(plan.paths) > MOST_FILES:
        yield f"The plan names {len(plan.paths)} files; the most is {MOST_FILES}. Split the change."
    for number, task in enumerate(plan.tasks, 1):
        yield from (f"Task {number}: {fault}" for fault in _of_task(task, exists, made))
        made.update(task.new_files)
    for number, task in enumerate(plan.tasks, 1):
        for test in task.tests:
            path = test.partition("::")[0]
            if path not in made and not exists(path):
                yield f"Task {number}: there is no test file {path}. Name an existing one, or create it in a task."


def _of_task(task: Task, exists: Callable[[str], bool], made: Collection[str]) -> Iterator[str]:
    if not task.files and not task.new_files:
        yield "it names no file. Name each file that it changes or creates, or leave the task out."
    for path in (*task.files, *task.new_files):
        fault = _fault(path)
        if fault:
            yield fault
        elif path in task.files and path not in made and not exists(path):
            yield f"there is no file {path}. Name an existing one, or put it under `new_files`."
        elif path in task.new_files and exists(path):
            yield f"{path} exists already. Put it under `files`."
    for path in task.weakens:
        if path not in task.files:
            yield f"{path} is under `weakens` and not under `files`."


def _fault(path: str) -> str:
    try:
        checked(path)
    except Refused as refused:
        return refused.message
    return ""


def exists_in(paths: Callable[[str], object | None]) -> Callable[[str], bool]:
    """Whether a file is there, by a function that reads one or refuses its path."""

    def exists(path: str) -> bool:
        try:
            return paths(path) is not None
        except Refused:
            return False

    return exists
