"""The command `/handrail`: links the Slack account with the code that a person got while signed in."""

from __future__ import annotations

from handrail.channels import linking
from handrail.core import errors
from handrail.people.sso.desk import SsoDesk

USAGE = (
    "Send `/handrail link CODE` to decide in Slack. Get the code on the command line with `handrail link slack`; "
    "it works for 10 minutes. Nobody else sees this message."
)


async def command(desk: SsoDesk, account: str, text: str) -> str:
    """What only the person who sent it reads."""
    words = text.split()
    try:
        if [word.lower() for word in words[:1]] != ["link"] or len(words) != 2:
            linked = await linking.caller_of(desk, "slack", account)
            return f"You decide here as {linked.principal.name}. {USAGE}" if linked else USAGE
        made = await linking.link(desk.database, "slack", account, words[1])
    except (errors.Rejected, errors.SsoUnreachable) as error:
        return errors.sentence(error.message)
    return f"Linked. From now on this Slack account decides as {made.principal.name}."
