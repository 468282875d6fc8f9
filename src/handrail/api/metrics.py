"""What Prometheus scrapes: requests of this process, and holds and feed as the database has them."""

from __future__ import annotations

from itertools import product

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
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


class ChatMetrics:
    """The chat of one process: connections, what they say and are told, and why they end."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._connections = Gauge("handrail_chat_connections", "Open chat connections", registry=registry)
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


class Metrics:
    """Figures of one app. Holds and feed are the whole deployment's: take `max` over replicas, not `sum`."""

    def __init__(self, decision_target: float) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "handrail_requests", "Requests answered", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "handrail_request_seconds", "Response time; for streams, until they end", ["route"], registry=self._registry
        )
        self._pending = Gauge(
            "handrail_holds_pending", f"Pending holds, counted up to {figures.CAP}", ["risk"], registry=self._registry
        )
        self._opened = Counter("handrail_holds_opened", "Holds opened", ["kind", "risk"], registry=self._registry)
        self._decided = Counter(
            "handrail_holds_decided", "Holds decided", ["kind", "risk", "outcome", "basis"], registry=self._registry
        )
        self._escalated = Counter(
            "handrail_holds_escalated", "Holds escalated", ["kind", "risk"], registry=self._registry
        )
        self._deliveries = Gauge(
            "handrail_deliveries", f"Notifications, counted up to {figures.CAP}", ["status"], registry=self._registry
        )
        self._runs = Gauge("handrail_runs", f"Runs, counted up to {figures.CAP}", ["state"], registry=self._registry)
        self._wait = Histogram(
            "handrail_time_to_decision_seconds",
            "Time from opening to decision",
            ["risk"],
            buckets=DECISION_BUCKETS,
            registry=self._registry,
        )
        target = Gauge(
            "handrail_time_to_decision_target_seconds", "How soon holds should be decided", registry=self._registry
        )
        target.set(decision_target)
        self._lag = Gauge(
            "handrail_feed_lag_seconds", "Age of the oldest event not yet in the feed", registry=self._registry
        )
        self._chat = ChatMetrics(self._registry)
        self._seen: int | None = None
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
            if self._seen is None:
                self._seen = await figures.feed_head(conn)
            moves = await figures.moves_after(conn, self._seen)
        for risk, count in pending.items():
            self._pending.labels(risk).set(count)
        for status, count in notices.items():
            self._deliveries.labels(status).set(count)
        for state, count in runs.items():
            self._runs.labels(state).set(count)
        self._add(moves)
        return generate_latest(self._registry)

    def _add(self, moves: figures.Moves) -> None:
        # two scrapes at once read the same rows: only the first to come back counts them
        if self._seen is None or moves.after != self._seen:
            return
        self._seen = moves.head
        for opened in moves.opened:
            self._opened.labels(opened.kind, opened.risk).inc()
        for escalated in moves.escalated:
            self._escalated.labels(escalated.kind, escalated.risk).inc()
        for decided in moves.decided:
            self._decided.labels(decided.kind, decided.risk, decided.outcome, decided.basis).inc()
            self._wait.labels(decided.risk).observe(decided.seconds)
