"""Commands that make the shell complete `handrail …`: completion install, show."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from handrail.cli import output
from handrail.cli.commands import fail
from handrail.cli.exits import Exit, Failure

app = typer.Typer(no_args_is_help=True, help="Completion of commands and options in your shell.")

Shell = Annotated[Literal["bash", "zsh", "fish"] | None, typer.Option(help="Which; else the one you are in.")]
VARIABLE = "_HANDRAIL_COMPLETE"


@app.command()
def install(shell: Shell = None) -> None:
    """Make your shell complete `handrail`, from its next start on."""
    from typer.completion import install as written

    name, path = written(shell=shell or _present(), prog_name="handrail", complete_var=VARIABLE)
    output.say(f"Completion for {name} is in {path}. Open a new terminal to use it.")


@app.command()
def show(shell: Shell = None) -> None:
    """Print the completion script, to put it somewhere yourself."""
    from typer.completion import get_completion_script

    output.say(get_completion_script(prog_name="handrail", complete_var=VARIABLE, shell=shell or _present()))


def begin() -> None:
    """The shell asks for completions: typer answers bash, zsh and fish in their own ways."""
    from typer.completion import completion_init

    completion_init()


def _present() -> str:
    import shellingham

    try:
        return shellingham.detect_shell()[0]
    except shellingham.ShellDetectionFailure:
        fail(Failure(Exit.usage, "Your shell is not known here: name it with --shell bash, zsh or fish."))
