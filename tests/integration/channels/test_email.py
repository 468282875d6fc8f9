"""Notices by mail: to each person once, with a link that signs in once, and nothing of an agent's text at work."""

from __future__ import annotations

import asyncio
import email
import re
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from typing import Any

import httpx
from aiosmtpd.smtp import SMTP, Envelope, Session
from apps import Desk, desk
from holds_world import shift_clock

from handrail.channels import delivering
from handrail.policy import default_policy
from handrail.policy.loading import APPROVALS

URL = "http://127.0.0.1:8400"
HOLD: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy\r\nBcc: all@example.org <script>alert(1)</script>",
    "action": {"name": "deploy", "args": {"version": "1.2", "db": {"password": "hunter2"}}, "target": "staging"},
    "task": {"operation": "deploy", "environment": "staging"},
}


@dataclass
class Sink:
    """A mail server that keeps what it gets, and refuses mail to those in `refused`."""

    mail: list[tuple[str, EmailMessage]] = field(default_factory=list[tuple[str, EmailMessage]])
    refused: set[str] = field(default_factory=set[str])
    port: int = 0

    def __post_init__(self) -> None:
        with socket.socket() as reserved:
            reserved.bind(("127.0.0.1", 0))
            self.port = reserved.getsockname()[1]

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        [to] = envelope.rcpt_tos
        if to in self.refused:
            return "451 later"
        assert isinstance(envelope.content, bytes)
        message = email.message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.mail.append((to, message))
        return "250 OK"

    @asynccontextmanager
    async def serving(self) -> AsyncGenerator[None]:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: SMTP(self, hostname="sink", loop=loop), "127.0.0.1", self.port)
        try:
            yield
        finally:
            server.close()


@dataclass(frozen=True)
class Office:
    desk: Desk
    sink: Sink
    bot: httpx.AsyncClient

    async def open(self) -> str:
        return (await self.bot.post("/api/holds", json=HOLD)).raise_for_status().json()["id"]

    async def deliver(self) -> int:
        services = self.desk.app.state.services
        async with delivering.opened(services.database, services.settings) as senders:
            return await delivering.deliver(services.context, senders)

    async def of(self, hold: str) -> dict[str, Any]:
        [one] = (await self.bot.get(f"/api/holds/{hold}/deliveries")).raise_for_status().json()["deliveries"]
        return one


@asynccontextmanager
async def office(database: str, addresses: tuple[str, ...] = ("ann", "ben")) -> AsyncGenerator[Office]:
    sink = Sink()
    options = {"smtp_url": f"smtp://127.0.0.1:{sink.port}", "email_from": "handrail@example.org", "public_url": URL}
    async with desk(database, **options) as at:
        for name in ("ann", "ben"):
            body = {"name": name, "roles": ["team_lead"]}
            body |= {"email": f"{name}@example.org"} if name in addresses else {}
            (await at.admin.post("/api/people", json=body)).raise_for_status()
        yield Office(at, sink, await at.member("bot", "agent"))


def part(message: EmailMessage, kind: str) -> str:
    found = message.get_body((kind,))
    assert found is not None
    return found.get_content()


async def test_each_approver_gets_a_message_and_the_hold_shows_it(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        hold = await at.open()
        assert await at.deliver() == 1
        assert [to for to, _ in at.sink.mail] == ["ann@example.org", "ben@example.org"]
        one = await at.of(hold)
        assert (one["status"], one["channel"]) == ("delivered", "email")
        for to, message in at.sink.mail:
            assert (message["To"], message["From"]) == (to, "handrail@example.org")
            assert one["id"] in message["Message-ID"]
            assert f"/holds/{hold}" in part(message, "plain")
            assert f"/holds/{hold}" in part(message, "html")


async def test_hostile_text_adds_no_header_and_no_markup_and_secrets_stay_at_home(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        await at.open()
        await at.deliver()
        _, message = at.sink.mail[0]
        assert message["Bcc"] is None
        assert "Bcc: all@example.org" in message["Subject"]
        assert "<script>" not in part(message, "html")
        assert "&lt;script&gt;" in part(message, "html")
        assert "hunter2" not in message.as_string()
        assert "[redacted]" in part(message, "plain")


async def test_the_link_signs_in_once_and_decides_nothing(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        hold = await at.open()
        await at.deliver()
        found = re.search(rf"{URL}/sign-in#code=(\S+?)&next=/holds/(\S+)", part(at.sink.mail[0][1], "plain"))
        assert found is not None
        assert found[2] == hold
        stranger = at.desk.client()
        assert (await stranger.post("/api/sign-in", json={"code": found[1]})).json()["name"] == "ann"
        assert (await at.desk.client().post("/api/sign-in", json={"code": found[1]})).status_code == 401
        assert (await at.bot.get(f"/api/holds/{hold}")).json()["status"] == "pending"


async def test_who_has_had_it_is_not_sent_it_again(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        at.sink.refused.add("ben@example.org")
        hold = await at.open()
        await at.deliver()
        one = await at.of(hold)
        assert one["status"] == "queued"
        assert "example.org" not in one["last_error"]
        at.sink.refused.clear()
        await shift_clock(at.desk.database, delivering.FIRST_PAUSE_SECONDS)
        await at.deliver()
        assert [to for to, _ in at.sink.mail] == ["ann@example.org", "ben@example.org"]
        assert (await at.of(hold))["status"] == "delivered"


async def test_a_mail_server_that_is_away_gets_it_when_it_is_back(database: str) -> None:
    async with office(database) as at:
        hold = await at.open()
        await at.deliver()
        assert "did not take it" in (await at.of(hold))["last_error"]
        await shift_clock(at.desk.database, delivering.FIRST_PAUSE_SECONDS)
        async with at.sink.serving():
            await at.deliver()
        assert len(at.sink.mail) == 2


async def test_where_nobody_has_an_address_the_next_channel_is_used_at_once(database: str) -> None:
    async with office(database, addresses=()) as at:
        files = dict(default_policy().source)
        files[APPROVALS] = files[APPROVALS].replace("[slack, email, webhook]", "[email, web]")
        (await at.desk.admin.post("/api/policy", json={"files": files})).raise_for_status()
        hold = await at.open()
        await at.deliver()
        await at.deliver()
        one = await at.of(hold)
        assert (one["status"], one["channel"]) == ("delivered", "web")


async def test_only_an_address_is_an_address(database: str) -> None:
    async with office(database) as at:
        for bad in ("ann", "ann@example.org\r\nBcc: x@y.z", "a@b.c, d@e.f", "<a@b.c>"):
            answer = await at.desk.admin.post("/api/people", json={"name": "new", "email": bad})
            assert (answer.status_code, answer.json()["code"]) == (422, "invalid_field"), bad


async def test_erasing_a_person_takes_their_address_and_notices(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        hold = await at.open()
        await at.deliver()
        everybody = (await at.desk.admin.get("/api/people")).json()["people"]
        ann = next(one["id"] for one in everybody if one["name"] == "ann")
        (await at.desk.admin.patch(f"/api/people/{ann}", json={"active": False})).raise_for_status()
        (await at.desk.admin.post(f"/api/people/{ann}/erase")).raise_for_status()
        assert "ann@example.org" not in (await at.desk.admin.get("/api/people")).text
        assert (await at.bot.get(f"/api/holds/{hold}/deliveries")).json()["deliveries"] == []
