"""Erase what a person wrote and was called, without breaking the proof of what happened."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from handrail.core import audit, errors
from handrail.core.audit import Signer
from handrail.core.audit_events import AuditErased
from handrail.core.callers import Caller, Scope
from handrail.core.events import of
from handrail.core.holds import Hold
from handrail.store import clock, deliveries, erasure, events, holds, people, sealed
from handrail.store.database import Database
from handrail.store.deliveries import Delivery

# fields of an event's data in which people write freely
FREE_TEXT = ("reason", "text", "answer", "detail", "label", "subject")
# entries per erasure event; more of them make more events
MOST_ENTRIES = 1000


@dataclass(frozen=True, slots=True)
class Erasure:
    name: str
    entries: int


async def erase(database: Database, caller: Caller, principal_id: UUID, signer: Signer) -> Erasure:
    """Gives an inactive principal a name that says nothing and empties what they wrote; again, it finds what is new."""
    caller.require(Scope.administer)
    async with database.transaction() as conn:
        account = await people.lock(conn, principal_id)
        if account is None:
            raise errors.NotFound(f"There is no principal {principal_id}.")
        if account.principal.active:
            raise errors.Conflict(f"{account.principal.name!r} is still active: deactivate them first, then erase.")
        name = f"erased-{principal_id.hex[-12:]}"
        now = await clock.now(conn)
        await erasure.stop_the_log(conn)
        entries = _emptied(await erasure.data_of(conn, "events", principal_id), name)
        await erasure.replace_entries(conn, entries)
        await erasure.replace_waiting(conn, _emptied(await erasure.data_of(conn, "event_inbox", principal_id), name))
        for hold in await erasure.holds_with(conn, principal_id):
            await holds.rewrite(conn, without_words_of(hold, principal_id))
            if hold.decision is not None and hold.decision.by == principal_id:
                await sealed.delete(conn, hold.id)
        for revision in await erasure.revisions_with(conn, principal_id):
            await holds.rewrite_revision(conn, without_words_of(revision, principal_id))
        await erasure.empty_texts(conn, principal_id, name)
        for notice in await deliveries.with_person(conn, principal_id):
            await deliveries.rewrite(conn, without_recipient(notice, principal_id))
        listed = sorted(entries)
        for first in range(0, max(len(listed), 1), MOST_ENTRIES):
            part = {seq: entries[seq] for seq in listed[first : first + MOST_ENTRIES]}
            stated = audit.erasure(signer, str(principal_id), part)
            await events.append(conn, [of(AuditErased, stated, caller.principal.id)], now)
    return Erasure(name, len(entries))


def _emptied(found: Sequence[tuple[int, str]], name: str) -> dict[int, str]:
    """The new texts of those that change."""
    before = {key: json.loads(text) for key, text in found}
    after = {key: emptied(data, name) for key, data in before.items()}
    return {key: json.dumps(data, ensure_ascii=False) for key, data in after.items() if data != before[key]}


def emptied(data: dict[str, Any], name: str) -> dict[str, Any]:
    """An event's data without free text, and with another name."""
    kept = {key: None if key in FREE_TEXT else value for key, value in data.items()}
    if isinstance(data.get("items"), list):
        kept["items"] = [{**item, "reason": None} for item in data["items"]]
    return kept | ({"name": name} if "name" in data else {})


def without_recipient(notice: Delivery, principal_id: UUID) -> Delivery:
    """A queued notification, as if it had never been addressed to them."""
    body = json.loads(notice.body)
    body["data"]["people"] = [who for who in body["data"]["people"] if who["id"] != str(principal_id)]
    people = tuple(who for who in notice.people if who != principal_id)
    return replace(notice, people=people, body=json.dumps(body, ensure_ascii=False))


def without_words_of(hold: Hold, principal_id: UUID) -> Hold:
    """The hold without the reasons, answers and results of this principal; the verdicts stay."""
    reviews = tuple(replace(r, reason=None) if r.by == principal_id else r for r in hold.reviews)
    decision = hold.decision
    if decision is not None and decision.by == principal_id:
        items = tuple(replace(item, reason=None) for item in decision.items)
        decision = replace(decision, reason=None, answer=None, items=items)
    result = hold.result
    if result is not None and hold.redemption is not None and hold.redemption.by == principal_id:
        result = replace(result, detail=None)
    return replace(hold, reviews=reviews, decision=decision, result=result)
