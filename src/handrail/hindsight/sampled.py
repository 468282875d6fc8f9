"""The rule that findings of samples propose, as a changed policy with its replay: for a person to apply."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from handrail.core import errors
from handrail.core.callers import Caller
from handrail.hindsight.loosening import Unchangeable, added
from handrail.holds import sampling
from handrail.holds.context import Context
from handrail.holds.replaying import Replay, replay
from handrail.holds.sampling import Proposal


class Detail(NamedTuple):
    proposal: Proposal
    files: Mapping[str, str]
    replay: Replay


async def detail(context: Context, caller: Caller, wanted: str, since: datetime, until: datetime) -> Detail:
    """For those who read everything."""
    if not caller.principal.reads_all:
        raise errors.Forbidden("Replaying the past is for auditors and administrators.")
    found = await sampling.listed(context, caller.principal)
    proposal = next((one for one in found.proposals if one.id == wanted), None)
    if proposal is None:
        raise errors.NotFound(f"There is no finding that proposes a rule {wanted}.")
    try:
        files = added(context.policy().source, proposal.rule)
    except Unchangeable as error:
        raise errors.Conflict(f"The rule must be added by hand: {error}.") from None
    return Detail(proposal, files, await replay(context, caller, files, since, until))
