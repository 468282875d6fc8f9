"""Whether the server is well."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class Health(BaseModel):
    status: Literal["ok", "unavailable"]
    version: str
    database: Literal["ok", "unavailable"]
    disk: Literal["ok", "low"]
    """Low: nothing new is taken, while people can still decide and brake."""
