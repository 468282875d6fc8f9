"""Notices by mail: to each person once, with a link that signs in once, and nothing of an agent's text at work."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword
from apps import Desk, desk
from holds_world import shift_clock
from mail_sink import Sink, certificate

from handrail.channels import delivering, pauses
from handrail.policy import default_policy
from handrail.policy.loading import APPROVALS

URL = "http://127.0.0.1:8400"
HOLD: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy\r\nBcc: all@example.org <script>alert(1)</script>",
    "action": {"name": "deploy", "args": {"version": "1.2", "db": {"password": "hunter2"}}, "target": "staging"},
    "task": {"operation": "deploy", "environment": "staging"},
}


@dataclass(frozen=True)
class Office:
    desk: Desk
    sink: Sink
    bot: httpx.AsyncClient

    async def open(self, **more: Any) -> str:
        return (await self.bot.post("/api/holds", json={**HOLD, **more})).raise_for_status().json()["id"]

    async def deliver(self) -> int:
        services = self.desk.app.state.services
        async with delivering.opened(services.context, services.settings) as senders:
            return await delivering.deliver(services.context, senders)

    async def of(self, hold: str) -> dict[str, Any]:
        [one] = (await self.bot.get(f"/api/holds/{hold}/deliveries")).raise_for_status().json()["deliveries"]
        return one


@asynccontextmanager
async def office(
    database: str,
    addresses: tuple[str, ...] = ("ann", "ben"),
    sink: Sink | None = None,
    url: str | None = None,
    link: timedelta = timedelta(days=7),
) -> AsyncGenerator[Office]:
    """`url` is the sink's, with scheme and login; `link` how long a link lives at most."""
    sink = sink or Sink()
    smtp = url or f"smtp://{sink.host}:{sink.port}"
    options = {"email_from": "handrail@example.org", "public_url": URL, "mail_link_seconds": link.total_seconds()}
    async with desk(database, smtp_url=smtp, **options) as at:
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
        found = re.search(rf"{URL}/sign-in#code=(\S+?)&by=mail&next=/holds/(\S+)", part(at.sink.mail[0][1], "plain"))
        assert found is not None
        assert found[2] == hold
        stranger = at.desk.client()
        assert (await stranger.post("/api/sign-in", json={"code": found[1]})).json()["name"] == "ann"
        assert (await at.desk.client().post("/api/sign-in", json={"code": found[1]})).status_code == 401
        assert (await at.bot.get(f"/api/holds/{hold}")).json()["status"] == "pending"


@pytest.mark.parametrize(
    ("expires_in", "longest", "life"),
    [
        (7200, timedelta(days=7), timedelta(hours=2)),
        (7200, timedelta(hours=1), timedelta(hours=1)),
        (60, timedelta(days=7), timedelta(minutes=15)),
    ],
)
async def test_the_link_lives_as_long_as_the_hold_can_be_decided(
    database: str, expires_in: float, longest: timedelta, life: timedelta
) -> None:
    async with office(database, addresses=("ann",), link=longest) as at, at.sink.serving():
        await at.open(expires_in=expires_in)
        await at.deliver()
        async with at.desk.database.connection() as conn:
            found = await conn.execute("SELECT expires_at - handrail_now() AS life FROM sign_in_codes")
            row = await found.fetchone()
        assert row is not None
        assert life - timedelta(minutes=1) < row["life"] <= life


