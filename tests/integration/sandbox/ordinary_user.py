"""A program for an ordinary user's Python: runs each job of standard input in a sandbox and prints what came of it."""

from __future__ import annotations

import asyncio
import json
import sys

from handrail.sandbox import Limits, choose


async def main() -> None:
    sandbox = choose()
    for name, code in json.load(sys.stdin).items():
        limits = Limits(seconds=10, cpu_seconds=10, memory=256 * 1024 * 1024, processes=24)
        result = await sandbox.run(["python3", "-c", code], {"given": b"1"}, limits)
        print(json.dumps([name, result.ending, result.exit_code, result.stdout.decode(), result.stderr.decode()]))


asyncio.run(main())
