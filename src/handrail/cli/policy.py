"""Commands on the policy: policy check, apply, show, history, diff, explain, replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from handrail.cli import output, replays, wording
from handrail.cli.commands import AsJson, client, fail
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.times import WHEN, earlier

app = typer.Typer(
    no_args_is_help=True, help="Which actions are risky and who must approve them: check, apply, show, explain."
)

FOLDER = Path("config/hitl")
Folder = Annotated[
    Path,
    typer.Argument(
        help=f"Folder with the files, or one file in the short form; by default {FOLDER}.", show_default=False
    ),
]
Json = dict[str, Any]


@app.command()
def check(folder: Folder = FOLDER, as_json: AsJson = False) -> None:
    """Check policy files without a server and without applying them."""
    from handrail.core.errors import Misconfigured
    from handrail.policy import load

    try:
        policy = load(_files(folder))
    except Failure as failure:
        fail(failure, as_json=as_json)
    except Misconfigured as error:
        fail(Failure(Exit.refused, error.message, {"code": "bad_policy", **error.data}), as_json=as_json)
    if as_json:
        output.as_json({"valid": True, "problems": []})
    else:
        output.say(f"{folder} is a valid policy: {len(list(policy.rules))} rules, {len(policy.roles)} roles.")


@client(app)
def apply(
    server: Server,
    folder: Folder = FOLDER,
    reason: Annotated[str | None, typer.Option(help="Why; stored with the version.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Put all files in force at once, as the next version. For administrators."""
    files = _files(folder)
    checked = server.post("/api/policy/check", {"files": files})
    _refuse_broken(checked)
    if not yes:
        _say_changes(checked["changes"])
        if not typer.confirm("Put it in force?", err=True):
            raise Failure(Exit.refused, "Nothing was changed.")
    applied = server.post("/api/policy", {"files": files, "reason": reason})
    if server.as_json:
        output.as_json(applied)
    else:
        output.say(f"Version {applied['version']} is in force.")


@client(app)
def show(
    server: Server,
    version: Annotated[int | None, typer.Argument(help="A version; by default the one in force.")] = None,
    files: Annotated[bool, typer.Option("--files", help="The files as they were applied.")] = False,
) -> None:
    """Show the policy in force, in words or as files."""
    found = server.get(f"/api/policy/versions/{version}" if version else "/api/policy")
    if server.as_json:
        output.as_json(found)
    elif files:
        for name, text in found["files"].items():
            output.say(f"# {name}\n{wording.plain(text)}")
    else:
        output.say(f"Version {found['version']}, {_applied(found)}")
        output.table(("WHAT", "SAYS"), [(wording.line(k), wording.line(v)) for k, v in found["summary"].items()])


@client(app)
def history(server: Server) -> None:
    """List the policies that were in force, newest first."""
    found = server.get("/api/policy/versions")
    if server.as_json:
        output.as_json(found)
        return
    rows = [(str(each["version"]), _applied(each), wording.line(each["reason"] or "")) for each in found["versions"]]
    output.table(("VERSION", "APPLIED", "REASON"), rows)


@client(app)
def diff(
    server: Server,
    old: Annotated[str, typer.Argument(help="A version, a folder of files, or one file.")],
    new: Annotated[
        str | None, typer.Argument(help="Another version, folder or file; by default the policy in force.")
    ] = None,
) -> None:
    """Describe what changes from one policy to another."""
    from handrail.core.errors import Misconfigured
    from handrail.policy import differences, load

    try:
        changes = differences(load(_source(server, old)), load(_source(server, new)))
    except Misconfigured as error:
        raise Failure(Exit.refused, error.message) from error
    if server.as_json:
        output.as_json({"changes": changes})
    else:
        _say_changes(changes)


