"""Plug-ins that add to decision packs: installed packages, each in its own thread and under a time limit.

A plug-in is a function that an installed package names under the entry point group `handrail.packs`. It gets the hold
as a JSON object and returns JSON, or nothing. What it says is shown as its own word and decides nothing.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

import structlog

from handrail.core import canonical, errors
from handrail.core.canonical import Json, JsonObject
from handrail.core.packs import Part

GROUP = "handrail.packs"
LARGEST = 32 * 1024

Provider = Callable[[JsonObject], Any]

log = structlog.get_logger()


class Plugin:
    """One plug-in. While a call of it has not come back there is no other: one that hangs costs one thread."""

    def __init__(self, name: str, provide: Provider) -> None:
        self.name = name
        self._provide = provide
        self._busy = threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether a call has not come back."""
        return self._busy.locked()

    async def part(self, asked: JsonObject, seconds: float) -> Part:
        """What it says, or that it was late or failed."""
        if not self._busy.acquire(blocking=False):
            return self._without("late")
        loop = asyncio.get_running_loop()
        told: asyncio.Future[Json] = loop.create_future()
        # a copy, so that it changes nothing; a daemon, so that one that hangs does not keep the server from ending
        work = threading.Thread(target=self._work, args=(json.loads(json.dumps(asked)), loop, told), daemon=True)
        work.start()
        try:
            said = await asyncio.wait_for(told, seconds)
        except TimeoutError:
            log.warning("pack plug-in was late", plugin=self.name, seconds=seconds)
            return self._without("late")
        except Exception as error:  # whatever a plug-in raises is its own
            log.warning("pack plug-in failed", plugin=self.name, error=type(error).__qualname__)
            return self._without("failed")
        return self._without("nothing") if said is None else Part("more", "plugin", said, by=self.name)

    def _work(self, asked: JsonObject, loop: asyncio.AbstractEventLoop, told: asyncio.Future[Json]) -> None:
        said: Json = None
        fault: Exception | None = None
        try:
            said = _checked(self._provide(asked))
        except BaseException as error:
            fault = error if isinstance(error, Exception) else RuntimeError(type(error).__qualname__)
        finally:
            self._busy.release()
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, told, said, fault)

    def _without(self, state: Any) -> Part:
        return Part("more", "plugin", state=state, by=self.name)


def _settle(told: asyncio.Future[Json], said: Json, fault: Exception | None) -> None:
    if told.done():
        return
    if fault is not None:
        told.set_exception(fault)
    else:
        told.set_result(said)


def _checked(said: object) -> Json:
    """JSON of a size that people read."""
    value = canonical.check(said, "pack")
    if len(canonical.encode(value)) > LARGEST:
        raise errors.InvalidField(f"a plug-in may say {LARGEST} bytes", field="pack")
    return value


def installed() -> Sequence[Plugin]:
    """Those of installed packages, by name. One that cannot be loaded is left out, and the log says so."""
    found: list[Plugin] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            found.append(Plugin(entry.name, entry.load()))
        except Exception as error:
            log.error("pack plug-in cannot be loaded", plugin=entry.name, error=type(error).__qualname__)
    return found
