"""Many holds are one mail with a list, not a flood; what cannot wait does not."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from channel_fakes import MailFake
from channel_world import OTHERS, Office, office
from holds_world import shift_clock

WINDOW = 120


class Listing(MailFake):
    @property
    def settings(self) -> dict[str, Any]:
        return {**super().settings, "email_digest_seconds": WINDOW}


@pytest.fixture
async def at(database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Office]:
    monkeypatch.setitem(OTHERS, "email", Listing)
    async with office(database, "email") as made:
        yield made


def mails(at: Office) -> list[tuple[str, str]]:
    """Subject and text of each, in order."""
    fake = at.others["email"]
    assert isinstance(fake, MailFake)
    sent: list[Any] = [mail for _, mail in fake.sink.mail]
    return [(mail["Subject"], mail.get_body(("plain",)).get_content()) for mail in sent]


async def test_the_first_is_sent_at_once_and_those_that_follow_in_one_mail(at: Office) -> None:
    first = await at.open(title="First")
    await at.round()
    more = [await at.open(title=f"Deploy <b>{n}</b>\r\nBcc: x@example.org") for n in range(4)]
    await at.round()
    assert [subject for subject, _ in mails(at)] == [f"[medium] Your decision is needed: First ({first['short_id']})"]
    await shift_clock(at.desk.database, WINDOW)
    # two servers at the end of the wait send one mail
    await asyncio.gather(at.round(), at.round())
    await at.settle()
    [_, (subject, text)] = mails(at)
    assert subject == "[medium] 4 decisions are waiting for you"
    for hold in more:
        assert f"/holds/{hold['id']}" in text
        assert f"({hold['short_id']})" in text
        [told] = (await at.ann.get(f"/api/holds/{hold['id']}/deliveries")).json()["deliveries"]
        assert (told["channel"], told["status"]) == ("email", "delivered")
    assert "\nBcc:" not in text
    assert "hunter2" not in text
    # one link signs in; opening it decides nothing
    assert len(re.findall(r"#code=", text)) == 1
    assert "&next=/inbox" in text
    assert await at.round() == 0


async def test_what_cannot_wait_is_sent_at_once(at: Office) -> None:
    await at.open(title="First")
    await at.round()
    soon = await at.open(title="Soon", expires_in=WINDOW + 60)
    await at.round()
    assert [subject.partition(": ")[2] for subject, _ in mails(at)][1:] == [f"Soon ({soon['short_id']})"]


async def test_what_was_decided_while_it_waited_is_not_asked(at: Office) -> None:
    await at.open(title="First")
    await at.round()
    decided, open_ = await at.open(title="Decided"), await at.open(title="Open")
    await at.round()
    await at.review(at.ben, decided, "approve")
    await shift_clock(at.desk.database, WINDOW)
    await at.settle()
    [_, (subject, _)] = mails(at)
    assert subject == f"[medium] Your decision is needed: Open ({open_['short_id']})"


async def test_one_reply_closes_a_list_once_nothing_of_it_is_waiting(at: Office) -> None:
    await at.open(title="First")
    await at.round()
    held = [await at.open(title=f"Deploy {n}") for n in range(3)]
    await at.round()
    await shift_clock(at.desk.database, WINDOW)
    await at.settle()
    await at.review(at.ben, held[0], "approve")
    # what the reader decided needs no words
    await at.review(at.ann, held[1], "approve")
    await at.settle()
    assert len(mails(at)) == 2
    await at.review(at.ben, held[2], "reject", reason="no")
    await asyncio.gather(at.round(), at.round())
    await shift_clock(at.desk.database, 60)
    await at.settle()
    [_, _, (subject, text)] = mails(at)
    assert subject == "[closed] 2 holds are decided"
    assert "Approved by ben: Deploy 0" in text
    assert "Rejected by ben: Deploy 2" in text
    assert "Deploy 1" not in text


@pytest.mark.parametrize("fault", ["broken", "lost"])
async def test_a_mail_server_that_fails_delays_the_list_and_loses_nothing(at: Office, fault: Any) -> None:
    await at.open(title="First")
    await at.round()
    held = [await at.open(title=f"Deploy {n}") for n in range(2)]
    await at.round()
    await shift_clock(at.desk.database, WINDOW)
    at.others["email"].faults.append(fault)
    await at.settle()
    for hold in held:
        assert any(f"/holds/{hold['id']}" in text for _, text in mails(at))
        [told] = (await at.ann.get(f"/api/holds/{hold['id']}/deliveries")).json()["deliveries"]
        assert told["status"] == "delivered"
    assert len([subject for subject, _ in mails(at) if "2 decisions" in subject]) == (2 if fault == "lost" else 1)
