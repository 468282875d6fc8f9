"""Commands on the whole database: backup, restore."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handrail.cli import output
from handrail.cli.commands import AsJson, expected
from handrail.cli.exits import Exit, Failure
from handrail.cli.server import Data, place, run, settings_of

app = typer.Typer()


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist.", metavar="FILE")],
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Write the whole database to a file. Works whether or not Handrail is running."""
    with expected(as_json=as_json):
        settings = settings_of(data=data)
        if settings.database_url is None and not (settings.data / "postgres").exists():
            raise Failure(Exit.not_found, f"There is no data in {settings.data}. Give the folder with --data.")
        from handrail.cli import upkeep

        run(upkeep.backup(settings, file))
        if as_json:
            output.as_json({"file": str(file), "bytes": file.stat().st_size})
        else:
            output.say(f"Wrote {file} ({file.stat().st_size:,} bytes): the whole database. Keep it safe.")
            output.say(f"It does not contain the key that seals the audit log: also keep {settings.audit_key.parent}.")
            output.say(f"Nor the key for secret answers: keep {settings.answer_key.parent}.")


@app.command()
def restore(
    file: Annotated[
        Path | None, typer.Argument(help="A file written by `handrail backup`.", metavar="FILE", show_default=False)
    ] = None,
    data: Data = None,
    in_place: Annotated[
        bool,
        typer.Option("--in-place", help="The database was already put back, by PostgreSQL's own means or a snapshot."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into a new data folder or an empty database."""
    if in_place == (file is not None):
        raise typer.BadParameter("Give a FILE to restore, or --in-place.")
    with expected(as_json=as_json):
        settings = settings_of(data=data)
        from handrail.cli import upkeep

        run(upkeep.restore(settings, file) if file else upkeep.restored(settings))
        if as_json:
            output.as_json({"file": str(file) if file else None, "restored": True})
        else:
            output.say(f"Restored {file} to {place(settings)}." if file else f"Marked as restored: {place(settings)}.")
            output.say("Unused approvals, tokens, sign-in links and sign-ins are now void. The log records it.")
            output.say(
                f"Before you start Handrail, put the audit key back in {settings.audit_key.parent}, and the key for"
            )
            output.say(f"secret answers in {settings.answer_key.parent}.")
            output.say("Then create a sign-in link for an administrator: `handrail admin-link`.")
