"""Commands that make the shell complete `handrail …`: completion install, show."""

# these are private to typer, which offers no other way to install them under a name
# pyright: reportPrivateImportUsage=false, reportUnknownMemberType=false

from __future__ import annotations

from typing import Annotated, Literal

import shellingham
import typer
from typer import completion

from handrail.cli import output
from handrail.cli.commands import AsJson, expected
from handrail.cli.exits import Exit, Failure

app = typer.Typer(no_args_is_help=True, help="Completion of commands and options in your shell.")

Shell = Annotated[Literal["bash", "zsh", "fish"] | None, typer.Option(help="Which; else the one you are in.")]
VARIABLE = "_HANDRAIL_COMPLETE"


@app.command()
def install(shell: Shell = None, as_json: AsJson = False) -> None:
    """Make your shell complete `handrail`, from its next start on."""
    with expected(as_json=as_json):
        name, path = completion.install(shell=shell or _present(), prog_name="handrail", complete_var=VARIABLE)
        if as_json:
            output.as_json({"shell": name, "file": str(path)})
        else:
            output.say(f"Completion for {name} is in {path}. Open a new terminal to use it.")


@app.command()
def show(shell: Shell = None, as_json: AsJson = False) -> None:
    """Print the completion script, to put it somewhere yourself."""
    with expected(as_json=as_json):
        name = shell or _present()
        script = completion.get_completion_script(prog_name="handrail", complete_var=VARIABLE, shell=name)
        if as_json:
            output.as_json({"shell": name, "script": script})
        else:
            output.say(script)


def begin() -> None:
    """The shell asks for completions: typer answers bash, zsh and fish in their own ways."""
    completion.completion_init()


def _present() -> str:
    try:
        return shellingham.detect_shell()[0]
    except shellingham.ShellDetectionFailure:
        message = "Your shell is not known here: name it with --shell bash, zsh or fish."
        raise Failure(Exit.usage, message) from None
