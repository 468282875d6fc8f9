"""Links a Linear account to a person: the person says which account is theirs, and that account sends the code.

Comments are public, so a code works for that one account alone: whoever reads it first gains nothing by it.
"""

from __future__ import annotations

import re

from handrail.channels import linking
from handrail.channels.channel import NotSent
from handrail.channels.linear.api import Api
from handrail.channels.linear.send import CHANNEL
from handrail.core import errors
from handrail.core.callers import Caller
from handrail.people.signing_in import Link
from handrail.people.sso.desk import SsoDesk
from handrail.store.database import Database

_COMMAND = re.compile(r"\s*/?handrail\s+link\s+(\S+)\s*", re.IGNORECASE)


async def make_code(database: Database, api: Api, caller: Caller, email: str) -> Link:
    """A code that works for the account with this address."""
    try:
        account = await api.account(email)
    except NotSent as failure:
        raise errors.Unavailable(f"The account cannot be looked up: {failure}.") from None
    if account is None:
        raise errors.InvalidField(f"Linear has no active member with the address {email!r}.", field="account")
    return await linking.make_code(database, caller, CHANNEL, account)


def code_in(text: str) -> str | None:
    """The code, where the comment is the command."""
    found = _COMMAND.fullmatch(text)
    return found[1] if found else None


async def command(desk: SsoDesk, account: str, code: str) -> str:
    """What is answered under the comment."""
    try:
        made = await linking.link(desk.database, CHANNEL, account, code)
    except errors.Rejected as error:
        return errors.sentence(error.message)
    return f"Linked. From now on comments by this Linear account are {made.principal.name}'s in Handrail."
