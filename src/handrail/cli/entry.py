"""The entry point of `handrail`. `handrail hook run` takes a short way: an agent starts it for every tool call."""

from __future__ import annotations

import sys


def run() -> None:
    if sys.argv[1:3] == ["hook", "run"]:
        from handrail.cli import hook_run

        hook_run.run(sys.argv[3:])
    from handrail.cli import main

    main.run()
