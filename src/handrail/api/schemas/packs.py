"""Decision packs on the wire."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel, Field, JsonValue

from handrail.core.packs import Name, Source, State


class PackPart(BaseModel):
    name: Name
    source: Source = Field(
        description="Where it comes from. `opener` is a claim of whoever asks, `plugin` the word of the one in `by`."
    )
    by: str | None = Field(description="The plug-in.")
    state: State = Field(
        description="`nothing`: nothing is known. `late`: it was not there in time. `failed`: it ended with an error."
    )
    content: JsonValue = Field(description="Depends on the name.")


class PackOut(BaseModel):
    """What is known about a hold, as you may see it."""

    hold_id: UUID
    revision: int
    digest: str
    hash: str = Field(description="Of all parts. Send it as `pack` with your review, to record what you were shown.")
    words: int = Field(description="How many there are to read.")
    parts: list[PackPart]
