"""What the submitter of a task may ask for beyond the policy: fewer people and less time, never more."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from handrail.core import errors, thresholds
from handrail.core.canonical import Json, JsonObject
from handrail.core.risk import Assessment

APPROVERS = "approvers"
TIMEOUT = "timeout_minutes"
# an amendment may have made anything of it; beyond this a time is no limit
LONGEST_MINUTES = 10 * 365 * 24 * 60


def within(found: Assessment, args: JsonObject) -> Assessment:
    """The assessment of a task, narrowed to the roles that it names and shortened to its time.

    Where these roles cannot meet what the policy asks for, the policy stands as it is.
    """
    named, minutes = _roles(args.get(APPROVERS)), _minutes(args.get(TIMEOUT))
    needed = (thresholds.narrowed(found.requirements, named) if named else None) or found.requirements
    limits = [limit for limit in (found.timeout, minutes) if limit is not None]
    return replace(found, requirements=needed, timeout=min(limits, default=None))


def check(found: Assessment, args: JsonObject) -> None:
    """Refuses a task that names only people who could not approve it."""
    named = _roles(args.get(APPROVERS))
    if named and not found.auto_approve and not found.requirements.roles <= named:
        roles = ", ".join(sorted(found.requirements.roles))
        raise errors.InvalidField(
            f"`{APPROVERS}` can narrow what the policy asks for: this task is {found.level} and needs {roles}; "
            f"{', '.join(sorted(named))} could not approve it",
            field=APPROVERS,
        )


def _roles(named: Json) -> frozenset[str]:
    return frozenset(role for role in named if isinstance(role, str)) if isinstance(named, list) else frozenset()


def _minutes(given: Json) -> timedelta | None:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= LONGEST_MINUTES:
        return None
    return timedelta(minutes=given)
