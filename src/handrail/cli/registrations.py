"""Follows a registration in the terminal: each skill of the source as soon as it was looked at."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer

from handrail.cli import output, stream, wording
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

Json = dict[str, Any]

SOMEONE_ELSE = (
    "Someone else must approve what you registered. To add a person who can: handrail people add NAME --role team_lead"
)
UNDER_WAY = frozenset({"queued", "running", "paused"})


def follow(server: Server, begun: Json) -> None:
    """Until it ends. Exits with 1 if a folder was refused, or the source could not be read."""
    shown: set[str] = set()
    if not server.as_json:
        output.say("Looking through it…", err=True)
    try:
        done = _followed(server, begun, shown)
    except KeyboardInterrupt:
        output.say(f"\nIt continues on the server: handrail runs watch {begun['short_id']}", err=True)
        raise
    if server.as_json:
        output.as_json(done)
    elif done["candidates"]:
        _sum_up(done)
    if done["status"] != "completed":
        error: Json = done["error"] or {}
        message = wording.line(error.get("message") or f"The registration is {done['status']}.")
        raise Failure(Exit.refused, message, {"code": error.get("code") or done["status"], "detail": message})
    if any(one["outcome"] == "refused" for one in done["candidates"]):
        raise typer.Exit(Exit.refused)


def _followed(server: Server, begun: Json, shown: set[str]) -> Json:
    for told in stream.story(server, begun["run_id"]):
        found = server.get(begun["link"])
        if not server.as_json:
            if told["story"]["is"] == "progress" and not told["story"]["done"]:
                output.say(f"{wording.line(told['story']['words'])}. Scanning…", err=True)
            _show_new(found, shown)
        if found["status"] not in UNDER_WAY:
            return found
    raise AssertionError("a story is followed for ever")


def _show_new(found: Json, shown: set[str]) -> None:
    total = str(found["total"])
    for one in found["candidates"]:
        if one["path"] not in shown:
            shown.add(one["path"])
            candidate(one, f"[{len(shown):>{len(total)}}/{total}] ")


def _sum_up(done: Json) -> None:
    outcomes = Counter(one["outcome"] for one in done["candidates"])
    parts = [
        f"{outcomes[outcome]} {outcome}" for outcome in ("new", "update", "unchanged", "refused") if outcomes[outcome]
    ]
    output.say(f"{', '.join(parts)}.")
    if outcomes["new"] or outcomes["update"]:
        output.say(SOMEONE_ELSE)


def candidate(one: Json, place: str = "") -> None:
    """What became of one folder; `place` goes before it."""
    skill = one["skill"]
    if skill is None:
        output.say(f"{place}{wording.line(one['path'])}: refused. {wording.line(one['reason'])}")
        return
    scan = "safe" if skill["safe"] else "risky"
    output.say(f"{place}{skill['hold_short_id']}  {skill['name']} version {skill['version']}: {one['outcome']}, {scan}")
    if one["outcome"] != "unchanged":
        findings(one["findings"])


def findings(found: list[Json]) -> None:
    for finding in found:
        place = f"{finding['file']}:{finding['line']}" if finding["line"] else finding["file"] or "all of it"
        said = f"{finding['rule']}: {finding['message']}"
        output.say(f"  {finding['severity']:<8}  {wording.line(place)}  {wording.line(said)}")
