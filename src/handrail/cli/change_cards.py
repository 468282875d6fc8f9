"""The plan of a code change and its result, as a person reads them in the terminal before deciding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from handrail.cli import wording

Json = dict[str, Any]

REACHED = {"files": "file", "endpoints": "endpoint", "fan_in": "caller"}
MARKS = {"passed": "✓", "failed": "✗", "unsure": "?", "not_applicable": "–"}


def lines(hold: Json) -> list[str] | None:
    """None where the hold is about something else."""
    action: Json = hold["action"] or {}
    match action.get("name"):
        case "change.plan":
            found = list(_plan(action["args"], hold["evidence"] or {}))
        case "change.publish":
            found = list(_result(action["args"], hold["evidence"] or {}))
        case _:
            return None
    head = f"{hold['short_id']}  {wording.line(hold['title'])}  ({wording.risk(hold)})"
    return ["", head, *(f"  {wording.plain(line)}" for line in found), f"  Digest {hold['digest'][:16]}", ""]


def _plan(args: Json, evidence: Json) -> Iterator[str]:
    plan: Json = args["plan"]
    if plan["summary"]:
        yield plan["summary"]
    for number, task in enumerate(plan["tasks"], 1):
        yield f"{number}. {task['task']}"
        yield from (f"   {path}" for path in task["files"])
        yield from (f"   {path} (new)" for path in task["new_files"])
        if task.get("weakens"):
            yield f"   Tests here will demand something else: {', '.join(task['weakens'])}"
        if task["changes"]:
            yield f"   {task['changes']}"
        if task["tests"]:
            yield f"   Tests: {', '.join(task['tests'])}"
    yield from (f"Then: {criterion}" for criterion in plan["criteria"])
    commands: Json = args["commands"]
    kinds = ("formats", "tests", "checks")
    runs: list[Json] = [each for kind in kinds for each in cast("list[Json]", commands.get(kind) or [])]
    for each in runs:
        yield f"Runs in the sandbox: {' '.join(each['command']['arguments'])}"
    notes: list[str] = commands.get("notes") or []
    yield from notes
    facts: Json = args["facts"]
    # with what it needs it takes a third of a command's start: only where a card is shown
    from handrail.core.wording import counted

    reached = [counted(facts.get(name, 0), one) for name, one in REACHED.items()]
    yield f"Reaches {', '.join(reached)}; risk score {facts.get('risk_score', 0)} of 100"
    impact: Json = evidence.get("impact") or {}
    owned: dict[str, list[str]] = impact.get("owners") or {}
    yield from (f"Owned by {', '.join(owners)}: {path}" for path, owners in owned.items())


def _result(args: Json, evidence: Json) -> Iterator[str]:
    from handrail.core.wording import counted

    commits = counted(len(args["commits"]), "commit")
    yield f"{args['branch']} into {args['target_branch']} of {args['repository']}, {commits}"
    verification: Json = evidence.get("verification") or {}
    checks: list[Json] = verification.get("checks") or []
    files: list[Json] = evidence.get("files") or []
    for check in checks:
        yield f"{MARKS[check['verdict']]} {check['name'].replace('_', ' ')}: {check['words']}"
        if check["verdict"] in {"failed", "unsure"}:
            yield from (f"    {_place(each)}{each['what']} {each['why']}" for each in check["findings"][:10])
    for file in files:
        yield f"{file['path']}  +{file['added']} −{file['deleted']}"


def _place(finding: Json) -> str:
    return f"{finding['path']}:{finding['line']}: " if finding["path"] else ""
