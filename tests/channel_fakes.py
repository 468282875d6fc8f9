"""The other side of each channel, on loopback: speaks its protocol, keeps what people see, and behaves badly."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from loopback import Answer, HangUp, Loopback, Received, Reply
from mail_sink import Sink
from standardwebhooks import Webhook

# asked to wait, an error of its own, or what was asked is done and the answer lost
Fault = Literal["limited", "broken", "lost"]
RETRY_AFTER = 7
WEBHOOK_SECRET = "whsec_" + "c2VjcmV0IG9mIHRoZSB0ZXN0cyBzZWNyZXQ="
ORIGIN = "http://127.0.0.1:8400"


@dataclass(frozen=True)
class Seen:
    """What people have before them of one hold, at one place."""

    asks: bool
    text: str


class Other(ABC):
    """The other side of one channel. `faults` come one for each request; `meanwhile` happens in the next one."""

    name: str

    def __init__(self) -> None:
        self.faults: deque[Fault] = deque()
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]: ...

    @abstractmethod
    def serving(self) -> Any: ...

    @abstractmethod
    def seen(self, hold: str) -> list[Seen]:
        """One for each place where the hold is announced; more than one for a place where it was told twice."""

    def delete(self) -> None:
        """Somebody deletes all messages."""
        raise NotImplementedError

    async def happen(self) -> None:
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            await happens()


class HttpFake(Loopback, Other):
    """Of a channel that speaks HTTP."""

    def __init__(self) -> None:
        Loopback.__init__(self)
        Other.__init__(self)

    async def reply(self, request: Received) -> Reply:
        fault = self.faults.popleft() if self.faults else None
        if fault == "limited":
            return Answer(429, headers={"Retry-After": str(RETRY_AFTER)})
        if fault == "broken":
            return Answer(500)
        await self.happen()
        answer = await self.taken(request)
        return HangUp() if fault == "lost" else answer

    @abstractmethod
    async def taken(self, request: Received) -> Answer:
        """Does what is asked."""


class WebhookFake(HttpFake):
    """A receiver that drops duplicates by their id, as the specification advises."""

    name = "webhook"

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[str, Any] = {}

    @property
    def settings(self) -> dict[str, Any]:
        return {"webhook_url": f"{self.url}/hook", "webhook_secret": WEBHOOK_SECRET}

    async def taken(self, request: Received) -> Answer:
        told = Webhook(WEBHOOK_SECRET).verify(request.body, request.headers)
        self.told.setdefault(request.headers["webhook-id"], told)
        return Answer(204)

    def seen(self, hold: str) -> list[Seen]:
        about = [one for one in self.told.values() if one["data"]["hold"]["id"] == hold]
        if not about:
            return []
        last = about[-1]
        made = last["data"].get("decision")
        if made is None:
            return [Seen(True, json.dumps(last))]
        by = made["by"]["name"] if made["by"] else made["basis"]
        return [Seen(False, f"{made['outcome']} by {by} at {made['at']}: {made['reason']}")]


class MailFake(Other):
    """A mail server, and one person's mailbox there: mail of one thread is read as one."""

    name = "email"

    def __init__(self) -> None:
        super().__init__()
        self.sink = _FaultySink(self)

    @property
    def settings(self) -> dict[str, Any]:
        # each hold in a mail of its own: lists have tests of their own
        sender = {"email_from": "handrail@example.org", "public_url": ORIGIN, "email_digest_seconds": 0}
        return {"smtp_url": f"smtp://{self.sink.host}:{self.sink.port}", **sender}

    @asynccontextmanager
    async def serving(self) -> AsyncGenerator[None]:
        async with self.sink.serving():
            yield

    def seen(self, hold: str) -> list[Seen]:
        # a mailbox shows mails of the same id once
        mails = {mail["Message-ID"]: mail for _, mail in self.sink.mail if hold in _plain(mail)}
        threads: dict[str, list[Any]] = {}
        for mail in mails.values():
            threads.setdefault(mail["To"], []).append(mail)
        return [
            Seen(
                "decision is no longer needed" not in _plain(thread[-1]),
                f"{thread[-1]['Subject']}\n{_plain(thread[-1])}",
            )
            for thread in threads.values()
        ]


def _plain(mail: Any) -> str:
    return re.sub(r"=\n", "", mail.get_body(("plain",)).get_content())


class _FaultySink(Sink):
    def __init__(self, fake: MailFake) -> None:
        super().__init__()
        self._fake = fake

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        fault = self._fake.faults.popleft() if self._fake.faults else None
        if fault in ("limited", "broken"):
            return "451 later"
        await self._fake.happen()
        answer = await super().handle_DATA(server, session, envelope)
        if fault == "lost":
            server.transport.close()
        return answer
