"""By which channels each person of a notice is told, and when: as the policy's route says, and as the person chose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from handrail.core.holds import Hold
from handrail.core.people import Principal
from handrail.core.risk import Level
from handrail.store.choices import Choice

# channels that reach one person; the others are places that several share
PERSONAL = frozenset({"slack", "email", "push"})
# set up in place of direct messages: then Slack is such a place
SHARED_SLACK = "slack/shared"
INBOX = ("web",)
# an escalation is late already, and a reminder soon is
URGENT = frozenset({"hold.escalated", "hold.reminded"})


@dataclass(frozen=True, slots=True)
class Share:
    """A notice for some of the people, by these channels in order, not before `at`."""

    channels: tuple[str, ...]
    people: list[Principal]
    at: datetime


def personal(set_up: frozenset[str]) -> frozenset[str]:
    return PERSONAL - {"slack"} if SHARED_SLACK in set_up else PERSONAL


def shares(
    route: tuple[str, ...],
    told: Sequence[Principal],
    chosen: Mapping[UUID, Choice],
    set_up: frozenset[str],
    hold: Hold,
    event: str,
    now: datetime,
) -> list[Share]:
    """What a route sends to a shared place first, and what is critical, nobody's choice changes."""
    own = personal(set_up)
    if not told or route[0] not in own or hold.assessment.level is Level.critical:
        return [Share(route, list(told), now)]
    grouped: dict[tuple[tuple[str, ...], datetime], list[Principal]] = {}
    for who in told:
        choice = chosen.get(who.id, Choice())
        key = _channels(choice, route, set_up & own), _moment(choice, hold, event, now)
        grouped.setdefault(key, []).append(who)
    return [Share(channels, people, at) for (channels, at), people in grouped.items()]


def _channels(choice: Choice, route: tuple[str, ...], usable: frozenset[str]) -> tuple[str, ...]:
    """The chosen ones first; those of the route follow, in case the chosen ones fail."""
    if choice.channels is None:
        return route
    first = tuple(channel for channel in choice.channels if channel in usable)
    return (*first, *(channel for channel in route if channel not in first)) if choice.channels else INBOX


def _moment(choice: Choice, hold: Hold, event: str, now: datetime) -> datetime:
    """After the person's quiet hours; now where that would be too late, or the matter does not wait."""
    until = quiet_until(choice, now)
    if until is None or event in URGENT or (hold.expires_at is not None and hold.expires_at <= until):
        return now
    return until


def quiet_until(choice: Choice, now: datetime) -> datetime | None:
    """When the quiet hours end that this moment is in. They may pass midnight."""
    begins, ends = choice.quiet_from, choice.quiet_to
    if begins is None or ends is None:
        return None
    zone = ZoneInfo(choice.timezone)
    local = now.astimezone(zone)
    moment = local.time()
    late = begins > ends and moment >= begins
    if not (late or (moment < ends and (begins <= moment or begins > ends))):
        return None
    day = local.date() + timedelta(days=1 if late else 0)
    return datetime.combine(day, ends, zone).astimezone(now.tzinfo)
