"""Devices of people that web push reaches."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Line, Wire

Bytes = Annotated[str, Field(min_length=1, max_length=200, description="In base64url.")]


class AddDevice(Wire):
    """What `PushManager.subscribe` gave: `endpoint` and `getKey(…)`."""

    endpoint: Annotated[str, Field(min_length=1, max_length=2000)]
    p256dh: Bytes
    auth: Bytes
    label: Line


class DeviceOut(BaseModel):
    id: UUID
    label: str
    fingerprint: str = Field(description="SHA-256 of its endpoint, in base64url: a browser knows itself by it.")
    added_at: datetime


class DeviceList(BaseModel):
    public_key: str = Field(description="`applicationServerKey` of `PushManager.subscribe`, in base64url.")
    notified: bool = Field(description="Whether the policy in force notifies anyone by `push`.")
    devices: list[DeviceOut]
