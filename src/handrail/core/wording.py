"""The parts of a story in words, for web, terminal and whoever else reads one: the only place that has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple, assert_never

from .canonical import Json
from .parts import (
    Asking,
    Call,
    Course,
    Decision,
    Effect,
    End,
    FileChange,
    Gap,
    HoldNote,
    Message,
    Note,
    Part,
    Pause,
    Progress,
    Question,
    Resumption,
    Retraction,
    Retry,
    Return,
    Stage,
    Start,
    Step,
    TestResult,
    ToolUse,
    Work,
)
from .runs import RunStatus

LONGEST_VALUE = 60
MOST_CHANGES = 4
# told by the messages themselves
CONVERSATION = "messages"


class Scene(NamedTuple):
    """Names for the words: of who did it, nobody where the policy or the clock did, and of the hold."""

    by: str | None = None
    hold: str | None = None


def words(part: Part, scene: Scene) -> str:
    """One sentence, or more lines where a model said more; empty where the next part says it."""
    by = f" by {scene.by}" if scene.by else ""
    match part:
        case Message():
            return _message(part)
        case Retraction():
            return ""
        case Call() | Return():
            return _tool(part)
        case Step() | Stage() | Progress() | FileChange() | TestResult() | Effect():
            return _work(part)
        case Question() | Decision() | HoldNote():
            return _asking(part, scene.hold or "A question", by)
        case Start() | Pause() | Resumption() | Retry() | End() | Note() | Gap():
            return _course(part, by)
        case _:
            assert_never(part)


def _message(part: Message) -> str:
    said = part.content.strip() or (part.reasoning or "").strip()
    who = "Model" if part.role == "ai" else part.role.capitalize()
    return f"{who}: {said}" if said else ""


def _tool(part: ToolUse) -> str:
    match part:
        case Call():
            return f"Calls {part.name}{_with(part.args)}"
        case Return(failed=True):
            return f"{part.name or 'A tool'} failed: {_text(part.content)}"
        case Return():
            return f"{part.name or 'A tool'} returned {brief(part.content)}"


def _work(part: Work) -> str:
    match part:
        case Step():
            return _step(part)
        case Stage():
            return f"Stage: {part.name.replace('_', ' ')}"
        case Progress():
            place = f"{part.done} of {part.total}: " if part.done and part.total else ""
            return f"{place}{part.message}"
        case FileChange():
            return _file(part)
        case TestResult():
            return _test(part)
        case Effect():
            return _EFFECTS[part.state].format(part.name)


_EFFECTS: Mapping[str, str] = {
    "reserved": "",
    "completed": "External call executed: {}",
    "unknown": "An external call may or may not have happened: {}",
}


def _step(part: Step) -> str:
    """What it did to the run's state, in a few words."""
    place = f" in {part.namespace.partition(':')[0]}" if part.namespace else ""
    done = f"Finished {part.node}{place}"
    if part.truncated:
        return f"{done} with a long result"
    if not isinstance(part.update, dict):
        return f"{done}: {brief(part.update)}" if part.update else done
    if part.update.keys() == {CONVERSATION}:
        return ""
    changed = [(name, value) for name, value in part.update.items() if name != CONVERSATION]
    more = [f"{len(changed) - MOST_CHANGES} more"] if len(changed) > MOST_CHANGES else []
    said = [f"{name} = {brief(value)}" for name, value in changed[:MOST_CHANGES]]
    return f"{done}: {', '.join([*said, *more])}" if said else done


def _file(part: FileChange) -> str:
    lines = part.diff.splitlines()
    added = sum(line.startswith("+") and not line.startswith("+++ ") for line in lines)
    removed = sum(line.startswith("-") and not line.startswith("--- ") for line in lines)
    return f"Changed {part.path} (+{added} −{removed})"


def _test(part: TestResult) -> str:
    time = f" in {part.seconds:.1f} s" if part.seconds is not None else ""
    why = f": {part.message}" if part.message else ""
    return f"{part.name} {part.outcome}{time}{why}"


def _asking(part: Asking, hold: str, by: str) -> str:
    why = f": {part.reason}" if part.reason else ""
    match part:
        case Question(cause="opened"):
            return f"Asks {hold}, {part.risk} risk"
        case Question():
            return f"{hold} {part.cause}{by}{why}"
        case Decision():
            who = {"policy": " by policy", "observation": " unasked", "grant": " by a grant"}.get(part.basis, by)
            answer = f": {_text(part.answer)}" if part.answer is not None else why
            return f"{hold} {part.outcome}{who}{answer}"
        case HoldNote():
            return f"{hold} {part.text}{by}{why}"


def _course(part: Course, by: str) -> str:
    match part:
        case Start():
            said = f"Started{by}"
        case Pause():
            many = len(part.holds)
            waits = f"Waiting for {many} decisions" if many > 1 else "Waiting for a decision"
            said = "Paused by the emergency brake" if part.braked else waits
        case Resumption():
            said = "Resumed"
        case Retry():
            said = f"Retried{by} from the last good step"
        case End():
            said = _end(part, by)
        case Note():
            said = part.text
        case Gap():
            said = f"{part.what.replace('.', ' ').replace('_', ' ').capitalize()} (details are no longer kept)"
    return said


def _end(part: End, by: str) -> str:
    why = f": {part.reason}" if part.reason else ""
    if part.status is RunStatus.cancelled and part.hold_id:
        return f"Ended by a rejection{why}"
    return f"{part.status.value.capitalize()}{by if part.status is RunStatus.cancelled else ''}{why}"


def _with(args: Json) -> str:
    if not isinstance(args, dict):
        return f" with {brief(args)}" if args else ""
    return " with " + ", ".join(f"{name} = {brief(value)}" for name, value in args.items()) if args else ""


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def brief(value: Json) -> str:
    """A value within a sentence: of what holds much, what or how much."""
    if isinstance(value, str):
        text = " ".join(value.split())
        return json.dumps(text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…", ensure_ascii=False)
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= LONGEST_VALUE:
        return text
    if isinstance(value, list):
        return f"{len(value)} items"
    names = ", ".join(value) if isinstance(value, dict) else text
    return f"{{{names[:LONGEST_VALUE]}{'…' if len(names) > LONGEST_VALUE else ''}}}"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 file`, `3 files`."""
    return f"{number} {one if number == 1 else many or one + 's'}"
