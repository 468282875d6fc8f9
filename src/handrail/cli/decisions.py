"""Commands that say something on a hold: approve, reject, amend, respond, answer, withdraw, cancel, comment."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from handrail.cli import answers, lookup, output, packs, wording
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure
from handrail.cli.inbox import Id

app = typer.Typer()

Json = dict[str, Any]

Reason = Annotated[
    str | None, typer.Option("--reason", "--justification", "-r", help="Why; required for critical actions.")
]
For = Annotated[str | None, typer.Option("--for", help="Who is away, if you decide for them.", metavar="PERSON")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]


@client(app)
def approve(
    server: Server,
    id: Id,
    reason: Reason = None,
    yes: Yes = False,
    target: Annotated[
        str | None, typer.Option(help="With --yes, a critical action's target (or its name, where it has none).")
    ] = None,
    for_: For = None,
) -> None:
    """Approve a hold. Shows what will happen, asks, and decides on exactly what it showed."""
    hold, seen = _waiting(server, id, "approve"), None
    if hold["risk"] == "critical":
        seen = _type_target(server, hold, target, yes=yes)
    elif not yes:
        seen = _ask(server, hold, "Approve?")
    if hold["requirements"]["justification"] and not reason and not yes:
        reason = _prompt("Why? The policy requires a justification:", "--reason")
    _review(server, hold, _all_items(hold, approved=True) or {"verdict": "approve"}, reason, for_, seen)


@client(app)
def reject(server: Server, id: Id, reason: Reason = None, yes: Yes = False, for_: For = None) -> None:
    """Reject a hold. The action will not happen."""
    hold = _waiting(server, id, "reject")
    seen = None if yes else _ask(server, hold, "Reject?")
    _review(server, hold, _all_items(hold, approved=False) or {"verdict": "reject"}, reason, for_, seen)


@client(app)
def amend(
    server: Server,
    id: Id,
    changes: Annotated[list[str], typer.Argument(metavar="NAME=VALUE…", help="The new arguments, as JSON.")],
    reason: Reason = None,
    yes: Yes = False,
    for_: For = None,
) -> None:
    """Change the arguments of a hold's action. Its risk is assessed again, and earlier approvals are void."""
    hold = _waiting(server, id, "amend")
    if not hold["action"]:
        raise Failure(Exit.refused, "This hold has no action to amend. Approve, reject or answer it.")
    action = {**hold["action"], "args": {**hold["action"]["args"], **dict(map(_change, changes))}}
    seen = None
    if not yes:
        output.say(f"{wording.effect({**hold, 'action': action})}\n", err=True)
        seen = _ask(server, hold, "Amend this to the above?")
    _review(server, hold, {"verdict": "amend", "amended_action": action}, reason, for_, seen)


def _change(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise Failure(Exit.usage, f"{text!r} changes nothing: write it like amount=240.")
    return name, answers.typed({"type": "any"}, value)


@client(app)
def respond(
    server: Server,
    id: Id,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="What the agent reads; - reads standard input.")
    ] = None,
    for_: For = None,
) -> None:
    """Respond with words in place of yes or no, where the agent takes them. Nothing runs."""
    hold = _waiting(server, id, "respond")
    if not hold["takes_response"]:
        raise Failure(Exit.refused, "The agent takes no response here. Approve or reject it, or comment.")
    seen = _show(server, hold) if text is None else None
    said = answers.value(None, text)
    _review(server, hold, {"verdict": "respond", "answer": said}, None, for_, seen)


@client(app)
def answer(
    server: Server,
    id: Id,
    text: Annotated[
        str | None, typer.Argument(metavar="[ANSWER]", help="The answer; JSON if the hold has a schema.")
    ] = None,
    approve: Annotated[list[str] | None, typer.Option(metavar="ITEM", help="In a batch: approve this item.")] = None,
    reject: Annotated[list[str] | None, typer.Option(metavar="ITEM", help="In a batch: reject this item.")] = None,
    reason: Reason = None,
    for_: For = None,
) -> None:
    """Answer a question, or decide a batch. Asks for what is not given."""
    hold = _waiting(server, id, "answer")
    if hold["items"]:
        _show(server, hold)
        said = answers.items(hold, approve or [], reject or [], reason)
        _review(server, hold, {"verdict": "answer", "items": said}, reason, for_)
        return
    if hold["kind"] != "input":
        raise Failure(Exit.usage, f"This is not a question but a {hold['kind']}. Use `handrail approve` or `reject`.")
    if text is None:
        _show(server, hold)
    _review(server, hold, {"verdict": "answer", "answer": answers.value(hold["schema"], text)}, reason, for_)


@client(app)
def withdraw(server: Server, id: Id, reason: Reason = None) -> None:
    """Withdraw your approval. Possible until the action starts."""
    hold = server.post(f"/api/holds/{lookup.hold(server, id)['id']}/withdraw", {"reason": reason})
    _tell(server, hold, f"Withdrawn. The hold is {wording.decision(hold)}.")


