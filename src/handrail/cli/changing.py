"""A code change followed in the terminal: its story, diffs in colour, and decisions right there."""

from __future__ import annotations

import json
import sys
from typing import Any

from handrail.cli import answers, change_cards, lookup, output, runs, wording
from handrail.cli.connection import Server
from handrail.cli.exits import Failure
from handrail.cli.story import Story

Json = dict[str, Any]

COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
RESET = "\x1b[0m"


class Screen:
    """Shows one change. Questions are asked here where somebody sits at the terminal and may decide them."""

    def __init__(self, server: Server, run_id: str, *, asks: bool) -> None:
        self._server = server
        self._run_id = run_id
        self._asks = asks
        self._story = Story(lambda hold_id: lookup.hold_if_any(server, hold_id))
        self._passed = 0
        self._coloured = sys.stdout.isatty()

    def show(self, told: Json) -> None:
        if self._server.as_json:
            print(json.dumps(told), flush=True)
            return
        part: Json = told["story"]
        if part["is"] == "step":
            # the events of each stage say more
            return
        if part["is"] == "test" and part["outcome"] == "passed":
            self._live(part["name"])
            return
        self._end_live()
        for line in self._story.lines(told):
            print(line, flush=True)
        if part["is"] == "file":
            self._diff(part["diff"])
        elif part["is"] == "pause" and self._asks:
            for hold_id in part["holds"]:
                self._decide(hold_id)

    def _live(self, name: str) -> None:
        """Tests that pass share one line; without a terminal they are counted."""
        self._passed += 1
        if self._coloured:
            print(f"\r\x1b[K          {self._passed} passed  {wording.line(name)[:80]}", end="", flush=True)

    def _end_live(self) -> None:
        if self._passed:
            print(f"\r\x1b[K          {self._passed} passed" if self._coloured else f"          {self._passed} passed")
        self._passed = 0

    def _diff(self, diff: str) -> None:
        for line in wording.plain(diff).splitlines():
            colour = COLOURS.get(line[:1], "") if self._coloured else ""
            print(f"          {colour}{line}{RESET if colour else ''}", flush=True)

    def _decide(self, hold_id: str) -> None:
        hold = lookup.hold_if_any(self._server, hold_id)
        if hold is None or hold["status"] != "pending":
            return
        card = change_cards.lines(hold)
        if card is None:
            output.card(hold, [], err=True)
        else:
            output.say("\n".join(card), err=True)
        if not hold["may_decide"]["allowed"]:
            why = wording.line(hold["may_decide"]["reason"] or "")
            output.say(f"You cannot decide this. {why}".rstrip(), err=True)
            return
        try:
            review = _review(hold)
        except Failure:
            # nobody is there to answer: it waits, here or anywhere else
            self._asks = False
            return
        if review is None:
            output.say(f"Left open. Decide it elsewhere: handrail show {hold['short_id']}", err=True)
            return
        self._server.post(f"/api/holds/{hold['id']}/reviews", {**review, "digest": hold["digest"]})


def _review(hold: Json) -> Json | None:
    """What the person at the terminal says; nothing where they leave it open."""
    if hold["kind"] == "input":
        return {"verdict": "answer", "answer": answers.value(hold["schema"], None)}
    said = answers.ask("Approve? [y]es, [n]o, or [l]eave it open").lower()
    if said in {"y", "yes"}:
        reason = answers.ask("Why? The policy requires a justification:") if _justified(hold) else None
        return {"verdict": "approve", "reason": reason}
    if said in {"n", "no"}:
        return {"verdict": "reject", "reason": answers.ask("Why not? The agent is told:") or None}
    return None


def _justified(hold: Json) -> bool:
    return bool(hold["requirements"]["justification"])


def follow(server: Server, run: Json, *, asks: bool) -> None:
    """Until it ends. Ctrl-C asks whether to cancel it or to leave it running."""
    screen = Screen(server, run["id"], asks=asks)
    try:
        runs.follow(server, run["id"], screen.show)
    except KeyboardInterrupt:
        said = answers.ask("\nCancel the change? [y]es, or [l]eave it running").lower() if asks else ""
        if said in {"y", "yes"}:
            server.post(f"/api/runs/{run['id']}/cancel", {"reason": "cancelled at the terminal"})
            output.say("Cancelled.", err=True)
        else:
            output.say(f"It keeps running. Follow it with `handrail runs watch {run['short_id']}`.", err=True)
