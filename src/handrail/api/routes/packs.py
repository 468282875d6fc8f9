"""Decision packs over HTTP."""

from __future__ import annotations

from handrail.api.identity import Reader, guarded_router
from handrail.api.references import HoldInPath
from handrail.api.schemas.packs import PackOut, PackPart
from handrail.api.services import Use
from handrail.holds import packing

router = guarded_router("holds")


@router.get("/api/holds/{hold_id:hold}/pack", summary="See what is known about a hold")
async def read_pack(hold_id: HoldInPath, caller: Reader, services: Use) -> PackOut:
    """The decision pack: what happens, why it was held, what it touches, precedents and more, each with its source.

    For people. What you may not see is not in it, nor counted.
    """
    found = await packing.pack(services.context, services.packer, caller.principal, hold_id)
    return PackOut(
        hold_id=found.hold_id,
        revision=found.revision,
        digest=found.digest,
        hash=found.hash,
        words=found.words,
        parts=[
            PackPart(name=part.name, source=part.source, by=part.by, state=part.state, content=part.content)
            for part in found.parts
        ],
    )
