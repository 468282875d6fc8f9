"""Those who wait for updates: many stock clients in a process, and a page in Chromium."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

from browser import chromium, visitor
from playwright.sync_api import Page
from server import ServerProcess

HERE = Path(__file__).parent
MODULES = HERE.parents[1] / "web" / "package.json"
PATH = "/ws/chat"
# when each message arrived, in milliseconds; several times where several clients heard it
Arrivals = Mapping[str, Sequence[float]]

# notes when the words of each update were first in the document
WATCH = """() => {
  window.seen_ = {};
  const note = (node) => {
    for (const word of (node.textContent ?? "").match(/e\\d+e/g) ?? []) {
      window.seen_[word] ??= [performance.timeOrigin + performance.now()];
    }
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) type === "childList" ? addedNodes.forEach(note) : note(target);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


class Clients:
    """Stock clients, one for each set of credentials, that are all connected."""

    def __init__(self, node: Process) -> None:
        self._node = node

    async def count(self) -> int:
        return int(await self._said("count"))

    async def arrivals(self) -> Arrivals:
        return json.loads(await self._said("done"))

    async def _said(self, word: str) -> bytes:
        assert self._node.stdin and self._node.stdout
        self._node.stdin.write(f"{word}\n".encode())
        return await self._node.stdout.readline()


@asynccontextmanager
async def clients(url: str, auths: Sequence[Mapping[str, str]]) -> AsyncGenerator[Clients]:
    words = (str(HERE / "listeners.mjs"), str(MODULES), url, PATH, json.dumps(auths))
    node = await asyncio.create_subprocess_exec("node", *words, stdin=PIPE, stdout=PIPE, limit=64 << 20)
    assert node.stdout
    try:
        async with asyncio.timeout(60):
            assert await node.stdout.readline() == b"ready\n"
        yield Clients(node)
    finally:
        if node.returncode is None:
            node.kill()
        await node.wait()


@asynccontextmanager
async def bare_server() -> AsyncGenerator[str]:
    """The address of a server that only passes messages on."""
    server = await asyncio.create_subprocess_exec(sys.executable, "-m", "benchmarks.chat.bare", stdout=PIPE)
    assert server.stdout
    try:
        yield (await server.stdout.readline()).decode().strip()
    finally:
        server.kill()
        await server.wait()


class Window:
    """A page that shows a change."""

    def __init__(self, thread: ThreadPoolExecutor, page: Page) -> None:
        self._thread = thread
        self._page = page

    async def arrivals(self) -> Arrivals:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._page.evaluate, "window.seen_")


@asynccontextmanager
async def window(server: ServerProcess, session: str) -> AsyncGenerator[Window]:
    loop = asyncio.get_running_loop()
    # the browser's driver has an event loop of its own, and wants one thread without one
    with ThreadPoolExecutor(1) as thread, ExitStack() as stack:

        def opened() -> Page:
            page = visitor(stack.enter_context(chromium()), server, "watcher", "auditor").page
            page.goto(f"{server.url}/changes/{session}")
            page.get_by_text("e0e").first.wait_for()
            page.evaluate(WATCH)
            return page

        try:
            yield Window(thread, await loop.run_in_executor(thread, opened))
        finally:
            await loop.run_in_executor(thread, stack.close)


def latencies(sent: Mapping[str, float], arrived: Arrivals) -> list[float]:
    """In milliseconds, one for each that heard it."""
    return [at - 1000 * sent[name] for name, each in arrived.items() if name in sent for at in each]


def percentiles(waited: Sequence[float]) -> tuple[float, float]:
    """p50 and p99."""
    cuts: list[Any] = quantiles(waited, n=100)
    return cuts[49], cuts[98]
