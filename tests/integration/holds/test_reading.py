"""Reading: everybody sees exactly what the contract lets them see, in order, without a gap between pages."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from feed_world import number_all
from holds_world import Add, opening

from handrail.core import authority, errors
from handrail.core.canonical import JsonObject
from handrail.core.holds import Hold, Kind, Status, Verdict
from handrail.core.people import Principal, PrincipalKind
from handrail.core.risk import Level
from handrail.feed.entries import Entry
from handrail.holds import commenting, deciding, reading, using
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import open_hold
from handrail.store import feed, pages
from handrail.store.pages import Filters

TASKS: list[JsonObject | None] = [
    None,
    {"operation": "read", "environment": "development"},
    {"operation": "deploy", "environment": "staging"},
    {"operation": "deploy", "environment": "production"},
    {"operation": "delete", "environment": "production"},
]


@pytest.fixture
async def viewers(add: Add) -> list[Principal]:
    return [
        await add("dev", "developer"),
        await add("lead", "team_lead"),
        await add("boss", "cto", "tech_lead"),
        await add("nobody"),
        await add("auditor", "auditor"),
        await add("admin", "administrator"),
        await add("agent", kind=PrincipalKind.agent),
        await add("service", kind=PrincipalKind.service),
    ]


async def populate(context: Context, viewers: list[Principal]) -> list[Hold]:
    chance = random.Random(7)
    holds: list[Hold] = []
    for n in range(60):
        fields: dict[str, Any] = {"task": chance.choice(TASKS), "case_id": chance.choice([None, "a", "b"])}
        fields["expires_in"] = chance.choice([None, timedelta(hours=1), timedelta(hours=2)])
        fields["starter"] = chance.choice([None, viewers[0].id, viewers[3].id])
        kind = chance.choice([Kind.approval, Kind.confirmation, Kind.review])
        hold = await open_hold(context, chance.choice(viewers), opening(kind, title=f"Hold {n}", **fields))
        if hold.pending and chance.random() < 0.4:
            opener = next(v for v in viewers if v.id == hold.opener)
            hold = await using.cancel(context, opener, hold.id, None)
        holds.append(hold)
    return holds


async def all_pages(context: Context, who: Principal, filters: Filters, size: int) -> list[Hold]:
    found: list[Hold] = []
    cursor: str | None = None
    while True:
        page = await reading.page(context, who, filters, cursor, size)
        found += page.holds
        if page.next is None:
            return found
        assert len(page.holds) == size
        cursor = page.next


def urgency(hold: Hold) -> tuple[int, float, str]:
    due = hold.expires_at.timestamp() if hold.expires_at else float("inf")
    return (-hold.assessment.level.rank, due, str(hold.id))


async def test_pages_hold_exactly_what_each_viewer_may_see(context: Context, viewers: list[Principal]) -> None:
    holds = await populate(context, viewers)
    for who in viewers:
        mine = [h for h in holds if authority.may_see(who, h)]
        pending = [h.id for h in sorted((h for h in mine if h.pending), key=urgency)]
        assert [h.id for h in await all_pages(context, who, Filters(), 7)] == pending, who.name
        newest = sorted(mine, key=lambda h: (h.opened_at, str(h.id)), reverse=True)
        assert [h.id for h in await all_pages(context, who, Filters(status=None), 7)] == [h.id for h in newest], (
            who.name
        )
        cancelled = [h.id for h in newest if h.status is Status.cancelled]
        assert [h.id for h in await all_pages(context, who, Filters(status=Status.cancelled), 7)] == cancelled, who.name


async def test_filters_narrow_what_is_seen(context: Context, viewers: list[Principal]) -> None:
    holds = await populate(context, viewers)
    admin, agent = viewers[5], viewers[6]
    tests: list[tuple[Principal, Filters, Callable[[Hold], bool]]] = [
        (admin, Filters(kind=Kind.review), lambda h: h.question.kind is Kind.review),
        (admin, Filters(level=Level.high), lambda h: h.assessment.level is Level.high),
        (admin, Filters(case_id="a"), lambda h: h.case_id == "a"),
        (viewers[0], Filters(mine=True), lambda h: viewers[0].id in h.requesters),
        (agent, Filters(mine=True), lambda h: h.opener == agent.id),
        (admin, Filters(text="HOLD 17"), lambda h: h.question.title == "Hold 17"),
        (admin, Filters(text="!:* ' & |"), lambda h: True),
        (admin, Filters(text="nothing of the kind"), lambda h: False),
    ]
    for who, filters, wanted in tests:
        expected = [h.id for h in sorted((h for h in holds if h.pending and wanted(h)), key=urgency)]
        found = [h.id for h in await all_pages(context, who, filters, 50)]
        assert found == expected, filters


@pytest.mark.parametrize("text", ["order-77", "77", "shop/api.v2", "eu-1", "EU"])
async def test_what_is_written_with_signs_is_found_as_it_is_written(context: Context, add: Add, text: str) -> None:
    admin = await add("admin", "administrator")
    hold = await open_hold(context, admin, opening(title="Refund order-77: shop/api.v2 (eu-1)"))
    await open_hold(context, admin, opening(title="Refund order-8"))
    assert [h.id for h in await all_pages(context, admin, Filters(text=text), 50)] == [hold.id]


async def test_counts_agree_with_the_pages(context: Context, viewers: list[Principal]) -> None:
    holds = await populate(context, viewers)
    counts = reading.Counts()
    for who in viewers:
        seen = [h.assessment.level for h in holds if h.pending and authority.may_see(who, h)]
        assert await counts.of(context, who, Filters()) == {level: seen.count(level) for level in Level}, who.name


@pytest.mark.parametrize("rare", [0, 3, 1000])
async def test_words_find_the_same_whether_few_holds_have_them_or_many(
    context: Context, viewers: list[Principal], monkeypatch: pytest.MonkeyPatch, rare: int
) -> None:
    monkeypatch.setattr(pages, "RARE", rare)
    holds = await populate(context, viewers)
    titles = [set(hold.question.title.split()) for hold in holds]
    for who in viewers:
        for text in ("hold", "hold 1", "5", "hold 17", "no such word"):
            fits = [all(any(w.lower().startswith(s) for w in words) for s in text.split()) for words in titles]
            mine = [h for h, fit in zip(holds, fits, strict=True) if fit and h.pending and authority.may_see(who, h)]
            found = await all_pages(context, who, Filters(text=text), 7)
            assert [h.id for h in found] == [h.id for h in sorted(mine, key=urgency)], (who.name, text)
            some = tuple(h.id for h in holds[::2])
            found = await all_pages(context, who, Filters(text=text, ids=some), 7)
            assert [h.id for h in found] == [h.id for h in sorted(mine, key=urgency) if h.id in some], (who.name, text)
            levels = [h.assessment.level for h in mine]
            counts = await reading.Counts().of(context, who, Filters(text=text))
            assert counts == {level: levels.count(level) for level in Level}, (who.name, text)
            high = await reading.Counts().of(context, who, Filters(text=text, level=Level.high))
            assert high == {**dict.fromkeys(Level, 0), Level.high: levels.count(Level.high)}, (who.name, text)


@pytest.mark.parametrize("cursor", ["x", "eyJ9", "WzFd", "WyJ1IixudWxsLG51bGwsbnVsbF0", "WyJuIiwieCIsInkiXQ", "é"])
async def test_a_malformed_cursor_is_said_to_be_one(context: Context, add: Add, cursor: str) -> None:
    who = await add("dev", "developer")
    with pytest.raises(errors.BadCursor):
        await reading.page(context, who, Filters(), cursor, 10)


async def test_comments_are_for_those_who_ask_and_those_who_decide(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    lead, auditor = await add("lead", "team_lead"), await add("auditor", "auditor")
    hold = await open_hold(context, agent, opening())
    await commenting.comment(context, lead, hold.id, "Which report?")
    await commenting.comment(context, agent, hold.id, "The weekly one.")
    with pytest.raises(errors.Forbidden):
        await commenting.comment(context, auditor, hold.id, "I only read.")
    said = await commenting.comments_on(context, auditor, hold.id)
    assert [(c.by.name, c.text) for c in said] == [("lead", "Which report?"), ("agent", "The weekly one.")]


async def test_a_hold_that_one_may_not_see_does_not_exist(context: Context, add: Add) -> None:
    agent = await add("agent", kind=PrincipalKind.agent)
    other = await add("other", kind=PrincipalKind.agent)
    hold = await open_hold(context, agent, opening())
    with pytest.raises(errors.NotFound):
        await reading.get(context, other, hold.id)
    with pytest.raises(errors.NotFound):
        await deciding.review(context, other, hold.id, Say(Verdict.approve, hold.digest))


async def test_the_log_shows_everybody_the_holds_that_the_lists_show_them(
    context: Context, viewers: list[Principal]
) -> None:
    """One rule in four forms: of a hold, of an entry, and of both in SQL."""
    holds = await populate(context, viewers)
    await number_all(context.database)
    async with context.database.connection() as conn:
        entries = [Entry.of(row) for row in await feed.read(conn, 0, 1000)]
        for viewer in viewers:
            seen = {hold.id for hold in holds if authority.may_see(viewer, hold)}
            listed = {row["hold_id"] for row in await feed.read(conn, 0, 1000, viewer=viewer)}
            assert {entry.hold_id for entry in entries if entry.visible_to(viewer)} == seen, viewer.name
            assert listed == seen, viewer.name
            assert sum((await pages.count(conn, viewer, Filters(status=None))).values()) == len(seen), viewer.name
