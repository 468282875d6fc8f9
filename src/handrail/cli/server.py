"""Commands that run Handrail: up, serve, worker, admin-link."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handrail.cli import address, output, wording
from handrail.cli.commands import AsJson, Url, expected
from handrail.cli.connection import DEFAULT_URL

if TYPE_CHECKING:
    from handrail.settings import Settings

app = typer.Typer()

Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="FOLDER", help="Folder of the embedded database; by default ~/.handrail."),
]
Port = Annotated[int | None, typer.Option("--port", help="Port to listen on; by default 8400. 0 takes any free port.")]


@app.command()
def up(
    data: Data = None,
    port: Port = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run all of Handrail on this machine: database, API and worker."""
    with expected(as_json=as_json):
        # quiet by default: errors are still reported
        calm = {} if "HANDRAIL_LOG_LEVEL" in os.environ else {"log_level": "warning"}
        settings = settings_of(data=data, port=port, host="127.0.0.1", **calm)
        _serve(settings, browser=not no_browser, with_runs=True, as_json=as_json)


@app.command()
def serve(
    data: Data = None,
    port: Port = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on; by default 127.0.0.1.")] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Processes that answer; from 2 on, one more does the background work.")
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Run the API. To serve other machines, give --host and set HANDRAIL_ALLOWED_HOSTS."""
    with expected(as_json=as_json):
        settings = settings_of(data=data, port=port, host=host)
        if processes == 1:
            _serve(settings, browser=False, as_json=as_json)
        else:
            _serve_by(processes, settings, as_json=as_json)


@app.command()
def worker(
    data: Data = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Number of concurrent runs; by default the number of cores, at least 2.")
    ] = None,
    health: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Address that answers GET /health, for an orchestrator.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run workflows and background work, without the API."""
    with expected(as_json=as_json):
        settings = settings_of(data=data, concurrency=concurrency)
        import asyncio

        from handrail.cli import serving

        listener = serving.listener_at(health) if health else None

        async def main() -> None:
            async with serving.services(settings) as services, asyncio.TaskGroup() as parts:
                at = None
                if listener is not None:
                    # a probe that comes this early waits for the answer instead of being refused
                    listener.listen()
                    at = f"{serving.url_of(listener, settings)}/health"
                if as_json:
                    output.as_json({"data": folder(settings), "health": at})
                else:
                    output.say(f"The worker is running. Data: {place(settings)}.")
                    if at is not None:
                        output.say(f"Health: {at}")
                parts.create_task(serving.work(services), name="work")
                parts.create_task(serving.run_runs(services, listener), name="runs")

        run(main())


@app.command("admin-link")
def admin_link(
    data: Data = None,
    name: Annotated[str | None, typer.Option(help="Which administrator; by default the first.")] = None,
    url: Url = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the link alone.")] = False,
    as_json: AsJson = False,
) -> None:
    """Create a sign-in link for an administrator. Works on the machine that has the data."""
    with expected(as_json=as_json):
        settings = settings_of(data=data)
        from handrail.cli import serving

        async def main() -> None:
            link = await serving.administrator_link(settings, name, url or address.read(settings.data) or DEFAULT_URL)
            if quiet:
                output.say(link.url)
            elif as_json:
                output.as_json({"url": link.url, "expires_at": link.expires_at.isoformat()})
            else:
                expiry = wording.until(link.expires_at.isoformat())
                output.say(f"{link.url}\nWorks once, at the running server; expires {expiry}.")

        run(main())


def settings_of(**options: Any) -> Settings:
    """The settings of the environment and of the options that were given; logging is set up by them."""
    from handrail import logs
    from handrail.settings import load

    settings = load(**{name: value for name, value in options.items() if value is not None})
    logs.configure(settings)
    return settings


def folder(settings: Settings) -> str | None:
    """Where the data is; nowhere on this machine with a database of its own."""
    return None if settings.database_url else str(settings.data)


