"""Commands on the audit log: audit verify, export, rotate-key, erase."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from handrail.cli import output, people, wording
from handrail.cli.commands import AsJson, Token, Url, client, expected
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.server import Data

if TYPE_CHECKING:
    from handrail.core.audit import PublicKey
    from handrail.core.verification import Report

app = typer.Typer(no_args_is_help=True, help="The audit log: verify, export, rotate the key, erase.")


@app.command()
def verify(
    file: Annotated[Path | None, typer.Argument(help="An export; by default the server's current log.")] = None,
    key: Annotated[
        Path | None, typer.Option(help="The public key (key.pub), kept where the server cannot write.")
    ] = None,
    head: Annotated[
        Path | None, typer.Option(help="Signed heads (heads.jsonl), to detect a cut-off end as well.")
    ] = None,
    after: Annotated[int, typer.Option(min=0, help="Only the part after this entry.")] = 0,
    url: Url = None,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Prove that nothing in the log was changed, removed, inserted or moved. Exits with 1 if something was.

    For a server, also prove that every hold matches the log.
    """
    with expected(as_json=as_json):
        from handrail.core.verification import verify as verified
        from handrail.store.audit_files import read_heads, read_public_keys

        heads = read_heads(head) if head else ()
        if file is not None and key is None:
            raise Failure(Exit.usage, "Verifying an export needs the public key: give --key key.pub.")
        server = Server(url, token, as_json=as_json)
        keys = read_public_keys(key) if key else keys_of(server)
        with _lines(file, server, after) as lines:
            report = verified(lines, keys, heads, after)
        compared = _compared(server) if file is None else None
        _say(report, keys, compared, as_json=as_json, given=key is not None, headed=head is not None)
        if not report.whole or (compared and compared["differing"]):
            raise typer.Exit(Exit.refused)


@client(app)
def export(
    server: Server,
    file: Annotated[Path | None, typer.Argument(help="A new or empty file; else standard output.")] = None,
    after: Annotated[int, typer.Option(help="Only entries after this one.")] = 0,
) -> None:
    """Write the log as JSON lines, to keep and verify elsewhere. For auditors and administrators."""
    try:
        with _exported(server, after) as lines:
            if file is None:
                sys.stdout.buffer.writelines(line + b"\n" for line in lines)
            else:
                # one that is there and empty, as `mktemp` makes it, holds nothing to lose
                empty = file.is_file() and file.stat().st_size == 0
                with file.open("wb" if empty else "xb") as kept:
                    kept.writelines(line + b"\n" for line in lines)
                output.say(f"Exported to {file}. To check it: `handrail audit verify {file} --key key.pub`.", err=True)
    except OSError as error:
        raise Failure(Exit.refused, f"{file} cannot be written: {error}") from error


