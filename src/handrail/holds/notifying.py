"""Queue notices about a hold, in the transaction of what they tell."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from handrail.core import authority, canonical, ids
from handrail.core.canonical import Json, JsonObject
from handrail.core.holds import Hold, Review
from handrail.core.people import Principal
from handrail.holds import choosing, gathering
from handrail.policy import Policy
from handrail.policy.model import Route
from handrail.policy.patterns import normalise
from handrail.store import absences, choices, people
from handrail.store.database import Connection
from handrail.store.deliveries import Delivery

# whoever looks into the inbox has been told by these
INBOXES = frozenset({"web", "cli"})
# events after which people have something to do
REMINDED = "hold.reminded"
TELLING = frozenset({"hold.opened", "hold.amended", "hold.escalated", "hold.reopened", REMINDED})


@dataclass(frozen=True, slots=True)
class Comment:
    by: Principal
    text: str
    id: int


async def notify(
    conn: Connection, policy: Policy, set_up: frozenset[str], hold: Hold, event: str, now: datetime
) -> None:
    """One notice for each route of the hold's level that has a channel which is set up."""
    for name, channels in _routes(policy, set_up, hold) if hold.pending else ():
        told = await _recipients(conn, policy, policy.routes[name], hold, now)
        if event == REMINDED:
            told = [who for who in told if all(who.id != review.by for review in hold.reviews)]
        await _queue(conn, policy, set_up, _Sent(name, channels, event, now), hold, told)


async def notify_of_comment(
    conn: Connection, policy: Policy, set_up: frozenset[str], hold: Hold, comment: Comment, now: datetime
) -> None:
    """Tell the other side: who asked hears of a reviewer's words, and reviewers of an answer.

    An agent reads comments on its hold from the feed; where nobody else asked, nobody is told.
    """
    from_requester = comment.by.id in hold.requesters
    asked = [] if from_requester else await people.persons(conn, hold.requesters)
    for name, channels in _routes(policy, set_up, hold):
        told = await _recipients(conn, policy, policy.routes[name], hold, now) if from_requester else asked
        others = [who for who in told if who.id != comment.by.id]
        if others:
            text = policy.redact_text(comment.text, beside(hold))
            said: JsonObject = {"comment": {"id": comment.id, "by": comment.by.name, "text": text}}
            await _queue(conn, policy, set_up, _Sent(name, channels, "hold.commented", now, said), hold, others)


def _routes(policy: Policy, set_up: frozenset[str], hold: Hold) -> Iterable[tuple[str, tuple[str, ...]]]:
    for name in policy.levels[hold.assessment.level].notify:
        route = policy.routes[name]
        channels = tuple(channel for channel in route.channels if channel in set_up)
        if channels and _is_for(route, hold):
            yield name, channels


def _is_for(route: Route, hold: Hold) -> bool:
    """Whether the route is for holds of this case and team."""
    if route.cases is not None and (hold.case_id is None or normalise(hold.case_id) not in route.cases):
        return False
    needed = hold.assessment.requirements
    return not route.teams or any(group <= route.teams for group in (needed.roles, *needed.required))


async def _recipients(conn: Connection, policy: Policy, route: Route, hold: Hold, now: datetime) -> list[Principal]:
    roles = route.to - {"approvers", "on_call"}
    told = {who.id: who for who in await people.with_roles(conn, roles)}
    if "approvers" in route.to:
        able = await people.with_roles(conn, hold.assessment.requirements.roles)
        able = [who for who in able if authority.refusal(who, hold) is None]
        told |= {who.id: who for who in await _present(conn, able, hold)}
    if "on_call" in route.to:
        names = policy.schedule.on_call(now).values()
        told |= {who.id: who for who in await people.persons_called(conn, names)}
    return [told[id_] for id_ in sorted(told)]


async def _present(conn: Connection, able: list[Principal], hold: Hold) -> list[Principal]:
    """Those who are not away; and for each who is, whoever decides this hold for them. One for whom nobody does is
    notified like everybody else."""
    away: set[UUID] = set()
    others: list[Principal] = []
    for stand_in_id, absent in await absences.stood_in_by(conn, [who.id for who in able]):
        for stand_in in await people.persons(conn, {stand_in_id}):
            if authority.refusal(stand_in, hold, absent) is None:
                away.add(absent.id)
                others.append(stand_in)
    return [*(who for who in able if who.id not in away), *others]


@dataclass(frozen=True, slots=True)
class _Sent:
    """What goes by a route: `more` is what a notice says besides the hold."""

    route: str
    channels: tuple[str, ...]
    event: str
    now: datetime
    more: JsonObject = field(default_factory=dict[str, Json])


async def _queue(
    conn: Connection, policy: Policy, set_up: frozenset[str], sent: _Sent, hold: Hold, told: list[Principal]
) -> None:
    """One notice, or several where people of the route chose differently."""
    chosen = await choices.of_people(conn, [who.id for who in told]) if told else {}
    for share in choosing.shares(sent.channels, told, chosen, set_up, hold, sent.event, sent.now):
        data: JsonObject = {
            "hold": shown(policy, hold),
            "route": sent.route,
            "people": [{"id": str(who.id), "name": who.name} for who in share.people],
            **sent.more,
        }
        body = json.dumps({"type": sent.event, "timestamp": sent.now.isoformat(), "data": data}, ensure_ascii=False)
        people_ids = tuple(who.id for who in share.people)
        new = Delivery(
            ids.fresh(), hold.id, sent.event, sent.route, share.channels, people_ids, body, sent.now, share.at
        )
        await gathering.queue(conn, hold, new)


def face(hold: Hold) -> str:
    """What a message outside can say of the hold, in short: with another face, it is out of date."""
    needed = hold.assessment.requirements
    return canonical.sha256(
        {
            "status": hold.status.value,
            "revision": hold.revision,
            "level": hold.assessment.level.value,
            "needed": [needed.approvals, *sorted(needed.roles)],
            "expires_at": hold.expires_at.isoformat() if hold.expires_at else None,
            "reviews": [f"{review.by} {review.verdict}{_for(review)}" for review in hold.reviews],
            "decided_at": hold.decision.at.isoformat() if hold.decision else None,
        }
    )


def _for(review: Review) -> str:
    return f" for {review.on_behalf_of}" if review.on_behalf_of else ""


def beside(hold: Hold) -> JsonObject:
    return hold.question.action.args if hold.question.action else {}


def shown(policy: Policy, hold: Hold) -> JsonObject:
    """What leaves the house: what the policy calls sensitive is blotted out, and evidence stays at home."""
    question = hold.question
    action = question.action

    def blotted(text: str | None) -> str | None:
        return policy.redact_text(text, beside(hold)) if text else text

    return {
        "id": str(hold.id),
        "short_id": hold.short_id,
        "kind": question.kind.value,
        "title": blotted(question.title),
        "description": blotted(hold.description),
        "risk": hold.assessment.level.value,
        "action": action
        and {"name": action.name, "args": policy.redact(action.args), "target": blotted(action.target)},
        "case_id": hold.case_id,
        "run_id": str(hold.run_id) if hold.run_id else None,
        "digest": hold.digest,
        "revision": hold.revision,
        "opened_at": hold.opened_at.isoformat(),
        "expires_at": hold.expires_at.isoformat() if hold.expires_at else None,
    }
