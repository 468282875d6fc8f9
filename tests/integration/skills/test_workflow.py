"""A skill at work: asks and goes on, or goes on by itself; within its steps, and by the policy."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
import workshop as workshops
from engine_world import answer, confirm, holds_of, principal, said
from policy_world import policy
from skills_world import COLOUR
from workshop import EXAMPLES, Workshop, calls, colour, told

from handrail.core.holds import Verdict
from handrail.core.runs import Run, RunStatus
from handrail.core.sessions import Mode
from handrail.holds.context import Context
from handrail.holds.policies import Policies
from handrail.skills import workspace

ASK: dict[str, Any] = {
    "think": "I do not know it.",
    "say": "One question.",
    "calls": [{"name": "request_input", "args": {"prompt": "Which colour?", "name": "colour"}}],
}
DONE: dict[str, Any] = {"say": "The card is green."}


async def finished(workshop: Workshop, skill: str, mode: Mode = Mode.hitl, **more: Any) -> tuple[Run, list[str]]:
    """A run from its start to its end, without a pause, and what its tools returned."""
    run = await workshop.work(await workshop.start(skill, mode=mode, **more))
    assert run.status.ended
    return run, [data["content"] for data in told(await said(workshop.context.database, run), "run.tool_returned")]


def failed(run: Run, code: str, words: str) -> bool:
    """Whether it failed so, with these words in its message."""
    assert run.error is not None, run.result
    return run.error["code"] == code and words in str(run.error["message"])


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
    run, results = await finished(workshop, COLOUR, Mode.autonomous)
    assert run.status is RunStatus.completed, run.error
    assert "default for `colour` is: blue" in results[0]


async def test_by_itself_and_without_a_default_it_finds_another_way_or_says_what_is_missing(
    workshop: Workshop,
) -> None:
    """S1.6: another approach, else an error that names what was missing."""
    await workshop.skill(colour())
    workshop.script(ASK, {"say": "Without a colour, the card is white."})
    run, results = await finished(workshop, COLOUR, Mode.autonomous)
    assert run.status is RunStatus.completed and "Take an approach that does not need it" in results[0]
    workshop.script(ASK, ASK, DONE)
    run, _ = await finished(workshop, COLOUR, Mode.autonomous)
    assert failed(run, "input_missing", "Which colour?"), run.error


async def test_a_skill_that_comes_to_no_end_is_ended(workshop: Workshop) -> None:
    """S1.6: ten steps, or as many as were asked for; in both modes."""
    await workshop.skill(colour(default="blue"))
    workshop.script(*[calls(list_files={})] * 20)
    run, results = await finished(workshop, COLOUR, Mode.autonomous)
    assert failed(run, "step_limit", "within 10 steps") and len(results) == 9, run.error
    run, results = await finished(workshop, COLOUR, Mode.hitl, max_steps=2)
    assert failed(run, "step_limit", "within 2 steps") and len(results) == 1, run.error


async def test_what_a_model_gets_wrong_it_is_told(workshop: Workshop) -> None:
    await workshop.skill(colour())
    workshop.script(
        calls(fly={"to": "the moon"}),
        calls(run_python={"script": "print(1)"}),
        calls(read_skill_file={"path": "../../etc/passwd"}),
        calls(write_file={"path": "../out", "content": ""}),
        calls(write_file={"path": "SKILL.md", "content": ""}),
        calls(list_files={"depth": "\0"}),
        calls(request_input={"prompt": "How many?", "form": {"type": "nothing"}}),
        {"say": ""},
        {"say": "Sorry."},
    )
    run, results = await finished(workshop, COLOUR)
    assert run.status is RunStatus.completed, run.error
    expected = [
        "There is no tool 'fly'. Available tools: request_input, run_python",
        "1 validation error for run_python",
        "the skill has no file '../../etc/passwd'",
        "'../out' is not a path in the workspace",
        "'SKILL.md' is a file of the skill, so it is read-only",
        "The call was not made: ",
        "not a usable JSON schema",
    ]
    assert len(results) == len(expected)
    assert [words for words, result in zip(expected, results, strict=True) if words not in result] == []


async def test_a_model_that_fails_or_is_not_there_fails_the_run_with_its_words(workshop: Workshop) -> None:
    await workshop.skill(colour())
    workshop.script({"say": "Well,", "error": "overloaded; key sk-0123456789abcdefghij"})
    run, _ = await finished(workshop, COLOUR)
    assert failed(run, "model_failed", "the model 'advanced' gave no answer: ScriptError: overloaded"), run.error
    assert "sk-0123" not in str(run.error)
    run, _ = await finished(workshop, COLOUR, model_id="openai:huge")
    assert failed(run, "invalid_field", "'openai:huge' is not a configured model"), run.error


async def test_only_what_people_approved_runs(workshop: Workshop) -> None:
    await workshop.skill(colour())
    workshop.script(DONE)
    run, _ = await finished(workshop, "unheard-of")
    assert failed(run, "not_found", "there is no skill 'unheard-of' that people have approved"), run.error
    run, _ = await finished(workshop, COLOUR, version="2")
    assert failed(run, "not_found", f"there is no version 2 of the skill '{COLOUR}' that people have approved"), (
        run.error
    )
    run, _ = await finished(workshop, COLOUR, version="1")
    assert run.status is RunStatus.completed


CAREFUL = "{id: no-removing, origin: skill_sandbox, condition: action.args.command.startsWith('rm '), level: high}"


async def test_the_policy_stands_before_every_call(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S1.17: what it wants people for waits for them; a run that waits for nobody is told, and goes on."""
    careful = Policies(context.database, policy(rules=[CAREFUL]))
    async with workshops.opened(replace(context, policies=careful), tmp_path, monkeypatch) as workshop:
        await workshop.skill(colour())
        workshop.script(calls(run_command={"command": "rm -rf *"}), DONE)
        run, results = await finished(workshop, COLOUR, Mode.autonomous)
        assert run.status is RunStatus.completed and "its risk is high" in results[0] and "was not run" in results[0]
        waiting = await workshop.work(run := await workshop.start(COLOUR))
        assert waiting.status is RunStatus.paused
        [title] = await holds_of(workshop.context, run)
        await confirm(workshop.context, run, title, Verdict.reject)
        ended = await workshop.work(run)
        assert ended.status is RunStatus.completed and ended.result is not None


