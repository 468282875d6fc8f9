"""The event feed as a client follows it: where to continue after a lost connection, and when."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .decoding import decode
from .errors import UnexpectedAnswer
from .exchange import Outcome, Request, Response
from .holds import Event
from .problems import error_of
from .retries import backoff, delay
from .sse import Message, Parser

# the server's heartbeats come far more often; silence for so long is a dead connection
SILENCE = 60.0


class EventStream:
    """Events after `after` (a `seq`), and then every new one, forever: across restarts none is missed, none repeated.

    Without `after` it begins with what happens from now on. `hold`, `run`, `case` and `kind` filter it.
    """

    def __init__(
        self,
        *,
        hold: str | None = None,
        run: str | None = None,
        case: str | None = None,
        kind: str | None = None,
        after: int | None = None,
    ) -> None:
        filters = {"hold": hold, "run": run, "case": case, "kind": kind}
        self._query = {name: value for name, value in filters.items() if value is not None}
        self._parser = Parser("" if after is None else str(after))
        self._attempt = 0

    def request(self) -> Request:
        """The request that continues after the last event received."""
        self._parser = Parser(self._parser.last_id)
        headers = {"Accept": "text/event-stream"}
        if self._parser.last_id:
            headers["Last-Event-ID"] = self._parser.last_id
        return Request("GET", "/api/events", self._query, headers=headers, repeatable=True, read_timeout=SILENCE)

    def feed(self, chunk: bytes) -> Iterator[Event]:
        for message in self._parser.feed(chunk):
            self._attempt = 0
            yield _event(message)

    def reconnect_in(self, outcome: Outcome) -> float:
        """Seconds until the next request, after the connection ended like this; raises where it is no use."""
        request = self.request()
        if isinstance(outcome, Response) and outcome.succeeded:
            _check_type(outcome)
            seconds = backoff(self._attempt)
        else:
            seconds = delay(request, outcome, self._attempt)
        if seconds is None:
            raise error_of(request, outcome)
        self._attempt += 1
        return seconds


def _check_type(response: Response) -> None:
    kind = response.headers.get("content-type", "none")
    if not kind.startswith("text/event-stream"):
        raise UnexpectedAnswer(f"the server answered with {kind}, not with events; is HANDRAIL_URL a Handrail server?")


def _event(message: Message) -> Event:
    try:
        return decode(Event, json.loads(message.data), "event")
    except ValueError:
        raise UnexpectedAnswer("an event is not JSON; is HANDRAIL_URL a Handrail server?") from None
