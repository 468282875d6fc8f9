"""Which chat models there are, by tier: `light` for what is simple, `advanced` for what is not."""

from __future__ import annotations

from typing import Literal, get_args

from handrail.core.errors import InvalidField
from handrail.settings import Settings

Tier = Literal["light", "advanced"]
TIERS: tuple[Tier, ...] = get_args(Tier)


def check(settings: Settings, name: str) -> None:
    """Refuses a name that is neither a tier nor that of a configured model."""
    configured = names(settings)
    if name not in TIERS and name not in configured.values():
        choices = ", ".join([*configured, *sorted(set(configured.values()))]) or "none"
        raise InvalidField(f"{name!r} is not a configured model; choose from {choices}", field="model_id")


def names(settings: Settings) -> dict[Tier, str]:
    """The configured models."""
    given: dict[Tier, str | None] = {"light": settings.model_light, "advanced": settings.model_advanced}
    return {tier: name for tier, name in given.items() if name}