def place(settings: Settings) -> str:
    where = folder(settings)
    return f"{where} (embedded PostgreSQL)" if where else "the database of HANDRAIL_DATABASE_URL"


def _serve(settings: Settings, *, browser: bool, as_json: bool, with_runs: bool = False) -> None:
    from handrail.cli import serving

    # before anything is started: a port in use is the most common problem
    listener = serving.listener(settings.host, settings.port)
    url = serving.url_of(listener, settings)

    async def main() -> None:
        async with serving.services(settings) as services:
            link = await serving.first_link(services, url)

            def ready() -> None:
                if as_json:
                    output.as_json({"url": url, "data": folder(settings), "sign_in": link})
                else:
                    _announce(settings, url, link)
                if browser:
                    _open_browser(link or url)

            with address.told(settings.data, url):
                await serving.serve(services, listener, ready, with_runs=with_runs)

    run(main())
    if not as_json:
        output.say("Handrail has stopped.")


def _serve_by(count: int, settings: Settings, *, as_json: bool) -> None:
    """The same by so many processes on one socket."""
    from handrail.api import metrics
    from handrail.cli import processes, serving

    listener = serving.listener(settings.host, settings.port)
    url = serving.url_of(listener, settings)

    def background(ready: processes.Ready, lifeline: int) -> int:
        async def main() -> None:
            async with serving.services(settings) as services:
                ready(await serving.first_link(services, url))
                await serving.work(services)

        with expected(as_json=as_json):
            run(main(), lifeline)
        return 0

    def answering(ready: processes.Ready, lifeline: int) -> int:
        async def main() -> None:
            async with serving.services(settings, figures) as services:
                await serving.answer(services, listener, lambda: ready(None))

        with expected(as_json=as_json):
            run(main(), lifeline)
        return 0

    def announce(link: str | None) -> None:
        if as_json:
            output.as_json({"url": url, "data": folder(settings), "sign_in": link})
        else:
            _announce(settings, url, link)

    with tempfile.TemporaryDirectory(prefix="handrail-metrics-") as name, address.told(settings.data, url):
        figures = Path(name)
        kept = processes.Processes(background, answering, count)
        code = kept.run(announce, lambda pid: metrics.bury(figures, pid))
    if code:
        raise typer.Exit(code)
    if not as_json:
        output.say("Handrail has stopped.")


def run(main: Coroutine[Any, Any, None], lifeline: int | None = None) -> None:
    """Runs parts of the server; on an unexpected failure, says so and exits with 1."""
    from handrail.cli import signals

    try:
        signals.run(main, lifeline)
    except BaseExceptionGroup as group:
        import structlog

        structlog.stdlib.get_logger(__name__).critical("part_failed", exc_info=group)
        output.say("Part of Handrail failed, so all of it has stopped. The reason is above.", err=True)
        raise typer.Exit(1) from group


def _announce(settings: Settings, url: str, link: str | None) -> None:
    output.say(f"Handrail is running at {url}\nData: {place(settings)}")
    if link:
        minutes = settings.sign_in_link_seconds // 60
        output.say(f"\nSign in as administrator with this link (it works once, for {minutes} minutes):\n  {link}")
        output.say(f"or in a terminal:\n  {program()} login --code '{link}'")
    else:
        output.say(f"To sign in: `{program()} login`. If you are locked out: `{program()} admin-link`.")
    if url != DEFAULT_URL:
        output.say(f"\nFor the command line: export HANDRAIL_URL={url}")
    output.say("\nPress Ctrl-C to stop. Your data is kept.")


def program() -> str:
    """What to type to run this program: its name, or its path where the name would find another one or none."""
    found = shutil.which("handrail")
    return "handrail" if found and Path(found).samefile(sys.argv[0]) else sys.argv[0]


def _open_browser(address: str) -> None:
    """Opens the pages in a browser, if they are built and someone is there to see them."""
    import webbrowser

    import handrail

    pages = Path(handrail.__file__).parent / "web" / "index.html"
    if pages.exists() and sys.stdout.isatty():
        webbrowser.open(address)
