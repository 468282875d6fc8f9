"""Signs that people no longer read what they decide: figures from the log, each with the calls behind it.

Pure: it gets what was said, and says what stands out. None of it proves anything about a person; it says where being
asked less would help.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from uuid import UUID

from handrail.core.holds import Hold, Kind, Status
from handrail.core.replay import words
from handrail.store.reviews import Said

Sign = Literal["quick", "streak", "always_yes", "share", "no_reason", "copied_reason", "never_refused"]
SIGNS: tuple[Sign, ...] = ("quick", "streak", "always_yes", "copied_reason", "no_reason", "share", "never_refused")

# twice as fast as people read: nobody who needs less time has read it
WORDS_PER_MINUTE = 400
LEAST_SECONDS = 5.0
# fewer than this say nothing about anybody
ENOUGH = 20
FEW_QUICK = 5
STREAK = 5
NEARLY_ALL = 0.98
MOST_REASONS = 0.8
COPIED = 10
FAIR = 2.0
SHOWN = 5
_STOPPED = (Status.rejected, Status.cancelled)


class Call(NamedTuple):
    """What a rule or a grant would have to cover: an agent's calls of one action."""

    agent: UUID
    action: str


@dataclass(frozen=True, slots=True)
class Finding:
    """`count` of `of` reviews, or of holds for a rule. `figure` is the sign's own: seconds, a share, a length."""

    sign: Sign
    count: int
    of: int
    figure: float
    person: UUID | None = None
    rule: str | None = None
    text: str | None = None
    call: Call | None = None
    """That which occurs most among them."""
    examples: tuple[Hold, ...] = ()


def needed(one: Said) -> float:
    """Seconds in which somebody could have read what was shown: the hold, or its decision pack if that is longer."""
    return max(60 * max(words(one.hold), one.words) / WORDS_PER_MINUTE, LEAST_SECONDS)


def taken(one: Said) -> float:
    """Seconds since the hold was opened; since its pack was first on their screen, if it was."""
    return (one.at - (one.shown_at or one.hold.opened_at)).total_seconds()


def of_people(said: Sequence[Said], people: Mapping[UUID, frozenset[str]]) -> list[Finding]:
    """What stands out in each person's reviews; `people` are those who may decide, with their roles."""
    by: defaultdict[UUID, list[Said]] = defaultdict(list)
    for one in sorted(said, key=lambda one: one.at):
        by[one.by].append(one)
    expected = _expected(said, people)
    found: list[Finding] = []
    for person, reviews in by.items():
        found += _of(person, reviews)
        fair = expected[person]
        if len(reviews) >= ENOUGH and fair and len(people) > 1 and len(reviews) > FAIR * fair:
            found.append(_finding("share", person, reviews, reviews, len(reviews) / fair))
    return sorted(found, key=lambda one: (SIGNS.index(one.sign), -one.count))


def _of(person: UUID, reviews: Sequence[Said]) -> Iterable[Finding]:
    quick = [one for one in reviews if _is_quick(one)]
    if len(quick) >= FEW_QUICK:
        middle = sorted(map(taken, quick))[len(quick) // 2]
        yield _finding("quick", person, quick, reviews, middle)
    streaks = _streaks(reviews)
    if streaks:
        longest = max(streaks, key=len)
        yield _finding("streak", person, longest, reviews, _span(longest))
    yes = [one for one in reviews if one.verdict == "approve"]
    if len(reviews) >= ENOUGH and len(yes) >= NEARLY_ALL * len(reviews):
        yield _finding("always_yes", person, yes, reviews, len(yes) / len(reviews))
    silent = [one for one in yes if not (one.reason or "").strip()]
    if len(yes) >= ENOUGH and len(silent) >= MOST_REASONS * len(yes):
        yield _finding("no_reason", person, silent, yes, len(silent) / len(yes))
    texts = Counter(_plain(one.reason) for one in reviews if (one.reason or "").strip())
    for text, often in texts.most_common(1):
        if often >= COPIED and 2 * often > texts.total():
            copied = [one for one in reviews if _plain(one.reason) == text]
            said = copied[-1].reason
            yield _finding("copied_reason", person, copied, reviews, often / texts.total(), said)


def _is_quick(one: Said) -> bool:
    """Nobody can have read it before it was there. A first word alone is judged: an amended hold was read before."""
    return one.verdict != "amend" and one.hold.revision == 1 and taken(one) < needed(one)


def _streaks(reviews: Sequence[Said]) -> list[list[Said]]:
    """Approvals that followed each other faster than each can be read."""
    found: list[list[Said]] = []
    run: list[Said] = []
    for one in reviews:
        gap = (one.at - run[-1].at).total_seconds() if run else 0.0
        if one.verdict == "approve" and run and gap < needed(one):
            run.append(one)
        else:
            found.append(run)
            run = [one] if one.verdict == "approve" else []
    return [each for each in (*found, run) if len(each) >= STREAK]


def _span(streak: Sequence[Said]) -> float:
    return (streak[-1].at - streak[0].at).total_seconds()


def _plain(reason: str | None) -> str:
    return " ".join((reason or "").lower().split())


def _expected(said: Sequence[Said], people: Mapping[UUID, frozenset[str]]) -> dict[UUID, float]:
    """How many reviews each would have given, had those who could have decided each hold shared them out."""
    found: defaultdict[UUID, float] = defaultdict(float)
    for one in said:
        able = [who for who, roles in people.items() if one.hold.assessment.requirements.may_decide(roles)]
        for who in able:
            found[who] += 1 / len(able)
    return found


def _finding(
    sign: Sign, person: UUID, these: Sequence[Said], of: Sequence[Said], figure: float, text: str | None = None
) -> Finding:
    holds = [one.hold for one in these]
    return Finding(sign, len(these), len(of), figure, person, None, text, usual(holds), tuple(holds[: -SHOWN - 1 : -1]))


def usual(holds: Iterable[Hold]) -> Call | None:
    """The call that occurs most; only of what a rule or a grant may decide."""
    calls = Counter(
        Call(hold.opener, hold.question.action.name)
        for hold in holds
        if hold.question.action is not None and hold.question.kind is Kind.approval and hold.run_id is None
    )
    return calls.most_common(1)[0][0] if calls else None


def of_rules(decided: Sequence[Hold]) -> list[Finding]:
    """Rules that asked people often, and what they asked about was never refused."""
    asked: defaultdict[str, list[Hold]] = defaultdict(list)
    for hold in decided:
        if hold.decision is not None and hold.decision.basis in ("people", "requester", "expiry", "brake"):
            for fired in hold.assessment.rules:
                if fired.level is hold.assessment.level:
                    asked[fired.rule].append(hold)
    found = [
        Finding(
            "never_refused",
            len(holds),
            len(holds),
            0.0,
            None,
            rule,
            None,
            usual(holds),
            tuple(holds[: -SHOWN - 1 : -1]),
        )
        for rule, holds in asked.items()
        if len(holds) >= ENOUGH and not any(hold.status in _STOPPED for hold in holds)
    ]
    return sorted(found, key=lambda one: -one.count)
