"""How a provider's package is spoken to: address, key, and what goes wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from handrail.core.errors import Misconfigured
from handrail.settings import Settings

Made = TypeVar("Made")


def connection(settings: Settings) -> dict[str, Any]:
    """What is set of address and key; the rest is the provider's own default and environment variable."""
    given = {"base_url": settings.model_url, "api_key": settings.model_secret()}
    return {name: value for name, value in given.items() if value is not None}


def provided(setting: str, name: str, make: Callable[[], Made]) -> Made:
    """What a provider's package makes; `Misconfigured` names the setting where it is not installed or lacks its key."""
    provider = name.partition(":")[0]
    try:
        return make()
    except ImportError as error:
        raise Misconfigured(
            f"{setting}: the model {name!r} needs a package that is not installed: pip install 'handrail[{provider}]'"
        ) from error
    except Exception as error:
        # each provider raises its own; none of them puts a key into it
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Misconfigured(f"{setting}: the model {name!r} cannot be used: {reason}") from error
