"""How a replay of the past reads in a terminal, and the changed policy that it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from handrail.cli import output, wording
from handrail.cli.exits import Exit, Failure

Json = dict[str, Any]

SHOWN = 20
WORDS = {
    "slips": "slips through",
    "unasked": "no longer asked",
    "weaker": "less required",
    "asked": "newly asked",
    "stricter": "more required",
}


def say(found: Json) -> None:
    """What slips through comes first."""
    for one in found["slips"][:SHOWN]:
        who = f" by {wording.line(one['decided_by']['name'])}" if one["decided_by"] else ""
        why = f": {wording.line(one['reason'])}" if one["reason"] else ""
        output.say(
            f"! {one['short_id']} was {one['outcome']}{who}{why}. Nobody would be asked: {wording.line(one['title'])}"
        )
    more = found["changes"]["slips"] - len(found["slips"][:SHOWN])
    if more > 0:
        output.say(f"! and {more} more that somebody stopped")
    asked, would = found["asked"], found["would_ask"]
    output.say(f"{found['holds']} holds. People were asked about {asked} and would be asked about {would}.")
    if found["observed"]:
        output.say(f"{found['observed']} of these were only observed then.")
    output.say(f"Approvals: {found['reviews']} then, {found['would_review']} now. {_minutes(found['minutes_saved'])}")
    if found["not_enough"]:
        output.say(f"{found['not_enough']} approved holds would need other or more people.")
    if found["unreadable"]:
        output.say(f"{found['unreadable']} could not be read and are not counted.")
    if found["groups"]:
        output.table(("CHANGE", "COUNT", "ACTION", "WAS", "WOULD BE", "LAST"), [_row(one) for one in found["groups"]])
    else:
        output.say("Nothing would have been decided by other rules.")


def _minutes(saved: float) -> str:
    if abs(saved) < 1:
        return "People spend as much time."
    return f"About {abs(saved):,.0f} min of people's time {'saved' if saved > 0 else 'more'}."


def _row(one: Json) -> tuple[str, ...]:
    last = f"{one['newest']['short_id']}, {wording.ago(one['newest']['opened_at'])}"
    return WORDS[one["change"]], str(one["count"]), wording.line(one["action"]), one["was"], one["would"], last


def say_policy(found: Json, folder: Path | None) -> None:
    """A changed policy: what differs, its replay, and the way to apply it."""
    for change in found["changes"]:
        output.say(f"  {wording.line(change)}")
    say(found["replay"])
    if folder is None:
        output.say("Write the files with --write DIR, then `handrail policy apply DIR`.")
    else:
        output.say(f"Written to {folder}. Apply them: `handrail policy apply {folder}`.")


def write(files: dict[str, str], folder: Path) -> None:
    """The files of a policy into a new folder."""
    try:
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise Failure(Exit.usage, f"{folder} cannot be written: {error}") from error