async def test_a_hold_that_was_decided_meanwhile_asks_nobody(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        hold = await at.open()
        (await at.bot.post(f"/api/holds/{hold}/cancel", json={})).raise_for_status()
        await at.deliver()
        assert at.sink.mail == []
        assert (await at.bot.get(f"/api/holds/{hold}/deliveries")).json()["deliveries"] == []
        [said] = [one for one in await at.desk.events() if one["type"].startswith("delivery.")]
        assert (said["type"], said["data"]["channel"]) == ("delivery.overtaken", "email")


OFFICE = "127.0.0.2"  # loopback, and yet not the address of this machine: TLS is demanded


def let_in(server: object, session: object, envelope: object, mechanism: str, login: object) -> AuthResult:
    assert isinstance(login, LoginPassword)
    return AuthResult(success=(login.login, login.password) == (b"user@office", b"s3cret/"), handled=False)


LOGIN: dict[str, Any] = {"authenticator": let_in, "auth_required": True}


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_mail_goes_through_tls_and_login(
    database: str, scheme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = Sink(host=OFFICE)
    trusted, context = certificate(tmp_path, OFFICE)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    starttls = {"tls_context": context, "require_starttls": True}
    options = {**LOGIN, **(starttls if scheme == "smtp" else {"auth_require_tls": False})}
    url = f"{scheme}://user%40office:s3cret%2F@{OFFICE}:{sink.port}"
    async with (
        office(database, sink=sink, url=url) as at,
        sink.serving(context if scheme == "smtps" else None, **options),
    ):
        hold = await at.open()
        await at.deliver()
        assert [to for to, _ in sink.mail] == ["ann@example.org", "ben@example.org"]
        assert (await at.of(hold))["status"] == "delivered"


@pytest.mark.parametrize("fault", ["no tls", "unknown certificate", "wrong password"])
async def test_mail_is_not_sent_where_it_would_not_be_safe(
    database: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = Sink(host=OFFICE)
    trusted, context = certificate(tmp_path, OFFICE)
    if fault != "unknown certificate":
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    # without TLS, a server that takes mail of anybody
    options: dict[str, Any] = {} if fault == "no tls" else {"tls_context": context, **LOGIN}
    login = {"no tls": "", "wrong password": "user%40office:wrong@"}.get(fault, "user%40office:s3cret%2F@")
    url = f"smtp://{login}{OFFICE}:{sink.port}"
    async with office(database, sink=sink, url=url) as at, sink.serving(**options):
        hold = await at.open()
        await at.deliver()
        one = await at.of(hold)
        # a refused login is refused for good
        assert (one["status"], sink.mail) == ("dead" if fault == "wrong password" else "queued", [])
        assert "did not accept it" in one["last_error"]
        assert not any(secret in one["last_error"] for secret in ("s3cret", "wrong", "user", OFFICE))


async def test_who_is_on_call_is_told(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        files = dict(default_policy().source)
        turns = "on_call: [{role: cto, people: [Ben], start: 2026-01-01}]"
        # no business hours today or tomorrow
        other_day = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[(datetime.now(UTC).weekday() + 3) % 7]
        files[APPROVALS] = files[APPROVALS].replace("on_call: []", turns)
        files[APPROVALS] = files[APPROVALS].replace("[mon, tue, wed, thu, fri]", f"[{other_day}]")
        files[APPROVALS] = files[APPROVALS].replace("approvers: {to: [approvers]", "approvers: {to: [on_call]")
        (await at.desk.admin.post("/api/policy", json={"files": files})).raise_for_status()
        await at.open()
        await at.deliver()
        assert [to for to, _ in at.sink.mail] == ["ben@example.org"]


async def test_sensitive_values_are_not_repeated_in_the_words_around_them(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        await at.open(title="Log in with hunter2", description="hunter2 is new")
        await at.deliver()
        _, message = at.sink.mail[0]
        assert "Log in with [redacted]" in message["Subject"]
        assert "hunter2" not in message.as_string()


async def test_who_has_had_it_is_not_sent_it_again(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        at.sink.refused.add("ben@example.org")
        hold = await at.open()
        await at.deliver()
        one = await at.of(hold)
        assert one["status"] == "queued"
        assert "example.org" not in one["last_error"]
        at.sink.refused.clear()
        await shift_clock(at.desk.database, pauses.FIRST_PAUSE_SECONDS)
        await at.deliver()
        assert [to for to, _ in at.sink.mail] == ["ann@example.org", "ben@example.org"]
        assert (await at.of(hold))["status"] == "delivered"


async def test_a_mail_server_that_is_away_gets_it_when_it_is_back(database: str) -> None:
    async with office(database) as at:
        hold = await at.open()
        await at.deliver()
        assert "did not accept it" in (await at.of(hold))["last_error"]
        await shift_clock(at.desk.database, pauses.FIRST_PAUSE_SECONDS)
        async with at.sink.serving():
            await at.deliver()
        assert len(at.sink.mail) == 2


async def apply_channels(at: Office, channels: str) -> None:
    files = dict(default_policy().source)
    files[APPROVALS] = files[APPROVALS].replace("[slack, email, webhook]", channels)
    (await at.desk.admin.post("/api/policy", json={"files": files})).raise_for_status()


async def test_an_address_that_is_refused_for_good_falls_back_at_once_and_holds_nobody_up(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        await apply_channels(at, "[email, web]")
        # the first of the two: the other gets a message all the same
        at.sink.unknown.add("ann@example.org")
        hold = await at.open()
        await at.deliver()
        one = await at.of(hold)
        assert (one["channel"], one["attempts"], one["last_error"]) == (
            "web",
            0,
            "the mail server refused 1 of 2 messages (550)",
        )
        assert [to for to, _ in at.sink.mail] == ["ben@example.org"]
        await at.deliver()
        assert (await at.of(hold))["status"] == "delivered"


async def test_where_nobody_has_an_address_the_next_channel_is_used_at_once(database: str) -> None:
    async with office(database, addresses=()) as at:
        await apply_channels(at, "[email, web]")
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


async def test_a_notice_that_waits_forgets_who_was_erased(database: str) -> None:
    async with office(database) as at:
        hold = await at.open()
        everybody = (await at.desk.admin.get("/api/people")).json()["people"]
        ann = next(one["id"] for one in everybody if one["name"] == "ann")
        (await at.desk.admin.patch(f"/api/people/{ann}", json={"active": False})).raise_for_status()
        (await at.desk.admin.post(f"/api/people/{ann}/erase")).raise_for_status()
        async with at.desk.database.connection() as conn:
            row = await (await conn.execute("SELECT body FROM deliveries")).fetchone()
        assert row is not None
        assert '"ann"' not in row["body"]
        async with at.sink.serving():
            await at.deliver()
        assert [to for to, _ in at.sink.mail] == ["ben@example.org"]
        assert ann not in {who["id"] for who in (await at.of(hold))["people"]}


async def test_comments_that_come_fast_are_one_mail(database: str) -> None:
    async with office(database) as at, at.sink.serving():
        hold = await at.open()
        await at.deliver()
        for n in range(31):
            (await at.bot.post(f"/api/holds/{hold}/comments", json={"text": f"please {n}"})).raise_for_status()
            await at.deliver()
        await shift_clock(at.desk.database, 61)
        await at.deliver()
        assert len(at.sink.mail) == 2 * 3
        gathered = part(at.sink.mail[-1][1], "plain")
        told = [line.rpartition(" ")[2] for line in gathered.splitlines() if " says: please " in line]
        assert told == [str(n) for n in range(11, 31)]
        assert "10 earlier comments are not shown here." in gathered
        assert "please 30</blockquote>" in part(at.sink.mail[-1][1], "html")
