"""Makes a function a client command: adds --url, --token and --json, and ends expected failures with one line."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any, Concatenate, NoReturn, ParamSpec

import typer

from handrail.cli.connection import DEFAULT_URL, Server
from handrail.cli.exits import Exit, Failure

P = ParamSpec("P")
Command = Callable[Concatenate[Server, P], None]

Url = Annotated[
    str | None,
    typer.Option("--url", envvar="HANDRAIL_URL", help=f"The server; by default {DEFAULT_URL}.", metavar="URL"),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token",
        envvar="HANDRAIL_TOKEN",
        help="A token; by default your sign-in from `handrail login`.",
        metavar="TOKEN",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only ids, one per line.")]


def client(app: typer.Typer, name: str | None = None, **settings: Any) -> Callable[[Command[P]], Command[P]]:
    """Registers a command whose first argument is the server it talks to."""

    def register(function: Command[P]) -> Command[P]:
        @wraps(function)
        def command(*args: Any, url: str | None, token: str | None, as_json: bool, **kwargs: Any) -> None:
            try:
                function(Server(url, token, as_json=as_json), *args, **kwargs)
            except Failure as failure:
                fail(failure, as_json=as_json)

        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        shared = [
            inspect.Parameter("url", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Url),
            inspect.Parameter("token", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Token),
            inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJson),
        ]
        # typer reads the signature and the hints to know the options
        vars(command)["__signature__"] = inspect.Signature([*own, *shared])
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *shared]}
        app.command(name, **settings)(command)
        return function

    return register


@contextmanager
def expected(*, as_json: bool = False) -> Generator[None]:
    """Around a command that runs parts of the server: ends what they raise on purpose with one line."""
    from handrail.core import errors

    exits = {errors.Unavailable: Exit.unreachable, errors.NotFound: Exit.not_found, errors.Conflict: Exit.conflict}

    try:
        yield
    except Failure as failure:
        fail(failure, as_json=as_json)
    except errors.HandrailError as error:
        exit = next((code for kind, code in exits.items() if isinstance(error, kind)), Exit.refused)
        said = errors.sentence(error.message)
        fail(Failure(exit, said, {"code": error.code, "detail": said}), as_json=as_json)


def fail(failure: Failure, *, as_json: bool = False) -> NoReturn:
    """Prints the failure where it belongs and ends with its exit code."""
    print(json.dumps(failure.problem) if as_json else failure.message, file=sys.stderr)
    raise typer.Exit(failure.exit)
