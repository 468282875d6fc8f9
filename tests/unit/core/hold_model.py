"""The rules of a hold once more, as plainly as they can be written: what random commands are compared with.

Nothing here calls the core: people, levels and thresholds are read as data, and every rule is spelled out again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import permutations

from handrail.core.people import Principal
from handrail.core.risk import Assessment

LEVELS = ["low", "medium", "high", "critical"]


class Refused(Exception):
    """The command must not be taken."""


@dataclass
class Say:
    yes: bool
    roles: frozenset[str]
    reason: str
    # of a response in place of yes or no
    words: str = ""


@dataclass
class Model:
    """Time is minutes since opening. `content` stands for what the digest covers."""

    kind: str
    requesters: set[object]
    terms: Assessment
    content: str
    status: str = "pending"
    revision: int = 1
    says: dict[object, Say] = field(default_factory=dict[object, Say])
    since: float = 0
    escalated: bool = False
    # of an escalation: those added have so long
    not_before: float = 0
    asked_expiry: float | None = None
    key: str | None = None
    recorded: str | None = None
    decisions: int = 0
    unasked: bool = False
    granted: bool = False
    takes_response: bool = False

    def open(self, *, observed: bool, granted: bool) -> None:
        if self.kind == "approval" and (self.terms.auto_approve or observed or granted):
            self.decide("approved")
            self.unasked = observed and not self.terms.auto_approve
            self.granted = granted and not observed and not self.terms.auto_approve

    def decide(self, outcome: str) -> None:
        assert self.status == "pending", "a second decision"
        self.status = outcome
        self.decisions += 1

    def deadline(self) -> float | None:
        limits = [] if self.terms.timeout is None else [self.since + self.terms.timeout.total_seconds() / 60]
        if self.asked_expiry is not None:
            limits.append(self.asked_expiry)
        return max(min(limits), self.not_before) if limits else None

    def must_escalate(self, now: float) -> bool:
        """One that was to come before the deadline comes, however late."""
        wait = self.terms.escalate_after
        if wait is None or self.escalated:
            return False
        at, deadline = self.since + wait.total_seconds() / 60, self.deadline()
        return now >= at and (deadline is None or at < deadline)

    def escalate(self, now: float) -> None:
        wait, deadline = self.terms.escalate_after, self.deadline()
        assert wait is not None
        meant = 0 if deadline is None else deadline - self.since - wait.total_seconds() / 60
        self.escalated, self.not_before = True, now + max(10, meant)

    def restart(self, now: float) -> None:
        """Deadlines count from now."""
        self.since, self.escalated, self.not_before = now, False, 0

    def roles(self, terms: Assessment, *, escalated: bool) -> frozenset[str]:
        return terms.requirements.roles | (terms.escalate_to if escalated else frozenset[str]())

    def asked(self) -> Assessment:
        """The terms with those whom an escalation added."""
        needed = self.terms.requirements
        return replace(self.terms, requirements=replace(needed, roles=self.roles(self.terms, escalated=self.escalated)))

    def apart(self, who: object, terms: Assessment) -> bool:
        """Separation of duties: who asked does not decide what is medium or above."""
        return self.kind != "input" and who in self.requesters and terms.level.value != "low"

    def may_review(self, who: Principal, digest_of: str | None, now: float) -> None:
        if who.kind.value != "person" or not who.active:
            raise Refused
        if not (self.kind == "input" and who.id in self.requesters):
            if not who.roles & self.roles(self.terms, escalated=self.escalated):
                raise Refused
            if self.apart(who.id, self.terms):
                raise Refused
        self.in_time(now)
        if digest_of is None and self.revision > 1:
            raise Refused
        if digest_of is not None and digest_of != self.content:
            raise Refused

    def in_time(self, now: float) -> None:
        deadline = self.deadline()
        late = deadline is not None and now >= deadline and not self.must_escalate(now)
        if self.status != "pending" or late:
            raise Refused

    def enough(self, says: dict[object, Say], terms: Assessment, *, escalated: bool) -> bool:
        allowed = self.roles(terms, escalated=escalated)
        yes = [say.roles for say in says.values() if say.yes and say.roles & allowed]
        groups = terms.requirements.required
        return len(yes) >= terms.requirements.approvals and any(
            all(group & roles for group, roles in zip(groups, people, strict=True))
            for people in permutations(yes, len(groups))
        )

    def review(self, who: Principal, yes: bool, digest_of: str | None, reason: str, now: float) -> None:
        self.may_review(who, digest_of, now)
        if self.kind == "input" or (yes and self.terms.requirements.justification and not reason):
            raise Refused
        self.say(who, Say(yes, who.roles, reason))

    def respond(self, who: Principal, digest_of: str | None, text: str, now: float) -> None:
        """A no with words: nothing runs, so it asks for neither justification nor more people than a rejection."""
        self.may_review(who, digest_of, now)
        if not self.takes_response or not text:
            raise Refused
        self.say(who, Say(False, who.roles, text, text))

    def say(self, who: Principal, said: Say) -> None:
        yes, before = said.yes, self.says.get(who.id)
        says = {**{by: say for by, say in self.says.items() if by != who.id}, who.id: said}
        if yes and self.enough(says, self.terms, escalated=self.escalated):
            outcome = "approved"
        elif not yes and sum(not say.yes for say in says.values()) >= self.terms.requirements.rejections:
            outcome = "answered" if said.words else "rejected"
        else:
            outcome = None
        same = before is not None and (before.yes, before.roles, before.words) == (yes, who.roles, said.words)
        if outcome is not None or not same:
            self.says = says
        if outcome is not None:
            self.decide(outcome)

    def answer(self, who: Principal, digest_of: str | None, text: str, now: float) -> None:
        self.may_review(who, digest_of, now)
        if self.kind != "input" or not text:
            raise Refused
        self.decide("answered")

    def amend(
        self, who: Principal, content: str, terms: Assessment, digest_of: str | None, reason: str, now: float
    ) -> None:
        self.may_review(who, digest_of, now)
        before = self.asked()
        terms = stricter(before, terms)
        if self.kind == "input" or content == self.content or (terms.requirements.justification and not reason):
            raise Refused
        asked, needed = before.requirements, terms.requirements
        rose = (
            terms.level != before.level
            or (needed.approvals, needed.justification) != (asked.approvals, asked.justification)
            or any(group not in asked.required for group in needed.required)
            or any(role not in needed.roles for role in asked.roles - before.escalate_to)
        )
        self.content, self.terms, self.says = content, terms, {}
        self.revision += 1
        self.restart(now)
        if not rose and who.roles & terms.requirements.roles and not self.apart(who.id, terms):
            self.says = {who.id: Say(True, who.roles, reason)}

    def withdraw(self, who: Principal) -> None:
        say = self.says.get(who.id)
        if self.key is not None or self.status not in ("pending", "approved") or say is None or not say.yes:
            raise Refused
        del self.says[who.id]
        self.status = "pending"

    def redeem(self, digest_of: str, key: str, terms: Assessment, now: float, *, observed: bool, granted: bool) -> None:
        if digest_of != self.content or self.key not in (None, key) or self.status != "approved":
            raise Refused
        if self.key == key:
            return
        terms = stricter(self.asked(), terms) if self.revision > 1 else terms
        kept = {
            by: say
            for by, say in self.says.items()
            if say.roles & self.roles(terms, escalated=self.escalated)
            and not self.apart(by, terms)
            and (not say.yes or not terms.requirements.justification or say.reason)
        }
        by_policy = self.kind == "approval" and terms.auto_approve
        unasked = (self.unasked and observed) or (self.granted and granted)
        if by_policy or unasked or self.enough(kept, terms, escalated=self.escalated):
            self.key = key
        else:
            self.status, self.says, self.terms, self.unasked, self.granted = "pending", kept, terms, False, False
            self.restart(now)

    def result(self, outcome: str) -> None:
        if self.key is None or self.recorded not in (None, outcome):
            raise Refused
        self.recorded = outcome

    def cancel(self, now: float) -> None:
        self.in_time(now)
        self.decide("cancelled")

    def sweep(self, now: float, on_expiry: str) -> None:
        """Escalates or expires, never both."""
        if self.status != "pending":
            return
        deadline = self.deadline()
        if self.must_escalate(now):
            self.escalate(now)
        elif deadline is not None and now >= deadline:
            self.decide("rejected" if on_expiry == "reject" else "expired")


def stricter(before: Assessment, after: Assessment) -> Assessment:
    """What nobody meets who does not meet both: people are shared only where one side's roles are among the other's."""
    higher = before if LEVELS.index(before.level) > LEVELS.index(after.level) else after
    one, other = before.requirements, after.requirements
    seats = [(group, True) for group in one.required]
    seats += [(one.roles, False)] * (one.approvals - len(one.required))
    shared: set[int] = set()
    wanted = [(group, True) for group in other.required]
    wanted += [(other.roles, False)] * (other.approvals - len(other.required))
    for group, must in sorted(wanted, key=lambda seat: len(seat[0])):
        for place, (roles, needed) in enumerate(seats):
            if place not in shared and place < one.approvals and (group <= roles or roles <= group):
                seats[place] = (group & roles, must or needed)
                shared.add(place)
                break
        else:
            seats.append((group, must))
    everybody = frozenset(role for roles, _ in seats for role in roles)
    needed = replace(
        one,
        approvals=len(seats),
        roles=everybody,
        required=tuple(sorted((roles for roles, must in seats if must or roles != everybody), key=sorted)),
        rejections=min(one.rejections, other.rejections),
        justification=one.justification or other.justification,
    )
    return replace(higher, requirements=needed, auto_approve=False)
