"""What a made-up company's agents ask in a month, and what its people say: a plan, from a seed.

Fernwood sells garden tools. Some of its people decide with care, some too quickly: that is what its history is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from random import Random
from typing import Any

Json = dict[str, Any]

PEOPLE: dict[str, list[str]] = {
    "Ada": ["administrator"],
    "Carl": ["cto"],
    "Mara": ["tech_lead"],
    "Jon": ["team_lead"],
    "Priya": ["team_lead"],
    "Sam": ["security_team"],
    "Olga": ["auditor"],
}
AGENTS = ("deploy-bot", "support-bot", "ops-bot", "data-bot")
SERVICES = ("web", "api", "checkout", "search", "mailer")
# of what is read about customers
PRYING = 0.15
# of actions.yaml: what of the low actions is looked at afterwards
SAMPLED = """
  - {id: customers-looked-at, name: [get_customer], sample: 0.5}
  - {id: logs-looked-at, name: [read_logs], sample: 0.1}
"""
# what a pack says that a target is used by
TARGETS = """
targets:
  sessions-old: {used_by: [checkout, web]}
  checkout: {used_by: [mailer]}
"""
CARE = ("Tests and rollback look fine.", "Read the diff, no schema change.", "Checked with the on-call person.")


@dataclass(frozen=True, slots=True)
class Say:
    """One person's word, so many seconds after the hold opened."""

    who: str
    after: float
    verdict: str = "approve"
    reason: str | None = None
    amended: Json | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """One hold, and all that becomes of it. `then` is what the agent does: `run`, `fail`, `leave` (it does not use the
    approval) or `cancel` (it takes its request back)."""

    at: datetime
    agent: str
    body: Json
    says: tuple[Say, ...] = ()
    then: str = "run"
    comment: tuple[str, str] | None = None
    withdrawn: tuple[str, str] | None = None
    grant: Json | None = None
    """Who allows calls like it from then on, with which bounds."""


