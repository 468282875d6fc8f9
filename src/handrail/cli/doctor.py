"""Commands for whoever keeps Handrail running: doctor, migrate."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from handrail.cli import output, wording
from handrail.cli.commands import AsJson, expected
from handrail.cli.server import Data, run, settings_of

if TYPE_CHECKING:
    from handrail.cli.checkup import Finding

app = typer.Typer()

WORDS = {"ok": "ok", "warning": "warning", "problem": "PROBLEM"}


@app.command()
def doctor(data: Data = None, as_json: AsJson = False) -> None:
    """Check this deployment: what is wrong and what to do about it. Changes nothing; exits with 1 on a problem."""
    with expected(as_json=as_json):
        settings = settings_of(data=data, log_level="error")
        from handrail.cli import checkup

        found: list[Finding] = []

        async def main() -> None:
            async for finding in checkup.findings(settings):
                found.append(finding)
                if not as_json:
                    _say(finding)

        run(main())
        problems = [finding for finding in found if finding.status == "problem"]
        warnings = [finding for finding in found if finding.status == "warning"]
        if as_json:
            output.as_json({"healthy": not problems, "findings": [asdict(finding) for finding in found]})
        else:
            output.say(f"\nProblems: {len(problems)}. Warnings: {len(warnings)}.")
        if problems:
            raise typer.Exit(1)


def _say(finding: Finding) -> None:
    output.say(f"{WORDS[finding.status]:8} {finding.check:13}  {wording.line(finding.message)}")
    if finding.fix:
        output.say(f"{'':23} → {finding.fix}")


@app.command()
def migrate(data: Data = None, as_json: AsJson = False) -> None:
    """Bring the database's schema up to date, as every start does; for a step of its own before an upgrade."""
    with expected(as_json=as_json):
        settings = settings_of(data=data)
        from handrail.cli import upkeep

        async def main() -> None:
            async with upkeep.migrated(settings):
                pass

        run(main())
        if as_json:
            output.as_json({"migrated": True})
        else:
            output.say("The schema is up to date.")
