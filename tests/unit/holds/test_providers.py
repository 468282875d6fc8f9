"""Plug-ins of decision packs: one that hangs, throws or lies costs its own part and nothing else."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from feed_world import until

from handrail.holds.providers import LARGEST, Plugin, Provider

ASKED: Any = {"hold_id": "h", "action": {"name": "deploy", "args": {"version": "1"}}}
LONG = 60.0


async def said(provide: Provider, seconds: float = LONG) -> tuple[str, Any]:
    part = await Plugin("ci", provide).part(ASKED, seconds)
    assert (part.name, part.source, part.by) == ("more", "plugin", "ci")
    return part.state, part.content


def giving(said: Any) -> Provider:
    def provide(_: Any) -> Any:
        return said

    return provide


def version(hold: Any) -> Any:
    return {"build": hold["action"]["args"]["version"]}


async def test_what_a_plugin_says_is_its_own_part() -> None:
    assert await said(version) == ("ready", {"build": "1"})
    assert await said(giving(None)) == ("nothing", None)


def refuse(_: Any) -> None:
    raise ConnectionError("no route")


def leave(_: Any) -> None:
    raise SystemExit(3)


@pytest.mark.parametrize(
    "provide",
    [refuse, leave, giving(object()), giving({"n": float("nan")}), giving("x" * LARGEST), giving(2**60)],
    ids=["raises", "exits", "no JSON", "no number", "too large", "number too large"],
)
async def test_one_that_raises_or_says_what_cannot_be_shown_has_failed(provide: Any) -> None:
    assert await said(provide) == ("failed", None)


async def test_one_that_hangs_is_late_and_is_not_called_again_until_it_comes_back() -> None:
    let_go, calls = threading.Event(), list[int]()

    def hang(_: Any) -> str:
        calls.append(1)
        let_go.wait()
        return "at last"

    plugin = Plugin("slow", hang)
    assert (await plugin.part(ASKED, 0.01)).state == "late"
    assert (await plugin.part(ASKED, LONG)).state == "late"
    assert len(calls) == 1
    let_go.set()
    await until(lambda: not plugin.busy)
    part = await plugin.part(ASKED, LONG)
    assert (part.state, part.content, len(calls)) == ("ready", "at last", 2)


async def test_a_plugin_changes_nothing_of_what_it_is_told() -> None:
    def lie(hold: Any) -> None:
        hold["action"]["args"].clear()

    await said(lie)
    assert ASKED["action"]["args"] == {"version": "1"}
