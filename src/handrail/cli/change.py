"""Commands on code changes: start one and follow it, verify what was published."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from handrail.cli import audit, changing, output, wording
from handrail.cli.commands import AsJson, Quiet, Token, Url, client, expected
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

if TYPE_CHECKING:
    from handrail.changes.publishing.verification import Verdict
    from handrail.core.attestation import Attestation
    from handrail.core.audit import PublicKey


class Group(TyperGroup):
    """`handrail change "…"` starts one; the commands have names."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in {"-h", "--help"}:
            args = ["start", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help='Code changes: `handrail change "what should be different" --repo .` starts one and follows it.',
)

# the largest that a host keeps is 1 MiB
LARGEST = 4 * 1024 * 1024


@app.callback()
def change() -> None: ...


@client(app)
def start(
    server: Server,
    request: Annotated[str, typer.Argument(help="What should be different, or a question about the code.")],
    repo: Annotated[str, typer.Option(help="An https or ssh address, or a folder that the server allows.")] = ".",
    base: Annotated[str | None, typer.Option(help="The branch to start from and to merge into.")] = None,
    draft: Annotated[bool, typer.Option("--draft", help="Open the pull request as a draft.")] = False,
    label: Annotated[list[str] | None, typer.Option(help="A label of the pull request; may be repeated.")] = None,
    reviewer: Annotated[list[str] | None, typer.Option(help="Who should review it; may be repeated.")] = None,
    detach: Annotated[bool, typer.Option("--detach", help="Start it, and do not follow it.")] = False,
    quiet: Quiet = False,
) -> None:
    """Start a code change and follow it: plan, diffs, tests, and the decisions that are yours."""
    given = {"base_branch": base, "draft": draft or None, "labels": label or None, "reviewers": reviewer or None}
    body = {
        "workflow": "change",
        "input": {
            "request": request,
            "repo_url": _repository(repo),
            **{name: value for name, value in given.items() if value is not None},
        },
    }
    run = server.post("/api/runs", body)
    if quiet:
        output.ids([run["short_id"]])
    elif not server.as_json:
        output.say(f"Started {run['short_id']}. Ctrl-C leaves it running or cancels it.", err=True)
    if not detach and not quiet:
        changing.follow(server, run, asks=sys.stdin.isatty() and not server.as_json)
    elif server.as_json:
        output.as_json(run)


def _repository(given: str) -> str:
    """A folder by its whole path: the server does not know where this command was given."""
    return str(Path(given).resolve()) if Path(given).is_dir() else given


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="A pull request's body or an attestation; `-` for standard input.")],
    key: Annotated[
        Path | None, typer.Option(help="The public key (key.pub), kept where the server cannot write.")
    ] = None,
    repo: Annotated[
        Path | None, typer.Option(help="A copy of the repository: checks that the branch is what was approved.")
    ] = None,
    url: Url = None,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Prove that people approved exactly this change. Exits with 1 if not.

    With --key nothing but these files is read. Without it, the server is asked for its key.
    """
    with expected(as_json=as_json):
        import asyncio

        from handrail.changes.publishing.verification import verify as verified
        from handrail.store.audit_files import read_public_keys

        body = _read(file)
        if repo is not None and not repo.is_dir():
            raise Failure(Exit.not_found, f"{repo} is not a folder.")
        keys = read_public_keys(key) if key else _keys_of(Server(url, token, as_json=as_json))
        verdict = asyncio.run(verified(body, keys, repo.resolve() if repo else None))
        if as_json:
            output.as_json(verdict.as_data())
        else:
            for line in _words(verdict):
                output.say(wording.line(line))
            output.say(f"Trusted key: {', '.join(trusted.id for trusted in keys)}")
            if key is None:
                output.say("The server itself named this key. Compare it with your own copy, or give --key.")
        if not verdict.holds:
            raise typer.Exit(Exit.refused)


def _keys_of(server: Server) -> list[PublicKey]:
    try:
        return audit.keys_of(server)
    except Failure as failure:
        hint = f"{failure.message} With --key key.pub, no server is needed."
        raise Failure(failure.exit, hint, {**failure.problem, "detail": hint}) from failure


def _read(file: Path) -> str:
    try:
        if str(file) == "-":
            content = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with file.open("rb") as opened:
                content = opened.read(LARGEST + 1)
    except OSError as error:
        raise Failure(Exit.not_found, f"{file} cannot be read: {error.strerror}") from error
    if len(content) > LARGEST:
        raise Failure(Exit.refused, f"{file} is larger than {LARGEST >> 20} MiB, so it is no pull request's body.")
    return content.decode(errors="replace")


def _words(verdict: Verdict) -> Generator[str]:
    if verdict.holds:
        compared = ", and the repository holds exactly what was approved" if "repository" in verdict.checked else ""
        yield f"The attestation is valid{compared}."
    else:
        first, *others = verdict.faults
        yield f"The attestation is NOT valid ({first.wrong}): {first.detail}."
        for fault in others:
            yield f"Also ({fault.wrong}): {fault.detail}."
    if verdict.attestation is not None and verdict.holds:
        yield from _content(verdict.attestation)
        if "text" not in verdict.checked:
            yield "This is the attestation alone: no text was compared with it."
        if "repository" not in verdict.checked:
            yield "Without --repo, the commits themselves were not compared."


def _content(attestation: Attestation) -> Generator[str]:
    evidence = attestation.published
    for approval in attestation.approvals:
        yield f"Approved by {approval.name} ({approval.principal_id}) at {approval.at}."
    yield f"Repository {evidence['repository']}, branch {evidence['branch']} into {evidence['target_branch']}."
    commits = evidence["commits"]
    assert isinstance(commits, list)
    yield f"Commit {commits[-1]} on {evidence['base_commit']}."
    if attestation.moved is not None:
        yield f"It was approved on {attestation.evidence['base_commit']}; the diff and the results are the same."
    yield f"Hold {attestation.hold_id}, policy {attestation.policy_version}, signed at {attestation.at}."
