"""A skill at work: asks and goes on, or goes on by itself; within its steps, and by the policy."""

from __future__ import annotations

import hashlib
from typing import Any

from engine_world import answer, holds_of, said
from skills_world import COLOUR
from workshop import Workshop, colour, told

from handrail.core.runs import RunStatus
from handrail.core.sessions import Mode

ASK: dict[str, Any] = {
    "think": "I do not know it.",
    "say": "One question.",
    "calls": [{"name": "request_input", "args": {"prompt": "Which colour?", "name": "colour"}}],
}
DONE: dict[str, Any] = {"say": "The card is green."}


def calls(**tools: dict[str, Any]) -> dict[str, Any]:
    return {"calls": [{"name": name, "args": args} for name, args in tools.items()]}


async def test_a_skill_asks_waits_and_uses_the_answer(workshop: Workshop) -> None:
    """S1.5: the answer is the tool's result."""
    await workshop.skill(colour())
    workshop.script(ASK, DONE)
    run = await workshop.start(COLOUR, "A card, please.")
    paused = await workshop.work(run)
    assert paused.status is RunStatus.paused, paused.error
    [hold] = (await holds_of(workshop.context, run)).values()
    assert (hold.question.kind, hold.question.title) == ("input", "Which colour?")
    await answer(workshop.context, run, "Which colour?", "green")
    ended = await workshop.work(run)
    assert ended.error is None and ended.result == {
        "skill_id": COLOUR,
        "number": 1,
        "answer": "The card is green.",
        "steps": 2,
        "artifacts": [],
    }
    events = await said(workshop.context.database, run)
    assert [data["content"] for data in told(events, "message.completed")] == ["One question.", "The card is green."]
    assert told(events, "message.completed")[0]["reasoning"] == "I do not know it."
    assert [data["content"] for data in told(events, "run.tool_returned")] == ["green"]


async def test_by_itself_it_never_waits_and_takes_the_default(workshop: Workshop) -> None:
    """S1.6: the declared default."""
    await workshop.skill(colour(default="blue"))
    workshop.script(ASK, DONE)
    run = await workshop.start(COLOUR, mode=Mode.autonomous)
    ended = await workshop.work(run)
    assert ended.status is RunStatus.completed, ended.error
    [result] = told(await said(workshop.context.database, run), "run.tool_returned")
    assert "default for `colour` is: blue" in result["content"]


async def test_code_runs_in_the_sandbox_on_the_run_s_own_files(workshop: Workshop) -> None:
    """S1.17: files stay between calls and are the run's artifacts; the skill's own cannot be changed."""
    await workshop.example("compound-interest")
    code = "import pathlib\npathlib.Path('a.txt').write_text('kept')\npathlib.Path('b.txt').write_text('not kept')\n"
    script = "python3 scripts/interest.py --principal 10000 --rate 4 --years 20"
    workshop.script(
        calls(run_python={"code": code}),
        calls(run_python={"code": "import os, pathlib\nos.remove('b.txt')\nprint(pathlib.Path('a.txt').read_text())"}),
        calls(run_python={"code": "import pathlib\npathlib.Path('scripts/interest.py').write_text('')"}),
        calls(run_python={"code": f"import subprocess\nprint(subprocess.getoutput({script!r}))"}),
        {"say": "21911.23"},
    )
    run = await workshop.start("compound-interest", "10,000 at 4 % for 20 years?")
    ended = await workshop.work(run)
    assert isinstance(ended.result, dict), ended.error
    assert ended.result["answer"] == "21911.23"
    digest = hashlib.sha256(b"kept").hexdigest()
    assert ended.result["artifacts"] == [{"name": "a.txt", "size": 4, "digest": digest}]
    first, second, third, fourth = [
        data["content"] for data in told(await said(workshop.context.database, run), "run.tool_returned")
    ]
    assert first == "exit code 0\nfiles written: a.txt, b.txt"
    assert second == "exit code 0\nstdout:\nkept\n\nfiles removed: b.txt"
    assert "Permission denied: 'scripts/interest.py'" in third
    assert '"final": "21911.23"' in fourth
