"""Commands for coding agents: hook install, status, uninstall, run, resume."""

from __future__ import annotations

import json
import subprocess
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from handrail.cli import hook_settings, output, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.enrolling import enroll
from handrail.cli.exits import Exit, Failure
from handrail.cli.hook_places import PROBE, Place, all_places
from handrail.cli.hook_settings import AGENTS, Agent
from handrail.cli.mcp import enrolled

app = typer.Typer(no_args_is_help=True, help="Coding agents, gated by their own hooks: install, status, uninstall.")

Json = dict[str, Any]

TIMEOUT_SECONDS = 3600
# the hook says no by itself before the agent loses patience
MARGIN_SECONDS = 60


class Known(StrEnum):
    claude_code = "claude-code"
    codex = "codex"
    gemini = "gemini"


Which = Annotated[Known, typer.Argument(help="claude-code, codex or gemini.", metavar="AGENT")]
Project = Annotated[
    bool, typer.Option("--project/--user", help="For this folder alone, or for everything you do (the default).")
]


@client(app)
def install(
    server: Server,
    agent: Which,
    project: Project = False,
    defer: Annotated[
        bool, typer.Option("--defer", help="Claude Code with -p: pause the session instead of waiting in it.")
    ] = False,
    plugin: Annotated[
        bool, typer.Option("--plugin", help="Claude Code: for the plugin, which has the hook and the MCP server.")
    ] = False,
) -> None:
    """Put Handrail in front of an agent's tool calls, and prove it with a call that must be refused."""
    known, place = AGENTS[agent], Place(agent, Path.cwd() if project else None)
    if defer and agent is not Known.claude_code:
        raise Failure(Exit.usage, f"{known.title} cannot defer a call: leave out --defer.")
    if plugin and (agent is not Known.claude_code or project):
        raise Failure(Exit.usage, "The plugin is for Claude Code, and for everything you do: leave out --project.")
    file = known.file(place.project)
    settings = hook_settings.read(file)
    chosen = {"agent": agent.value, "wait": TIMEOUT_SECONDS - MARGIN_SECONDS, "defer": defer, "plugin": plugin}
    again = "Uninstall the hook and install it again."
    principal = enroll(
        server, place.agent, "coding agent", place.read(), lambda made: place.write({**chosen, **made}), again
    )
    refused = _proved(place, known)
    if plugin:
        # a hook in both places would ask twice; and agents ask people as an agent of their own
        if file.exists():
            hook_settings.write(file, hook_settings.without_hook(settings, place.command))
        enrolled(server)
    else:
        hook_settings.write(file, hook_settings.with_hook(settings, known, place.command, TIMEOUT_SECONDS))
    if server.as_json:
        output.as_json({"agent": agent.value, "settings": str(file), "principal": principal, "probe": refused})
        return
    when = "With its plugin, " if plugin else ""
    output.say(f"{when}{known.title} now asks Handrail before every tool call, as {wording.line(principal)}.")
    output.say("Next: install the plugin (integrations/claude-code)." if plugin else f"Settings: {file}")
    output.say(f"Proof: a probe was refused. {wording.line(refused)}")
    _say_open_ends(known)


@client(app)
def status(server: Server) -> None:
    """Show which agents are gated here, whether that still works, and when an agent runs a tool anyway."""
    found = [_state(place) for place in all_places()]
    if server.as_json:
        output.as_json({"hooks": found})
        return
    if not found:
        output.say("No hook is installed. Install one with `handrail hook install claude-code`.")
        return
    rows = [(one["agent"], one["for"], one["state"], one["settings"]) for one in found]
    output.table(("AGENT", "FOR", "STATE", "SETTINGS"), rows)
    for name in dict.fromkeys(one["agent"] for one in found):
        _say_open_ends(AGENTS[name])
    if any(one["state"] != "works" for one in found):
        raise Failure(Exit.refused, "A hook does not work: install it again with `handrail hook install`.")


@client(app)
def uninstall(server: Server, agent: Which, project: Project = False) -> None:
    """Take the hook out of the agent's settings, and revoke its token."""
    known, place = AGENTS[agent], Place(agent, Path.cwd() if project else None)
    config, file = place.read(), known.file(place.project)
    settings = hook_settings.read(file)
    if config is None and hook_settings.installed(settings, known, place.command) is None:
        raise Failure(Exit.not_found, f"No hook of Handrail is installed for {known.title} here.")
    if config is not None and config.get("token_id"):
        server.delete(f"/api/tokens/{config['token_id']}")
    if file.exists():
        hook_settings.write(file, hook_settings.without_hook(settings, place.command))
    place.remove()
    if server.as_json:
        output.as_json({"agent": agent.value, "settings": str(file), "removed": True})
    else:
        output.say(f"{known.title} no longer asks Handrail. Its token was revoked.")


