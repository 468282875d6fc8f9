"""An office whose notices go by channels, to other sides on loopback: for the tests of one channel and of all."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from apps import Desk, desk
from channel_fakes import MailFake, Other, Seen, WebhookFake
from holds_world import shift_clock
from linear_fake import LinearFake
from push_fake import PushFake
from slack_fake import SlackFake, signed

from handrail.channels import delivering, pauses, updating
from handrail.policy import default_policy
from handrail.policy.loading import APPROVALS

HOLD: dict[str, Any] = {
    "kind": "approval",
    "title": "Deploy billing",
    "action": {"name": "deploy", "args": {"version": "1.2", "password": "hunter2"}, "target": "staging"},
}
OTHERS: dict[str, Callable[[], Other]] = {
    "webhook": WebhookFake,
    "email": MailFake,
    "slack": SlackFake,
    "linear": LinearFake,
    "push": PushFake,
}


@dataclass(frozen=True)
class Office:
    """A desk whose notices go by these channels. `ann` and `ben` may approve what `bot` asks; ann has an address."""

    desk: Desk
    others: dict[str, Other]
    bot: httpx.AsyncClient
    ann: httpx.AsyncClient
    ben: httpx.AsyncClient

    async def open(self, **more: Any) -> dict[str, Any]:
        return (await self.bot.post("/api/holds", json={**HOLD, **more})).raise_for_status().json()

    async def review(self, who: httpx.AsyncClient, hold: dict[str, Any], verdict: str, **more: Any) -> None:
        body = {"verdict": verdict, "digest": hold["digest"], **more}
        (await who.post(f"/api/holds/{hold['id']}/reviews", json=body)).raise_for_status()

    async def round(self) -> int:
        """One round of each loop; how much there was to do."""
        services = self.desk.app.state.services
        async with delivering.opened(services.context, services.settings) as channels:
            done = await delivering.deliver(services.context, channels)
            for name, channel in channels.items():
                done += await updating.update(services.context, name, channel)
        return done

    async def settle(self) -> None:
        """Until nothing is left to send, however long that takes by the clock."""
        for _ in range(30):
            if not await self.round() and not await self.waiting():
                return
            await shift_clock(self.desk.database, pauses.LONGEST_PAUSE_SECONDS / 30)
        raise AssertionError("it does not come to an end")

    async def waiting(self) -> int:
        async with self.desk.database.connection() as conn:
            found = await conn.execute(
                "SELECT (SELECT count(*) FROM deliveries WHERE status = 'queued') + (SELECT count(*) FROM messages "
                "WHERE due_at IS NOT NULL AND NOT lost) AS n"
            )
            row = await found.fetchone()
        assert row is not None
        return row["n"]

    def seen(self, hold: dict[str, Any]) -> list[Seen]:
        return [one for other in self.others.values() for one in other.seen(hold["id"])]


@asynccontextmanager
async def office(database: str, *names: str) -> AsyncGenerator[Office]:
    others = {name: OTHERS[name]() for name in names}
    settings = {key: value for other in others.values() for key, value in other.settings.items()}
    async with AsyncExitStack() as stack:
        for other in others.values():
            await stack.enter_async_context(other.serving())
        at = await stack.enter_async_context(desk(database, **settings))
        files = dict(default_policy().source)
        each = "".join(f"\n  by_{name}: {{to: [team_lead], channels: [{name}, web]}}" for name in names)
        files[APPROVALS] = files[APPROVALS].replace("\nroutes:", f"\nroutes:{each}")
        rules = next(name for name, text in files.items() if "\nlevels:" in text)
        routes = ", ".join(f"by_{name}" for name in names)
        files[rules] = files[rules].replace("notify: [approvers]", f"notify: [{routes}]")
        (await at.admin.post("/api/policy", json={"files": files})).raise_for_status()
        ann, ben = await at.member("ann", roles=["team_lead"]), await at.member("ben", roles=["team_lead"])
        people = {one["name"]: one["id"] for one in (await at.admin.get("/api/people")).json()["people"]}
        (await at.admin.patch(f"/api/people/{people['ann']}", json={"email": "ann@example.org"})).raise_for_status()
        (await at.admin.patch(f"/api/people/{people['admin']}", json={"roles": ["administrator"]})).raise_for_status()
        if "slack" in names:
            code = (await ann.post("/api/me/links", json={"channel": "slack"})).raise_for_status().json()["code"]
            linking = {"type": "command", "user_id": "U1ANN", "text": f"link {code}"}
            (await at.client().post("/api/channels/slack", **signed(linking))).raise_for_status()
        if isinstance(devices := others.get("push"), PushFake):
            device = {**devices.device().subscription, "label": "Ann's phone"}
            (await ann.post("/api/me/push", json=device)).raise_for_status()
        yield Office(at, others, await at.member("bot", "agent"), ann, ben)
