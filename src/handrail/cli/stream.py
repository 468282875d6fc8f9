"""The command `events`: follows what happens, and resumes where it was when the connection is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from handrail.cli import output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server

app = typer.Typer()

Json = dict[str, Any]

# longer than the server's heartbeats are apart: silence means a dead connection
SILENCE_SECONDS = 60.0
RETRY_SECONDS = 1.0


@client(app)
def events(
    server: Server,
    hold: Annotated[str | None, typer.Option(help="Only this hold.")] = None,
    run: Annotated[str | None, typer.Option(help="Only this run.")] = None,
    case: Annotated[str | None, typer.Option(help="Only this case.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only holds of this kind.")] = None,
    after: Annotated[int | None, typer.Option(help="Start after this number; 0 for the beginning.")] = None,
) -> None:
    """Follow what happens, until Ctrl-C. With --json, one JSON object per line."""
    filters = {"hold": hold, "run": run, "case": case, "kind": kind}
    query = {name: value for name, value in filters.items() if value is not None}
    for event in follow(server, "/api/events", query, after):
        print(json.dumps(event) if server.as_json else _line(event), flush=True)


def story(server: Server, run_id: str) -> Iterator[Json]:
    """The parts of a run's story from its beginning, for ever."""
    return follow(server, f"/api/runs/{run_id}/story", {}, 0)


def follow(server: Server, path: str, query: Json, after: int | None) -> Iterator[Json]:
    """Events without a gap or a repeat, across lost connections and restarts of the server."""
    import httpx

    from handrail_sdk.sse import Parser

    connected = False
    while True:
        try:
            with (
                server.http() as http,
                http.stream(
                    "GET",
                    path,
                    params=query if after is None else {**query, "after": after},
                    timeout=httpx.Timeout(10.0, read=SILENCE_SECONDS),
                ) as response,
            ):
                if not response.is_success:
                    response.read()
                    server.answer(response)
                connected = True
                parser = Parser()
                for chunk in response.iter_bytes():
                    for message in parser.feed(chunk):
                        event: Json = json.loads(message.data)
                        after = event["seq"]
                        yield event
        except httpx.TransportError as error:
            if not connected:
                raise server.unreachable(error) from error
            output.say(f"Lost the connection to {server.url}. Trying again.", err=True)
        time.sleep(RETRY_SECONDS)


def _line(event: Json) -> str:
    about = event["hold_short_id"] or event["run_short_id"] or event["case_id"] or ""
    # the clock and the policy have no name
    who = event["actor"]["name"] if event["actor"] else "handrail"
    at = wording.moment(event["at"]).astimezone().isoformat(sep=" ", timespec="seconds")
    return f"{event['seq']:>6}  {at}  {wording.line(event['type'])}  {wording.line(about)}  {wording.line(who)}"
