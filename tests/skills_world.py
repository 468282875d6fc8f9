"""A skill that people approved, for tests that run one."""

from __future__ import annotations

from datetime import UTC, datetime
from types import MappingProxyType

from handrail.core import ids, skills
from handrail.core.holds import Action, Kind, Status, Verdict
from handrail.core.ids import HoldId
from handrail.core.people import Principal
from handrail.core.skills import Files, Source, Version
from handrail.holds import deciding, opening
from handrail.holds.context import Context
from handrail.holds.deciding import Say
from handrail.holds.opening import Opening
from handrail.settings import Settings
from handrail.skills import manifests
from handrail.skills.registering import Desk
from handrail.store import clock
from handrail.store import skills as rows

COLOUR = "favourite-colour"
SKILL = f"""---
name: {COLOUR}
description: Asks for a favourite colour and uses it.
---
Ask for the person's favourite colour, then say what to paint with it.
"""


def desk_of(context: Context, settings: Settings, who: Principal) -> Desk:
    """Where this person registers, without a run around it and with nobody who listens."""
    since = datetime.max.replace(tzinfo=UTC)
    return Desk(context, settings, who, context.database.transaction, lambda _event: None, since)


async def skill_in_force(
    context: Context, asks: Principal, decides: Principal, files: Files = MappingProxyType({"SKILL.md": SKILL.encode()})
) -> None:
    """As registration leaves it, without the seconds that its scan takes."""
    manifest = manifests.read(files)
    name = manifest.name
    async with context.database.transaction() as conn:
        number = await rows.lock(conn, name) + 1
        version = Version(
            id=ids.fresh(),
            skill=name,
            number=number,
            content_hash=skills.content_hash(files),
            manifest=manifest,
            source=Source("folder", "skills"),
            findings=(),
            safe=True,
            registered_at=await clock.now(conn),
            registered_by=asks.id,
            status=Status.pending,
        )
        await rows.insert(conn, version, files)
    asked = Opening(
        Kind.review, f"Add the skill {name}", Action("skill.register", {}, name), hold_id=HoldId(version.id)
    )
    hold = await opening.open_hold(context, asks, asked)
    await deciding.review(context, decides, hold.id, Say(Verdict.approve, hold.digest))
