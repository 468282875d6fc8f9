"""kill -9 between the sending of a notice and its record: it comes again under the same id."""

from __future__ import annotations

import asyncio
from typing import Any

from holds_world import shift_clock
from loopback import Answer, Loopback, Silence
from server import ServerProcess, running
from standardwebhooks import Webhook

from handrail.channels.delivering import LEASE_SECONDS
from handrail.store.database import opened

SECRET = "whsec_" + "c2VjcmV0IG9mIHRoZSB0ZXN0cyBzZWNyZXQ="


def open_hold(server: ServerProcess) -> str:
    token = server.token_of("bot", kind="agent")
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
            async with asyncio.timeout(20):
                while (told := await asyncio.to_thread(listed, server, hold))["status"] == "queued":
                    pass
            assert (told["id"], told["status"]) == (first.headers["webhook-id"], "delivered")


def listed(server: ServerProcess, hold: str) -> Any:
    ran = server.run("deliveries", "list", "--hold", hold, "--json", token=server.admin_token)
    [one] = ran.json()["deliveries"]
    return one