@client(app, context_settings={"allow_interspersed_args": False})
def resume(
    server: Server,
    options: Annotated[list[str] | None, typer.Argument(help="Options for Claude Code, after `--`.")] = None,
    project: Project = False,
) -> None:
    """Resume sessions of Claude Code that were paused for a decision (`install --defer`), as they are decided."""
    place = Place(Known.claude_code, Path.cwd() if project else None)
    config = place.read()
    if config is None or not config.get("defer"):
        raise Failure(Exit.not_found, "No hook that defers is installed: `handrail hook install claude-code --defer`.")
    own = Server(config["url"], config["token"])
    resumed: list[str] = []
    while waiting := place.deferred():
        decided = [one for one in waiting if own.get(f"/api/holds/{one['hold']}")["status"] != "pending"]
        for one in decided:
            _resumed(place, one, options or [])
            resumed.append(one["session"])
        if not decided:
            own.get(f"/api/holds/{waiting[0]['hold']}/wait", timeout=5)
    if server.as_json:
        output.as_json({"resumed": resumed})
    elif not resumed:
        output.say("No session is paused.")


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="It never prints anything else.")] = True,
) -> None:
    """What the agent runs: a call on stdin, the answer on stdout, exit 2 for every other end."""
    from handrail.cli import hook_run

    hook_run.run(context.args)


def _resumed(place: Place, paused: Json, options: list[str]) -> None:
    """Wakes one session where it was; its hook asks again and finds the decision."""
    place.forget(paused["session"])
    output.say(f"Resuming {wording.line(paused['session'])}: hold {paused['hold']} is decided.", err=True)
    try:
        subprocess.run(["claude", "-p", "--resume", paused["session"], *options], cwd=paused["folder"], check=False)
    except OSError as error:
        raise Failure(
            Exit.refused, f"`claude` could not be started ({error}). Is it installed, and on the PATH?"
        ) from error


def _proved(place: Place, agent: Agent) -> str:
    """What the probe was told. Without a refusal nothing is written into the agent's settings."""
    config = place.read()
    assert config is not None
    ran = place.probe(agent.before)
    refused = _refusal(ran.stdout) if ran.returncode == 0 else None
    own = Server(config["url"], config["token"])
    for hold in own.get("/api/holds", mine=True, text=PROBE)["holds"]:
        if hold["title"] == PROBE:
            own.post(f"/api/holds/{hold['id']}/cancel", {"reason": "It was a probe."})
    if refused is None:
        raise Failure(
            Exit.refused,
            f"The probe was not refused, so {agent.title}'s settings were not changed. "
            f"The hook said: {wording.line(ran.stderr or ran.stdout) or 'nothing'}",
        )
    return refused


def _refusal(said: str) -> str | None:
    try:
        found: Json = json.loads(said)
    except ValueError:
        return None
    inner: Json = found.get("hookSpecificOutput", {})
    if inner.get("permissionDecision") == "deny":
        return str(inner.get("permissionDecisionReason"))
    return str(found.get("reason")) if found.get("decision") == "deny" else None


def _state(place: Place) -> Json:
    agent = AGENTS[place.agent]
    file = agent.file(place.project)
    return {
        "agent": place.agent,
        "for": str(place.project) if place.project else "you",
        "state": _broken(place, agent, file) or "works",
        "settings": "the plugin" if _by_plugin(place) else str(file),
        "open_ends": list(agent.open_ends),
    }


def _broken(place: Place, agent: Agent, file: Path) -> str | None:
    try:
        handler = hook_settings.installed(hook_settings.read(file), agent, place.command)
    except Failure:
        return "its settings cannot be read"
    if _by_plugin(place):
        return "also in its settings: asks twice" if handler is not None else _unproved(place, agent)
    if handler is None:
        return "not in its settings"
    if handler != agent.handler(place.command, TIMEOUT_SECONDS, agent.before):
        return "its settings were changed"
    return _unproved(place, agent)


def _by_plugin(place: Place) -> bool:
    return bool((place.read() or {}).get("plugin"))


def _unproved(place: Place, agent: Agent) -> str | None:
    try:
        _proved(place, agent)
    except Failure as failure:
        return failure.message
    return None


def _say_open_ends(agent: Agent) -> None:
    output.say(f"{agent.title} itself runs a tool without a yes if:")
    for end in agent.open_ends:
        output.say(f"  - {end}")
