"""What a command prints: JSON for programs, tables and cards for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from handrail.cli import wording

if TYPE_CHECKING:
    from rich.console import Console

Json = dict[str, Any]

COLOURS = {"critical": "bold red", "high": "bold yellow", "medium": "cyan", "low": "green"}
# where nothing tells a width (a pipe, a log), lines are not broken
UNBOUND_WIDTH = 200


def as_json(answer: object) -> None:
    """ASCII, so that nothing inside can speak to the terminal; at once, also through a pipe."""
    print(json.dumps(answer, indent=2), flush=True)


def console(*, err: bool = False) -> Console:
    from rich.console import Console

    stream = sys.stderr if err else sys.stdout
    return Console(
        stderr=err, markup=False, highlight=False, emoji=False, width=None if stream.isatty() else UNBOUND_WIDTH
    )


def say(text: str, *, err: bool = False) -> None:
    """One line for a person, at once, also through a pipe; text of others in it must have gone through `wording`."""
    print(text, file=sys.stderr if err else sys.stdout, flush=True)


def ids(found: Iterable[str]) -> None:
    """For `--quiet`: one per line, ready for another command."""
    for id in found:
        print(wording.line(id), flush=True)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Columns under plain heads; a first cell that begins with a risk's shape has its colour."""
    from rich.table import Table
    from rich.text import Text

    # the first column, ids as a rule, is never broken: it is there to be copied
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for number, head in enumerate(heads):
        grid.add_column(head, no_wrap=number == 0, overflow="fold")
    for row in rows:
        grid.add_row(*(Text(cell, style=_colour(cell)) for cell in row))
    console().print(grid)


def card(hold: Json, comments: list[Json], *, err: bool = False) -> None:
    """Everything a decision needs, the effect first."""
    from rich.table import Table
    from rich.text import Text

    out = console(err=err)
    risk = wording.risk(hold)
    out.print(Text.assemble((risk, _colour(risk)), "  ", (wording.line(hold["title"]), "bold")))
    out.print(Text(wording.effect(hold)))
    out.print()
    grid = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for head, text in _lines(hold, comments):
        grid.add_row(head, Text(text))
    out.print(grid)


def _lines(hold: Json, comments: list[Json]) -> Iterable[tuple[str, str]]:
    yield "State", wording.decision(hold) + (f" (revision {hold['revision']})" if hold["revision"] > 1 else "")
    yield "Id", f"{hold['short_id']} ({hold['id']})"
    yield "Requested by", _asked(hold)
    if hold["status"] == "pending":
        yield "Needs", wording.needs(hold)
        may = hold["may_decide"]
        why = wording.line(may["reason"] or may["code"] or "")
        only = f"can only reject{_for(may)}. {why}" if may["reject_only"] else f"may decide{_for(may)}"
        yield "You", only if may["allowed"] else f"cannot decide. {why}"
    for rule in hold["rules"]:
        claimed = ", claimed" if rule["from"] == "claim" else ""
        yield "Why held", f"{wording.line(rule['reason'])} ({wording.line(rule['rule'])}: {rule['level']}{claimed})"
    if hold["action"] and hold["action"]["target"]:
        yield "Target", wording.plain(hold["action"]["target"])
    yield from _blocks(hold)
    for review in hold["reviews"]:
        said = f": {wording.line(review['reason'])}" if review["reason"] else ""
        used = review["credential"]
        remark = f" ({wording.line(used['remark'])})" if used and used["remark"] else ""
        who = f"{wording.spoke(review)}{remark}"
        yield "Review", f"{review['verdict']} by {who} {wording.ago(review['at'])}{said}"
    for comment in comments:
        yield (
            "Comment",
            f"{wording.line(comment['by']['name'])} {wording.ago(comment['at'])}: " + wording.plain(comment["text"]),
        )
    yield from _use(hold)
    yield "Digest", hold["digest"]


def _for(may: Json) -> str:
    names = " or ".join(wording.line(one["name"]) for one in may["stands_in_for"])
    if not names:
        return ""
    return f" yourself, or with --for for {names}" if may["own_right"] else f" for {names}"


def _asked(hold: Json) -> str:
    who = hold["opened_by"]
    text = f"{wording.line(who['name'])} ({who['kind']}), {wording.ago(hold['opened_at'])}"
    text += f", in case {wording.line(hold['case_id'])}" if hold["case_id"] else ""
    text += f", in run {hold['run_short_id']}" if hold["run_id"] else ""
    started = hold["started_by"]
    return text + (f", started by {wording.line(started['name'])}" if started else "")


def _blocks(hold: Json) -> Iterable[tuple[str, str]]:
    blocks = [
        # what an agent says of its own action is a claim
        ("Claim", hold["description"]),
        ("Claim", hold["task"]),
        ("Arguments", hold["action"] and hold["action"]["args"]),
        ("Items", hold["items"]),
        ("Answer as", hold["schema"]),
        ("Evidence", hold["evidence"]),
        ("Context", hold["context"]),
    ]
    for head, block in blocks:
        if isinstance(block, str):
            yield head, wording.plain(block)
        elif block:
            yield head, wording.block(block)


def _use(hold: Json) -> Iterable[tuple[str, str]]:
    made = hold["decision"]
    if made and made["answer"] is not None:
        yield "Answer", wording.block(made["answer"])
    items: list[Json] = made["items"] if made else []
    for item in items:
        reason = f": {wording.line(item['reason'])}" if item["reason"] else ""
        yield "Item", f"{wording.line(item['item_id'])} {'approved' if item['approved'] else 'rejected'}{reason}"
    if hold["redeemed"]:
        yield "Used by", f"{wording.line(hold['redeemed']['by']['name'])} {wording.ago(hold['redeemed']['at'])}"
    if hold["result"]:
        detail = hold["result"]["detail"]
        yield "Result", hold["result"]["outcome"] + (f": {wording.value(detail)}" if detail is not None else "")


def _colour(cell: str) -> str:
    shape, _, level = cell.partition(" ")
    return COLOURS[level] if wording.SHAPES.get(level) == shape else ""