@client(app)
def cancel(server: Server, id: Id, reason: Reason = None) -> None:
    """Cancel a hold that you opened, or whose run you started."""
    hold = server.post(f"/api/holds/{lookup.hold(server, id)['id']}/cancel", {"reason": reason})
    _tell(server, hold, "Cancelled. No one needs to decide it any more.")


@client(app)
def comment(
    server: Server,
    id: Id,
    text: Annotated[str | None, typer.Argument(help="What to say; omit to list the comments.")] = None,
) -> None:
    """Comment or ask a question without deciding. Without a text, list the comments."""
    place = f"/api/holds/{lookup.hold(server, id)['id']}/comments"
    said = server.post(place, {"text": text}) if text else server.get(place)
    if server.as_json:
        output.as_json(said)
        return
    if text:
        output.say("Said.")
        return
    for one in said["comments"]:
        output.say(f"{wording.line(one['by']['name'])}, {wording.ago(one['at'])}: {wording.plain(one['text'])}")


def _waiting(server: Server, id: str, verb: str) -> Json:
    """The hold, if it still waits; no question is asked about one that is decided."""
    hold = lookup.hold(server, id)
    made = hold["decision"]
    if made:
        data = {"outcome": made["outcome"], "basis": made["basis"], "decided_by": made["by"], "decided_at": made["at"]}
        data |= {"on_behalf_of": made["on_behalf_of"]} if made["on_behalf_of"] else {}
        detail = f"Already {wording.decision(hold)}."
        raise Failure(Exit.conflict, detail, {"code": "already_decided", "detail": detail, "data": data})
    if hold["kind"] == "input" and verb != "answer":
        raise Failure(Exit.usage, f"This hold asks a question. Use `handrail answer {hold['short_id']}`.")
    return hold


def _show(server: Server, hold: Json) -> str:
    """The hash of the pack that was printed."""
    # on stderr, so that the answer alone is on stdout
    output.card(hold, server.get(f"/api/holds/{hold['id']}/comments")["comments"], err=True)
    pack = server.get(f"/api/holds/{hold['id']}/pack")
    output.say("", err=True)
    for line in packs.lines(pack):
        output.say(line, err=True)
    output.say("", err=True)
    return pack["hash"]


def _ask(server: Server, hold: Json, question: str) -> str:
    seen = _show(server, hold)
    if _prompt(f"{question} [y/N]").lower() not in {"y", "yes"}:
        raise Failure(Exit.refused, "Nothing was decided.", {"code": "declined", "detail": "Nothing was decided."})
    return seen


def _type_target(server: Server, hold: Json, given: str | None, *, yes: bool) -> str | None:
    """A critical approval needs the name of what it touches, typed by a person who read it."""
    action = hold["action"] or {"target": None, "name": hold["title"]}
    name = wording.line(action["target"] or action["name"])
    seen = None if yes else _show(server, hold)
    if not yes:
        given = _prompt(f"This is critical. Type {name} to approve:", "--yes and --target")
    if given != name:
        said = f"{given!r} is not" if given else "A critical approval needs --target with"
        raise Failure(Exit.usage, f"{said} the name of what it touches, {name!r}. Nothing was decided.")
    return seen


def _prompt(question: str, instead: str = "--yes") -> str:
    output.say(question, err=True)
    try:
        return input().strip()
    except EOFError as error:
        raise Failure(
            Exit.usage,
            f"This is not an interactive terminal, so nothing was decided. Give {instead} to decide without a prompt.",
        ) from error


def _all_items(hold: Json, *, approved: bool) -> Json | None:
    """A batch is decided item by item, so one word for it is that word for each."""
    items = [{"item_id": item["item_id"], "approved": approved} for item in hold["items"]]
    return {"verdict": "answer", "items": items} if items else None


def _review(
    server: Server, hold: Json, said: Json, reason: str | None, for_: str | None, seen: str | None = None
) -> None:
    body = {**said, "digest": hold["digest"], "reason": reason, "pack": seen}
    body |= {"on_behalf_of": _absent(hold, for_)} if for_ else {}
    after = server.post(f"/api/holds/{hold['id']}/reviews", body)
    absent = after["reviews"][-1]["on_behalf_of"] if after["reviews"] else None
    whom = f" for {wording.line(absent['name'])}" if absent else ""
    if after["status"] == "pending":
        _tell(server, after, f"Recorded{whom}. Still pending: needs {wording.needs(after)}.")
    else:
        _tell(server, after, f"{after['status'].capitalize()}{whom}: {wording.line(after['title'])}")


def _absent(hold: Json, named: str) -> str:
    """The id of somebody for whom this hold can be decided, by name or id."""
    able = hold["may_decide"]["stands_in_for"]
    found = [one["id"] for one in able if named in (one["id"], one["name"])]
    if not found:
        names = ", ".join(wording.line(one["name"]) for one in able) or "nobody"
        raise Failure(Exit.refused, f"You cannot decide this for {named}. You can decide it for: {names}.")
    return found[0]


def _tell(server: Server, hold: Json, text: str) -> None:
    if server.as_json:
        output.as_json(hold)
    else:
        output.say(text)
