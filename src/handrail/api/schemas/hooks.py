"""What the hooks of coding agents send."""

from __future__ import annotations

from pydantic import RootModel

from handrail.core.canonical import JsonObject


class HookCall(RootModel[JsonObject]):
    """A tool call as the agent gives it to its hooks. Fields that we do not know are ignored: agents add some."""
