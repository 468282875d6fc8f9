"""What Prometheus scrapes: requests of this process, and holds and feed as the database has them."""

from __future__ import annotations

import fcntl
import os
from functools import partial
from itertools import product
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
    multiprocess,
    values,
)

from handrail.core.holds import Kind
from handrail.core.risk import Level
from handrail.store import figures
from handrail.store.database import Database

METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
DECISION_BUCKETS = (1, 5, 15, 60, 300, 900, 1800, 3600, 4 * 3600, 12 * 3600, 86400, 3 * 86400, 7 * 86400)
# what decides, and how it ends
DECISIONS = (
    ("approved", "people"),
    ("approved", "policy"),
    ("approved", "observation"),
    ("approved", "grant"),
    ("rejected", "people"),
    ("rejected", "expiry"),
    ("rejected", "brake"),
    ("answered", "people"),
    ("expired", "expiry"),
    ("cancelled", "requester"),
)

# a second series for each, which nobody reads
disable_created_metrics()
# read from the database: of several processes, the one that read last is right
_Latest = partial(Gauge, multiprocess_mode="mostrecent")


class ChatMetrics:
    """The chat of one process: connections, what they say and are told, and why they end."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._connections = Gauge(
            "handrail_chat_connections", "Open chat connections", registry=registry, multiprocess_mode="livesum"
        )
        self._handshakes = Counter("handrail_chat_handshakes", "Chat handshakes", ["outcome"], registry=registry)
        self._events = Counter(
            "handrail_chat_events",
            "Events from chat clients, by the code of a refusal",
            ["event", "outcome"],
            registry=registry,
        )
        self._seconds = Histogram(
            "handrail_chat_event_seconds", "Time to handle an event from a chat client", ["event"], registry=registry
        )
        self._updates = Counter("handrail_chat_updates", "Updates sent to chat clients", ["type"], registry=registry)
        self._delay = Histogram(
            "handrail_chat_update_delay_seconds", "Time from an event to its update", registry=registry
        )
        self._ends = Counter("handrail_chat_disconnects", "Chat connections ended", ["reason"], registry=registry)

    def handshake(self, outcome: str) -> None:
        self._handshakes.labels(outcome).inc()

    def connected(self, now: int) -> None:
        self._connections.set(now)

    def heard(self, event: str, outcome: str, seconds: float) -> None:
        self._events.labels(event, outcome).inc()
        self._seconds.labels(event).observe(seconds)

    def told(self, type_: str, delay: float) -> None:
        self._updates.labels(type_).inc()
        self._delay.observe(max(0.0, delay))

    def ended(self, reason: str) -> None:
        self._ends.labels(reason).inc()


class _Seen:
    """The number of the last event that was counted; none before the first scrape. Of two scrapes at once, which read
    the same events, only the first to come back counts them."""

    def __init__(self) -> None:
        self._number: int | None = None

    @property
    def number(self) -> int | None:
        return self._number

    def move(self, before: int | None, after: int) -> bool:
        """Whether it was as it was before, and is moved."""
        if self._number != before:
            return False
        self._number = after
        return True


class _SharedSeen(_Seen):
    """The same for processes that answer on one socket. The lock of one that is killed is gone with it."""

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / "seen", os.O_RDWR | os.O_CREAT, 0o600)

    @property
    def number(self) -> int | None:
        found = os.pread(self._file, 20, 0)
        return int(found) if found else None

    def move(self, before: int | None, after: int) -> bool:
        fcntl.lockf(self._file, fcntl.LOCK_EX)
        try:
            is_moved = self.number == before
            if is_moved:
                os.pwrite(self._file, b"%020d" % after, 0)
            return is_moved
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)


def bury(folder: Path, pid: int) -> None:
    """A process that answered has ended: what it counted stays, what it had open is no more."""
    multiprocess.mark_process_dead(pid, str(folder))  # pyright: ignore[reportUnknownMemberType]


class Metrics:
    """Figures of one app. Holds and feed are the whole deployment's: take `max` over replicas, not `sum`.

    Processes that answer on one socket share a folder, and each tells the figures of all.
    """

    def __init__(self, decision_target: float, shared: Path | None = None) -> None:
        self._shared = shared
        if shared is not None:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(shared)
            values.ValueClass = values.MultiProcessValue()  # pyright: ignore[reportUnknownMemberType]
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "handrail_requests", "Requests answered", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "handrail_request_seconds", "Response time; for streams, until they end", ["route"], registry=self._registry
        )
        self._pending = _Latest(
            "handrail_holds_pending", f"Pending holds, counted up to {figures.CAP}", ["risk"], registry=self._registry
        )
        self._opened = Counter("handrail_holds_opened", "Holds opened", ["kind", "risk"], registry=self._registry)
        self._decided = Counter(
            "handrail_holds_decided", "Holds decided", ["kind", "risk", "outcome", "basis"], registry=self._registry
        )
        self._escalated = Counter(
            "handrail_holds_escalated", "Holds escalated", ["kind", "risk"], registry=self._registry
        )
        self._deliveries = _Latest(
            "handrail_deliveries", f"Notifications, counted up to {figures.CAP}", ["status"], registry=self._registry
        )
        self._runs = _Latest("handrail_runs", f"Runs, counted up to {figures.CAP}", ["state"], registry=self._registry)
        self._wait = Histogram(
            "handrail_time_to_decision_seconds",
            "Time from opening to decision",
            ["risk"],
            buckets=DECISION_BUCKETS,
            registry=self._registry,
        )
        target = _Latest(
            "handrail_time_to_decision_target_seconds", "How soon holds should be decided", registry=self._registry
        )
        target.set(decision_target)
        self._lag = _Latest(
            "handrail_feed_lag_seconds", "Age of the oldest event not yet in the feed", registry=self._registry
        )
        self._chat = ChatMetrics(self._registry)
        self._seen = _SharedSeen(shared) if shared is not None else _Seen()
        self._begin_at_zero()

    def _begin_at_zero(self) -> None:
        """A counter that appears with its first event shows Prometheus no increase."""
        for risk in Level:
            self._wait.labels(risk)
        for kind, risk in product(Kind, Level):
            self._opened.labels(kind, risk)
            self._escalated.labels(kind, risk)
            for outcome, basis in DECISIONS:
                self._decided.labels(kind, risk, outcome, basis)

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method if method in METHODS else "other", route, status).inc()
        self._seconds.labels(route).observe(seconds)

    @property
    def chat(self) -> ChatMetrics:
        return self._chat

    async def text(self, database: Database) -> bytes:
        """The whole page. Counters of holds begin with the first scrape of this process."""
        async with database.connection() as conn:
            pending = await figures.pending(conn)
            notices = await figures.deliveries(conn)
            runs = await figures.runs(conn)
            self._lag.set(await figures.feed_lag(conn))
            if (seen := self._seen.number) is None:
                seen = await figures.feed_head(conn)
                self._seen.move(None, seen)
            moves = await figures.moves_after(conn, seen)
        for risk, count in pending.items():
            self._pending.labels(risk).set(count)
        for status, count in notices.items():
            self._deliveries.labels(status).set(count)
        for state, count in runs.items():
            self._runs.labels(state).set(count)
        self._add(moves)
        if self._shared is None:
            return generate_latest(self._registry)
        everyone = CollectorRegistry()
        multiprocess.MultiProcessCollector(everyone, str(self._shared))
        return generate_latest(everyone)

    def _add(self, moves: figures.Moves) -> None:
        if not self._seen.move(moves.after, moves.head):
            return
        for opened in moves.opened:
            self._opened.labels(opened.kind, opened.risk).inc()
        for escalated in moves.escalated:
            self._escalated.labels(escalated.kind, escalated.risk).inc()
        for decided in moves.decided:
            self._decided.labels(decided.kind, decided.risk, decided.outcome, decided.basis).inc()
            self._wait.labels(decided.risk).observe(decided.seconds)
