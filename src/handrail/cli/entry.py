"""The entry point of `handrail`. What agents start takes a short way: a hook's program for every tool call, and the
gateway in front of MCP servers for every session."""

from __future__ import annotations

import gc
import sys


def run() -> None:
    match sys.argv[1:3]:
        case ["hook", "run"]:
            from handrail.cli import hook_run

            hook_run.run(sys.argv[3:])
        case ["mcp", "wrap" | "gateway" | "serve"]:
            from handrail_mcp import main as mcp

            mcp.run(sys.argv[2:])
        case _:
            # importing makes no garbage, and looking for some takes a tenth of the time in which a server starts
            gc.set_threshold(50_000)
            from handrail.cli import main

            main.run()