@dataclass(slots=True)
class Month:
    begin: datetime
    days: int
    random: Random
    version: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SERVICES, 40))

    def asks(self) -> list[Ask]:
        found = [ask for day in range(self.days) for ask in self._day(day)]
        found += self._single()
        found += [self._customer(self._moment(day, 9, 17)) for day in range(self.days) for _ in range(2)]
        return sorted(found, key=lambda ask: ask.at)

    def _day(self, day: int) -> Iterator[Ask]:
        weekday = (self.begin + timedelta(days=day)).weekday()
        busy = weekday < 5
        kinds: list[tuple[Callable[[datetime, int], Ask], int]] = [
            (self._read, 9 if busy else 3),
            (self._staging, 7 if busy else 0),
            (self._production, self.random.choice((0, 1, 1, 2)) if weekday < 4 else 0),
            (self._refund, 4 if busy else 2),
            (self._restart, 2 if busy else 1),
            (self._discount, 1 if busy else 0),
            (self._newsletter, 1 if weekday == 1 else 0),
            (self._export, 1 if weekday == 2 else 0),
        ]
        for make, often in kinds:
            for _ in range(often):
                yield make(self._moment(day, 9, 17), day)

    def _moment(self, day: int, first: float, last: float) -> datetime:
        midnight = datetime.combine((self.begin + timedelta(days=day)).date(), time(), self.begin.tzinfo)
        return midnight + timedelta(seconds=round(self.random.uniform(first, last) * 3600, 3))

    def _read(self, at: datetime, day: int) -> Ask:
        name = self.random.choice(SERVICES)
        args = {"service": name, "last_minutes": self.random.choice((15, 30, 60))}
        return Ask(at, "ops-bot", _approval(f"Read the logs of {name}", "read_logs", args))

    def _customer(self, at: datetime) -> Ask:
        """Low, and looked at afterwards; some read more than anybody thought of."""
        fields = ["name", "address", "last_orders"]
        if self.random.random() < PRYING:
            fields.append("payment_method")
        customer = f"C-{self.random.randrange(1_000, 9_999)}"
        args = {"customer": customer, "fields": fields}
        return Ask(at, "support-bot", _approval(f"Read the record of {customer}", "get_customer", args))

    def _staging(self, at: datetime, day: int) -> Ask:
        """Jon approves these in a few seconds, without a word; two in the month are refused by somebody else."""
        name = self.random.choice(SERVICES)
        self.version[name] += 1
        args = {"service": name, "version": f"2.{self.version[name]}.0", "environment": "staging"}
        body = _approval(
            f"Deploy {name} 2.{self.version[name]}.0 to staging", "deploy", args, evidence=self._evidence(name)
        )
        if self.random.random() < 0.02:
            return Ask(at, "deploy-bot", body, (Say("Priya", 900, "reject", "The tests of this branch are red."),))
        who, after = ("Jon", self.random.uniform(2, 7)) if self.random.random() < 0.9 else ("Priya", 240.0)
        then = "fail" if self.random.random() < 0.04 else "run"
        return Ask(at, "deploy-bot", body, (Say(who, after),), then)

    def _production(self, at: datetime, day: int) -> Ask:
        name = self.random.choice(SERVICES)
        args = {"service": name, "version": f"2.{self.version[name]}.0", "environment": "production"}
        body = _approval(
            f"Deploy {name} 2.{self.version[name]}.0 to production",
            "deploy",
            args,
            evidence=self._evidence(name),
            case_id=f"release-{name}-{self.version[name]}",
            description="The staging deployment of this version has been running for a day without errors.",
        )
        first = self.random.uniform(200, 900)
        second = first + self.random.uniform(120, 900)
        if self.random.random() < 0.2:
            no = Say(
                "Mara", second, "reject", self.random.choice(("Not before the sale ends.", "The migration locks."))
            )
            return Ask(at, "deploy-bot", body, (Say("Priya", first, reason=self.random.choice(CARE)), no))
        says = (
            Say(self.random.choice(("Jon", "Priya")), first, reason=self.random.choice(CARE)),
            Say(self.random.choice(("Mara", "Carl")), second, reason=self.random.choice(CARE)),
        )
        return Ask(at, "deploy-bot", body, says, "fail" if self.random.random() < 0.1 else "run")

    def _refund(self, at: datetime, day: int) -> Ask:
        """Priya pastes the same reason under each; large ones are refused."""
        large = self.random.random() < 0.06
        amount = self.random.randrange(600, 2400, 50) if large else self.random.randrange(5, 60)
        order = f"F-{self.random.randrange(10_000, 99_999)}"
        args = {"order": order, "amount": amount, "currency": "EUR"}
        body = _approval(
            f"Refund {amount} EUR for order {order}",
            "refund",
            args,
            evidence={"customer_since": self.random.randrange(2014, 2026), "complaint": "The handle broke."},
        )
        if large:
            return Ask(at, "support-bot", body, (Say("Mara", 1500, "reject", "Not by an agent at this amount."),))
        return Ask(at, "support-bot", body, (Say("Priya", self.random.uniform(4, 40), reason="ok, verified"),))

    def _restart(self, at: datetime, day: int) -> Ask:
        """Asked for every time, and never refused."""
        name = self.random.choice(SERVICES)
        args = {"service": name, "environment": "staging"}
        return Ask(
            at,
            "ops-bot",
            _approval(f"Restart {name} in staging", "restart_service", args, evidence={"memory": "94 %"}),
            (Say(self.random.choice(("Jon", "Jon", "Mara")), self.random.uniform(20, 600)),),
        )

    def _discount(self, at: datetime, day: int) -> Ask:
        """Mostly rejected: one person's approval seems too little."""
        percent = self.random.choice((20, 30, 50))
        args = {"customer": f"C-{self.random.randrange(1_000, 9_999)}", "percent": percent}
        body = _approval(f"Give {args['customer']} {percent} % off", "set_discount", args)
        if self.random.random() < 0.65:
            return Ask(at, "support-bot", body, (Say("Mara", 700, "reject", "We do not discount garden tools."),))
        return Ask(at, "support-bot", body, (Say("Mara", 800, reason="A regular customer."),))

    def _newsletter(self, at: datetime, day: int) -> Ask:
        args = {"template": f"week-{day // 7 + 1}", "recipients": self.random.randrange(2_000, 9_000)}
        body = {
            "kind": "confirmation",
            "title": f"Send the newsletter to {args['recipients']:,} customers",
            "action": {"name": "send_newsletter", "args": args},
        }
        return Ask(at, "support-bot", body, (Say("Carl", 3600, reason="Read it, the links work."),))

    def _export(self, at: datetime, day: int) -> Ask:
        """Nobody has time for these: they are escalated, and one in two expires."""
        args = {
            "table": "orders",
            "to": "s3://fernwood-analytics/orders",
            "rows": self.random.randrange(10_000, 90_000),
        }
        body = _approval("Export the orders of the week", "export_orders", args)
        if self.random.random() < 0.5:
            return Ask(at, "data-bot", body, then="leave")
        return Ask(at, "data-bot", body, (Say("Carl", 5400, reason="The bucket is ours and encrypted."),))

    def _evidence(self, name: str) -> Json:
        files = self.random.randrange(3, 12)
        return {
            "tests": f"{self.random.randrange(300, 900)} passed",
            "files": [f"{name}/{part}.py" for part in ("routes", "models", "prices", "stock", "mails")[: files // 2]],
            "summary": " ".join(
                self.random.choice(("moves", "renames", "fixes", "adds", "removes")) + f" the {name}'s {part}"
                for part in ("cache keys,", "price rounding,", "stock counters,", "order mails,", "search terms,") * 4
            ),
            "rollback": "The previous image is kept; rolling back takes two minutes.",
        }

    def _single(self) -> Iterator[Ask]:
        """What happens once."""
        week = [day for day in range(self.days) if (self.begin + timedelta(days=day)).weekday() < 5]

        def day(part: float) -> int:
            return week[min(int(part * len(week)), len(week) - 1)]

        delete = {"name": "delete_database", "args": {"snapshot_first": True, "environment": "production"}}
        yield Ask(
            self._moment(day(0.3), 10, 11),
            "ops-bot",
            {
                "kind": "approval",
                "title": "Delete the database orders-2019",
                "action": {**delete, "target": "orders-2019"},
                "evidence": {"last_backup": "yesterday", "readers_in_30_days": 2},
            },
            (
                Say("Mara", 500, reason="The snapshot is verified."),
                Say("Carl", 700, "reject", "Two services still read it."),
            ),
            comment=("Mara", "Which services read it in the last 30 days?"),
        )
        yield Ask(
            self._moment(day(0.6), 10, 11),
            "ops-bot",
            {
                "kind": "approval",
                "title": "Delete the database orders-2018",
                "action": {**delete, "target": "orders-2018"},
                "evidence": {"last_backup": "yesterday", "readers_in_30_days": 0},
            },
            (
                Say("Mara", 600, reason="Nobody reads it, and the snapshot is verified."),
                Say("Carl", 900, reason="Agreed, we keep the snapshot for a year."),
            ),
        )
        keys = {"name": "rotate_secret", "args": {"name": "payment-gateway", "environment": "production"}}
        yield Ask(
            self._moment(day(0.35), 14, 15),
            "ops-bot",
            {"kind": "approval", "title": "Rotate the key of the payment gateway", "action": keys},
            (
                Say("Sam", 700, reason="The provider accepts both keys for a day."),
                Say("Mara", 900, reason="Checked with Sam."),
            ),
        )
        scale = {"service": "checkout", "replicas": 40, "environment": "production"}
        yield Ask(
            self._moment(day(0.45), 9, 10),
            "ops-bot",
            _approval("Scale checkout to 40 replicas", "scale_service", scale),
            (
                Say("Mara", 400, "amend", "Twelve are enough for the sale.", {**scale, "replicas": 12}),
                Say("Carl", 900, reason="Twelve it is."),
            ),
        )
        yield Ask(
            self._moment(day(0.5), 11, 12),
            "deploy-bot",
            _approval(
                "Deploy search 3.0.0 to production",
                "deploy",
                {"service": "search", "version": "3.0.0", "environment": "production"},
            ),
            (Say("Priya", 300, reason="Looks fine."), Say("Carl", 500, reason="Fine.")),
            then="leave",
            withdrawn=("Carl", "The load test has just failed."),
        )
        yield Ask(
            self._moment(day(0.55), 15, 16),
            "data-bot",
            _approval("Update 1,200 prices", "update_prices", {"rows": 1200, "environment": "production"}),
            then="cancel",
        )
        yield Ask(
            self._moment(day(0.7), 13, 14),
            "ops-bot",
            _approval("Restart mailer in staging", "restart_service", {"service": "mailer", "environment": "staging"}),
            (Say("Mara", 300),),
            grant={
                "who": "Mara",
                "uses": 40,
                "reason": "Restarting in staging harms nobody.",
                "args": {
                    "service": {"one_of": ["web", "api", "checkout", "search", "mailer"]},
                    "environment": {"exact": "staging"},
                },
            },
        )

    def found(self, sample: Json) -> str | None:
        """What Mara finds in a sample: nothing, or why people should have been asked."""
        if "payment_method" in sample["action"]["args"].get("fields", []):
            return "It reads how the customer pays, and nobody needs that to answer a mail."
        return None

    def waiting(self, now: datetime) -> list[Ask]:
        """What is open at the end."""
        minutes = iter((190, 95, 41, 22, 12, 4))
        production = {"service": "checkout", "version": "2.99.0", "environment": "production"}
        delete = {"name": "delete_database", "args": {"environment": "production"}, "target": "sessions-old"}
        bodies: list[tuple[str, Json]] = [
            ("data-bot", _approval("Update the stock counters", "update_stock", {"rows": 310, "warehouse": "north"})),
            (
                "support-bot",
                _approval(
                    "Refund 480 EUR for order F-31337",
                    "refund",
                    {"order": "F-31337", "amount": 480, "currency": "EUR"},
                ),
            ),
            (
                "deploy-bot",
                _approval("Deploy web 2.98.0 to staging", "deploy", {**production, "environment": "staging"}),
            ),
            (
                "deploy-bot",
                _approval(
                    "Deploy checkout 2.99.0 to production", "deploy", production, evidence=self._evidence("checkout")
                ),
            ),
            ("ops-bot", {"kind": "approval", "title": "Delete the database sessions-old", "action": delete}),
            (
                "support-bot",
                {
                    "kind": "input",
                    "title": "Which warehouse should the replacement come from?",
                    "schema": {"enum": ["north", "south"]},
                },
            ),
        ]
        return [Ask(now - timedelta(minutes=next(minutes)), agent, body, then="leave") for agent, body in bodies]


def _approval(title: str, name: str, args: Json, **more: Any) -> Json:
    return {"kind": "approval", "title": title, "action": {"name": name, "args": args}, **more}
