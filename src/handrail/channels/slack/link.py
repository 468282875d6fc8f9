"""The command `/handrail`: links the Slack account with the code that a person got while signed in."""

from __future__ import annotations

from handrail.channels import linking
from handrail.core import errors
from handrail.store.database import Database

USAGE = (
    "Send `/handrail link CODE` to decide in Slack. Get the code on the command line with `handrail link slack`; "
    "it works for 10 minutes. Nobody else sees this message."
)


async def command(database: Database, account: str, text: str) -> str:
    """What only the person who sent it reads."""
    words = text.split()
    if [word.lower() for word in words[:1]] != ["link"] or len(words) != 2:
        linked = await linking.caller_of(database, "slack", account)
        return f"You decide here as {linked.principal.name}. {USAGE}" if linked else USAGE
    try:
        made = await linking.link(database, "slack", account, words[1])
    except errors.Rejected as error:
        return errors.sentence(error.message)
    return f"Linked. From now on this Slack account decides as {made.principal.name}."
