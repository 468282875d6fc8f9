"""What a code change carries from stage to stage: plain data, kept in its checkpoints."""
# annotations are read when the graph is made, so they are not postponed

from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from handrail.changes.kinds import ChangeInput


def joined(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    return before | after


class Clarification(TypedDict):
    question: str
    answer: str


class State(ChangeInput, total=False):
    # where the run's copy of the repository is, and the commit and branch that it starts from
    tree: dict[str, Any]
    intent: dict[str, Any]
    clarified: list[Clarification]
    # versions of what the models were told, by part
    prompts: Annotated[dict[str, int], joined]
    impact: dict[str, Any]
    planning: Annotated[list[AnyMessage], add_messages]
    # proposed at first, then as people approved it
    plan: dict[str, Any] | None
    # its digest, once approved
    approved: str
    rejections: int
    # how the repository is set up and tested, and what of it must be fetched first
    commands: dict[str, Any]
    unprepared: list[dict[str, Any]]
    editing: Annotated[list[AnyMessage], add_messages]
    # the newest state of the files: a commit, and the bundle that brings it to any worker
    head: str
    bundle: str
    # what the editor says of it, once it is done
    summary: str
    repairs: int
    results: dict[str, Any]
    verification: dict[str, Any]
    passed: bool
    # why a person's patch could not be applied
    patch_fault: str
    # how often people sent the result back
    returns: int
    # what a person left out of the result, by which hold, and why that could not be done
    left_out: list[dict[str, Any]]
    left_out_by: str | None
    drop_fault: str
    # whether the base branch has moved since the last look, and how often it has
    moved: bool
    moves: int
    # title and body of the pull request
    text: list[str]
    evidence: dict[str, Any]
    # what the policy decides by when it is published
    facts: dict[str, Any]
    # the evidence that people approved, by which hold, with what else they approved
    granted: dict[str, Any] | None
    # why they are asked again, where the base has moved since
    asked_again: list[str]
    answering: Annotated[list[AnyMessage], add_messages]


class Outcome(TypedDict, total=False):
    """What a change comes to: an answer, or a branch with its pull request."""

    answer: str
    branch: str
    commit: str
    url: str | None
    summary: str
    files: list[str]