@app.command("rotate-key")
def rotate_key(
    data: Data = None,
    lost: Annotated[
        bool,
        typer.Option(
            "--lost", help="The old key is lost: use the one in the key file, which others must decide to trust."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Seal with a new key from now on. Run it on the machine that has the key file."""
    with expected(as_json=as_json):
        from handrail.cli import server, upkeep

        settings = server.settings_of(data=data)

        async def main() -> None:
            key_id, in_use = await upkeep.rotate_key(settings, lost=lost)
            if as_json:
                output.as_json({"key_id": key_id, "in_use": in_use})
            else:
                when = (
                    "The log is sealed" if in_use else "No server is running. From the next start on, the log is sealed"
                )
                output.say(f"{when} with the key {key_id}.\nPublic keys: {settings.audit_key.with_suffix('.pub')}")

        server.run(main())


@client(app)
def erase(
    server: Server,
    name: people.Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Erase an inactive person's name and texts. The proof of what happened stays intact."""
    who = people.find(server, name)
    if not yes and not typer.confirm(f"Erase {wording.line(who['name'])}? This cannot be undone.", err=True):
        raise Failure(Exit.refused, "Nothing was changed.")
    done = server.post(f"/api/people/{who['id']}/erase")
    if server.as_json:
        output.as_json(done)
    else:
        output.say(f"{wording.line(who['name'])} is now {done['name']}; {done['entries']} entries were erased.")


class Checked(NamedTuple):
    """Whether log and holds are as recorded, and what `audit verify` says of them."""

    intact: bool
    lines: list[str]


def checked(server: Server, key: Path | None, head: Path | None) -> Checked:
    """The server's current log and its holds, verified here."""
    from handrail.core.verification import verify as verified
    from handrail.store.audit_files import read_heads, read_public_keys

    keys = read_public_keys(key) if key else keys_of(server)
    with _lines(None, server, 0) as lines:
        report = verified(lines, keys, read_heads(head) if head else ())
    compared = _compared(server)
    said = _verdict(report, keys, compared, given=key is not None, headed=head is not None)
    return Checked(report.whole and not compared["differing"], list(said))


def keys_of(server: Server) -> list[PublicKey]:
    """The public keys that the server names as its own."""
    from handrail.core.audit import PublicKey

    return [PublicKey(bytes.fromhex(key)) for key in server.get("/api/audit/head")["public_keys"]]


def _compared(server: Server) -> dict[str, Any]:
    """What the server found of all its holds, page by page."""
    compared: dict[str, Any] = {"compared": 0, "unknown": 0, "differing": []}
    following: str | None = None
    while True:
        page = server.get("/api/audit/holds", after=following)
        for name in compared:
            compared[name] += page[name]
        following = page["next"]
        if following is None:
            return compared


@contextmanager
def _lines(file: Path | None, server: Server, after: int) -> Generator[Iterable[bytes]]:
    if file is None:
        with _exported(server, after) as lines:
            yield lines
        return
    try:
        with file.open("rb") as lines:
            yield lines
    except OSError as error:
        raise Failure(Exit.not_found, f"{file} cannot be read: {error.strerror}") from error


@contextmanager
def _exported(server: Server, after: int) -> Generator[Iterable[bytes]]:
    import httpx

    try:
        with server.http() as http, http.stream("GET", "/api/audit/export", params={"after": after}) as answer:
            if not answer.is_success:
                answer.read()
                server.answer(answer)
            yield _split(answer.iter_bytes())
    except httpx.TransportError as error:
        raise server.unreachable(error) from error


def _split(parts: Iterable[bytes]) -> Generator[bytes]:
    """Lines at newlines alone: texts may hold other characters that end a line for some."""
    rest = b""
    for part in parts:
        *whole, rest = (rest + part).split(b"\n")
        yield from whole
    if rest:
        yield rest


def _say(
    report: Report, keys: list[PublicKey], compared: dict[str, Any] | None, *, as_json: bool, given: bool, headed: bool
) -> None:
    if as_json:
        found: dict[str, Any] = {"whole": report.whole, **asdict(report), "holds": compared}
        output.as_json(found)
        return
    for line in _verdict(report, keys, compared, given=given, headed=headed):
        output.say(line)


def _verdict(
    report: Report, keys: list[PublicKey], compared: dict[str, Any] | None, *, given: bool, headed: bool
) -> Generator[str]:
    for line in (*_words(report), *(_words_of_holds(compared) if compared else ())):
        yield wording.line(line)
    yield f"Trusted key: {', '.join(key.id for key in keys)}"
    if not given:
        yield "The server itself named this key. Compare it with your own copy, or give --key."
    if not headed:
        yield "Without --head, a log whose end was cut off looks like an older, shorter log."


def _words_of_holds(compared: dict[str, Any]) -> Generator[str]:
    differing = compared["differing"]
    if differing:
        yield f"{len(differing)} of {compared['compared']} holds do NOT match the log:"
    else:
        yield f"All {compared['compared']} holds match the log."
    for hold in differing[:10]:
        yield f"Hold {hold['hold_id']}: {'; '.join(hold['differences'])}."
    if compared["unknown"]:
        yield f"{compared['unknown']} holds could not be compared, because the data of their entries is no longer kept."


def _words(report: Report) -> Generator[str]:
    read = f"entries {report.first} to {report.last}" if report.entries else f"no entry after {report.first - 1}"
    if report.whole:
        yield f"The audit log is intact: {read} ({report.entries} in all), sealed up to entry {report.sealed}."
        if report.first > 1:
            yield f"Entries 1 to {report.first - 1} were not checked, because of --after."
    else:
        yield f"Read: {read} ({report.entries} in all)."
        first = report.faults[0]
        yield f"The audit log is NOT intact. First problem: entry {first.seq} ({first.wrong}): {first.detail}."
        yield f"Proven to be as recorded: everything up to entry {report.proven}."
        for fault in report.faults[1:10]:
            yield f"Also: entry {fault.seq} ({fault.wrong}): {fault.detail}."
    if report.sealed_by:
        yield f"Sealed by the key {', then '.join(report.sealed_by)}."
    for one in report.restored:
        yield (
            f"At {one.at} the log was restored from a backup that ended with entry {one.until} (entry {one.seq} says "
            "so): what happened after the backup was made is not in it."
        )
    if report.erased:
        yield f"{report.erased} entries had their data erased, by signed erasures."
    if report.pruned:
        yield f"{report.pruned} entries are past the configured retention: their data is gone, their hashes are intact."
    if report.waiting:
        yield f"{report.waiting} events are not sealed yet, and not part of the proof."