@client(app)
def explain(
    server: Server,
    action: Annotated[str, typer.Argument(help="The name of an action or tool, or with --task of an operation.")],
    args: Annotated[str, typer.Option(help="Its arguments, as JSON.")] = "{}",
    target: Annotated[str | None, typer.Option(help="What it acts on; for a task, its environment.")] = None,
    claims: Annotated[str | None, typer.Option(help="What the agent would claim about it, as JSON.")] = None,
    task: Annotated[bool, typer.Option("--task", help="Assess it as `/orchestrate` does.")] = False,
) -> None:
    """Try an action: its level, the facts behind it and their sources, and who would have to approve."""
    given = _json(args, "--args")
    if task:
        more = {} if target is None else {"environment": target}
        body: Json = {"task": {**given, "operation": action, **more}}
    else:
        said = _json(claims, "--claims") if claims else None
        body = {"action": {"name": action, "args": given, "target": target}, "task": said}
    found = server.post("/api/policy/assess", body)
    if server.as_json:
        output.as_json(found)
        return
    output.say(f"{wording.SHAPES[found['level']]} {found['level']} (score {found['score']})")
    for rule in found["rules"]:
        claimed = " (claimed)" if rule["from"] == "claim" else ""
        output.say(f"  {wording.line(rule['rule'])}, {rule['level']}{claimed}: {wording.line(rule['reason'])}")
    output.say("Known facts:" if found["facts"] else "No registered action matches, so nothing is known about it.")
    for fact in found["facts"]:
        output.say(f"  {fact['name']} {wording.line(fact['value'])}: {wording.line(fact['source'])}")
    output.say(_who(found))


@client(app)
def replay(
    server: Server,
    folder: Folder = FOLDER,
    since: Annotated[str, typer.Option(help=f"The beginning of the time to replay. {WHEN}")] = "30d",
    until: Annotated[str | None, typer.Option(help="Its end; now, if not given.")] = None,
    fail_on_looser: Annotated[
        bool, typer.Option("--fail-on-looser", help="Fail if anything would be asked less strictly, for CI.")
    ] = False,
) -> None:
    """Replay the past under other files: what would have been asked, and what would have slipped through."""
    body = {"files": _files(folder), "since": earlier(since), "until": earlier(until) if until else None}
    found = server.post("/api/policy/replay", body)
    if server.as_json:
        output.as_json(found)
    else:
        replays.say(found)
    if fail_on_looser and found["looser"]:
        raise Failure(Exit.refused, f"{found['looser']} of {found['holds']} holds would be asked less strictly.")


def _who(found: Json) -> str:
    if found["auto_approve"]:
        return "No approval needed."
    needed = found["requirements"]
    said = f"Needs {needed['approvals']} of {', '.join(needed['roles'])}"
    said += "".join(f", including one of {', '.join(group)}" for group in needed["required"])
    said += ", with a justification" if needed["justification"] else ""
    if found["escalate_after"]:
        said += f". After {found['escalate_after'] / 60:g} min also {', '.join(found['escalate_to'])}"
    if found["timeout"]:
        said += f". After {found['timeout'] / 60:g} min: {found['on_expiry']}"
    return said + "."


def _files(folder: Path) -> dict[str, str]:
    from handrail.policy import FILES
    from handrail.policy.loading import RULES

    if not folder.exists():
        raise Failure(Exit.usage, f"There is no {folder}.")
    try:
        if folder.is_file():
            return {RULES: folder.read_text("utf-8")}
        return {name: (folder / name).read_text("utf-8") for name in FILES if (folder / name).exists()}
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(Exit.usage, f"The files in {folder} cannot be read: {error}") from error


def _source(server: Server, named: str | None) -> dict[str, str]:
    if named is not None and not named.isdigit():
        return _files(Path(named))
    return server.get(f"/api/policy/versions/{named}" if named else "/api/policy")["files"]


def _json(text: str, option: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Failure(Exit.usage, f"{option} is not JSON: {error}") from error


def _refuse_broken(checked: Json) -> None:
    if not checked["valid"]:
        lines = [f"{p['file']}:{p['line']}:{p['column']}: {p['field']}: {p['message']}" for p in checked["problems"]]
        raise Failure(Exit.refused, "\n".join(lines), {"code": "bad_policy", "problems": checked["problems"]})


def _say_changes(changes: list[str]) -> None:
    for change in changes or ["Nothing changes."]:
        output.say(wording.line(change))


def _applied(version: Json) -> str:
    who = f"by {wording.line(version['applied_by']['name'])}" if version["applied_by"] else "at first start"
    return f"{wording.ago(version['applied_at'])} {who}"
