"""A program for an ordinary user's Python: runs each job of standard input in a sandbox and prints what came of it.

Then it works over a folder of its own, and cancels a command that has spread over many processes.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from handrail.sandbox import Bind, Limits, Line, Place, Sandbox, choose


async def main() -> None:
    sandbox = choose()
    for name, code in json.load(sys.stdin).items():
        limits = Limits(seconds=10, cpu_seconds=10, memory=256 * 1024 * 1024, processes=24)
        result = await sandbox.run(["python3", "-c", code], {"given": b"1"}, limits)
        print(json.dumps([name, result.ending, result.exit_code, result.stdout.decode(), result.stderr.decode()]))
    with tempfile.TemporaryDirectory() as folder:
        await work(sandbox, Path(folder))


async def work(sandbox: Sandbox, folder: Path) -> None:
    place = Place((Bind(folder, "/workspace", writable=True), Bind(folder, "/deps")))
    limits = Limits(seconds=60, processes=24)
    result = await sandbox.run_in(place, ["sh", "-c", "id -u > mine; echo x > /deps/mine"], limits)
    print(json.dumps(["bound", (folder / "mine").read_text(), result.exit_code]))
    begun = asyncio.Event()

    async def listen(line: Line) -> None:
        begun.set()

    script = "for n in 1 2 3 4 5 6 7 8; do (while :; do date > $n; done) & done; echo go; wait"
    task = asyncio.create_task(sandbox.run_in(place, ["sh", "-c", script], limits, listen))
    await asyncio.wait_for(begun.wait(), 20)
    began = time.monotonic()
    task.cancel()
    await asyncio.wait({task})
    took = time.monotonic() - began
    print(json.dumps(["cancelled", task.cancelled(), took < 2, written_after_emptying(folder)]))


def written_after_emptying(folder: Path) -> list[str]:
    for file in folder.iterdir():
        file.unlink()
    return [file.name for file in folder.iterdir()]


asyncio.run(main())
