"""kill -9 between the sending of a notice and its record: it comes again under the same id."""

from __future__ import annotations

import asyncio
from typing import Any

from holds_world import shift_clock
from loopback import Answer, Loopback, Silence
from mail_sink import Sink
from server import ServerProcess, running
from standardwebhooks import Webhook

from handrail.channels.delivering import LEASE_SECONDS
from handrail.store.database import opened

SECRET = "whsec_" + "c2VjcmV0IG9mIHRoZSB0ZXN0cyBzZWNyZXQ="


def open_hold(server: ServerProcess, address: str | None = None) -> str:
    """By an agent, to be decided by somebody with this address."""
    token = server.token_of("bot", kind="agent")
    if address:
        with server.client() as http:
            body = {"name": "ann", "roles": ["team_lead"], "email": address}
            http.post("/api/people", json=body).raise_for_status()
    body: dict[str, Any] = {"kind": "confirmation", "title": "Send", "action": {"name": "send"}}
    with server.client(token) as http:
        return http.post("/api/holds", json=body).raise_for_status().json()["id"]


async def test_a_notice_survives_the_process_that_sent_it(database: str) -> None:
    receiver = Loopback(Silence(), Answer(204))
    variables = {
        "HANDRAIL_DATABASE_URL": database,
        "HANDRAIL_WEBHOOK_URL": receiver.url,
        "HANDRAIL_WEBHOOK_SECRET": SECRET,
    }
    async with receiver.serving(), opened(database) as direct:
        with running(**variables) as server:
            hold = await asyncio.to_thread(open_hold, server)
            await receiver.until(lambda: len(receiver.received) == 1)
            await asyncio.to_thread(server.kill_process)
            await shift_clock(direct, LEASE_SECONDS)
            await asyncio.to_thread(server.start)
            await receiver.until(lambda: len(receiver.received) == 2)
            first, second = receiver.received
            assert Webhook(SECRET).verify(second.body, second.headers)["data"]["hold"]["id"] == hold
            assert first.headers["webhook-id"] == second.headers["webhook-id"]
            assert first.body == second.body
            async with asyncio.timeout(60):
                while (told := await asyncio.to_thread(listed, server, hold))["status"] == "queued":
                    pass
            assert (told["id"], told["status"]) == (first.headers["webhook-id"], "delivered")


async def test_a_mail_survives_the_process_that_sent_it_under_the_same_id(database: str) -> None:
    sink = Sink(silent=True)
    variables = {
        "HANDRAIL_DATABASE_URL": database,
        "HANDRAIL_SMTP_URL": f"smtp://127.0.0.1:{sink.port}",
        "HANDRAIL_EMAIL_FROM": "handrail@example.org",
        "HANDRAIL_PUBLIC_URL": "https://handrail.example.org",
    }
    async with sink.serving(), opened(database) as direct:
        with running(**variables) as server:
            hold = await asyncio.to_thread(open_hold, server, "ann@example.org")
            await sink.until(1)
            await asyncio.to_thread(server.kill_process)
            sink.silent = False
            await shift_clock(direct, LEASE_SECONDS)
            await asyncio.to_thread(server.start)
            async with asyncio.timeout(60):
                while (told := await asyncio.to_thread(listed, server, hold))["status"] == "queued":
                    pass
            first, second = (message for _, message in sink.mail)
            assert first["Message-ID"] == second["Message-ID"]
            assert told["id"] in first["Message-ID"]


async def test_a_dead_notice_is_tried_again_by_hand(database: str) -> None:
    receiver = Loopback(Answer(200))
    variables = {"HANDRAIL_WEBHOOK_URL": receiver.url, "HANDRAIL_WEBHOOK_SECRET": SECRET}
    async with opened(database) as direct:
        with running(HANDRAIL_DATABASE_URL=database, **variables) as server:
            hold = await asyncio.to_thread(open_hold, server)
            async with direct.transaction() as conn:
                await conn.execute("UPDATE deliveries SET status = 'dead'")
            dead = await asyncio.to_thread(listed, server, hold)
            async with receiver.serving():
                ran = await asyncio.to_thread(server.run, "deliveries", "retry", dead["id"], token=server.admin_token)
                assert (ran.exit, ran.out) == (0, "Queued again for webhook.\n")
                await receiver.until(lambda: len(receiver.received) == 1)
            assert receiver.received[0].headers["webhook-id"] == dead["id"]


def listed(server: ServerProcess, hold: str) -> Any:
    ran = server.run("deliveries", "list", "--hold", hold, "--json", token=server.admin_token)
    [one] = ran.json()["deliveries"]
    return one