async def test_a_simple_skill_asks_nobody_and_has_the_tools_that_it_names(workshop: Workshop) -> None:
    """S1.16: the light model, directly."""
    await workshop.example("text-statistics")
    workshop.script(calls(request_input={"prompt": "Which text?"}), calls(mcp__tracker__find={}), DONE)
    run, results = await finished(workshop, "text-statistics")
    assert run.status is RunStatus.completed
    tools = "run_python, run_command, read_skill_file, list_files, read_file, write_file"
    assert results == [
        f"There is no tool '{name}'. Available tools: {tools}." for name in ("request_input", "mcp__tracker__find")
    ]


async def test_code_runs_in_the_sandbox_on_the_run_s_own_files(workshop: Workshop) -> None:
    """S1.17: files stay between calls and are the run's artifacts; the skill's own cannot be changed."""
    await workshop.example("compound-interest")
    code = "import pathlib\npathlib.Path('a.txt').write_text('kept')\npathlib.Path('b.txt').write_text('not kept')\n"
    spoil = "echo spoilt > scripts/interest.py"
    script = "python3 scripts/interest.py --principal 10000 --rate 4 --years 20"
    workshop.script(
        calls(run_python={"code": code}),
        calls(run_python={"code": "import os, pathlib\nos.remove('b.txt')\nprint(pathlib.Path('a.txt').read_text())"}),
        calls(run_command={"command": f"{spoil}; chmod u+w scripts/*; {spoil}; rm SKILL.md"}),
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
    assert "cannot create scripts/interest.py: Permission denied" in third and "files" not in third
    assert '"final": "21911.23"' in fourth


FILES = {
    "csv-report": {"data.csv": b"city,people,area\nA,10,9\nB,,2\nC,30,5\n"},
    "json-diff": {"before.json": b'{"x": 1, "y": [1]}', "after.json": b'{"y": [2], "z": 0}'},
    "text-statistics": {"text.txt": b"We go. They stay here."},
}
ANSWERS: dict[str, Any] = {"csv-report": "area", "meeting-minutes": {"who": "Ben", "until": "2026-09-15"}}


@pytest.mark.parametrize(
    ("skill", "returned", "artifacts"),
    [
        ("csv-report", "| area | number | 0 |", ["chart.svg", "data.csv", "report.md"]),
        ("json-diff", "changed $.y[0]: 1 \u2192 2", ["after.json", "before.json"]),
        ("meeting-minutes", '{"who": "Ben", "until": "2026-09-15"}', ["minutes.md"]),
        ("text-statistics", '"words": 5', ["text.txt"]),
    ],
    ids=["csv-report", "json-diff", "meeting-minutes", "text-statistics"],
)
async def test_the_example_skills_run_on_their_scripts(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, skill: str, returned: str, artifacts: list[str]
) -> None:
    await workshop.example(skill)
    monkeypatch.setenv("HANDRAIL_MODEL_ADVANCED", f"scripted:{EXAMPLES.parent / 'scripts'}")
    run = await workshop.start(skill)
    sam = await principal(workshop.context.database, "sam", "developer")
    for path, content in FILES.get(skill, {}).items():
        await workspace.upload(workshop.context, sam, run.id, path, content)
    ended = await workshop.work(run)
    if skill in ANSWERS:
        [title] = await holds_of(workshop.context, run)
        await answer(workshop.context, run, title, ANSWERS[skill])
        ended = await workshop.work(run)
    assert isinstance(ended.result, dict), ended.error
    results = told(await said(workshop.context.database, run), "run.tool_returned")
    assert [data for data in results if returned in data["content"]] and not [d for d in results if "failed" in d]
    assert [file["name"] for file in cast("list[Any]", ended.result["artifacts"])] == artifacts
