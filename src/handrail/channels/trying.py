"""Which channels there are and whom they reach, and a test of each."""

from __future__ import annotations

from dataclasses import dataclass

from handrail.channels import delivering, own
from handrail.channels.channel import NotSent
from handrail.core import errors
from handrail.core.callers import Caller, Scope
from handrail.holds.choosing import PERSONAL, SHARED_SLACK
from handrail.holds.context import Context
from handrail.settings import Settings
from handrail.store import linked_accounts, people, push

# what a channel needs, where it is not set up
NEEDS = {
    "slack": "HANDRAIL_SLACK_BOT_TOKEN",
    "email": "HANDRAIL_SMTP_URL",
    "push": "HANDRAIL_PUBLIC_URL",
    "linear": "HANDRAIL_LINEAR_API_KEY",
    "webhook": "HANDRAIL_WEBHOOK_URL",
}


@dataclass(frozen=True, slots=True)
class Described:
    """`reaches`: whether it would reach the person who asks, or the place that all share."""

    name: str
    set_up: bool
    shared: bool
    reaches: bool
    named: bool
    """Whether a route of the policy in force names it."""


async def described(context: Context, caller: Caller) -> list[Described]:
    own.check(caller, "read how you are notified")
    usable = context.set_up
    named = {channel for route in context.policy().routes.values() for channel in route.channels}
    return [
        Described(
            name,
            name in usable,
            _is_shared(context, name),
            name in usable and (_is_shared(context, name) or await _reaches(context, name, caller)),
            name in named,
        )
        for name in NEEDS
    ]


async def test(context: Context, settings: Settings, caller: Caller, name: str) -> None:
    """Returns once the other side has taken it; `NotDelivered` says why it did not."""
    own.check(caller, "send a test")
    if name not in NEEDS or name not in context.set_up:
        missing = f": {NEEDS[name]} is missing" if name in NEEDS else ""
        raise errors.NotFound(f"The channel {name!r} is not set up{missing}.")
    if _is_shared(context, name):
        # others read it
        caller.require(Scope.administer)
    async with delivering.opened(context, settings) as channels:
        try:
            await channels[name].test(caller.principal)
        except NotSent as failure:
            raise errors.NotDelivered(f"The test was not delivered: {failure}.") from None


def _is_shared(context: Context, name: str) -> bool:
    return name not in PERSONAL or (name == "slack" and SHARED_SLACK in context.set_up)


async def _reaches(context: Context, name: str, caller: Caller) -> bool:
    who = [caller.principal.id]
    async with context.database.connection() as conn:
        match name:
            case "email":
                return bool(await people.addressed(conn, who))
            case "push":
                return bool(await push.of_people(conn, who))
            case _:
                return bool(await linked_accounts.of_people(conn, name, who))
