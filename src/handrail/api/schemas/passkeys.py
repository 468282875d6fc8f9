"""Passkeys: what browsers and authenticators are asked, and what they answer. Bytes are base64url."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from handrail.api.schemas.fields import Line, Wire

Bytes = Annotated[str, Field(min_length=1, max_length=20_000)]
Nonce = Annotated[str, Field(min_length=1, max_length=100)]


class PasskeySignature(Wire):
    """What `navigator.credentials.get` gave for the challenge that `nonce` made."""

    nonce: Nonce
    id: Bytes
    client_data: Bytes
    authenticator_data: Bytes
    signature: Bytes


class PasskeySignIn(PasskeySignature):
    pass


class AddPasskey(Wire):
    """What `navigator.credentials.create` gave: `getPublicKey()`, `getAuthenticatorData()` and `clientDataJSON`."""

    label: Line
    nonce: Nonce
    id: Bytes
    client_data: Bytes
    authenticator_data: Bytes
    public_key: Bytes


class PasskeyOptions(BaseModel):
    """For `navigator.credentials`, always with user verification required."""

    nonce: str
    challenge: str
    party: str = Field(description="The relying party's id: the name of this site.")
    credentials: list[str] = Field(description="To sign: those that can. To add: those that you have already.")


class PasskeyOut(BaseModel):
    id: UUID
    label: str
    created_at: datetime
    signs_from: datetime = Field(description="When it can sign decisions. It signs you in from the start.")
    last_used_at: datetime | None


class PasskeyList(BaseModel):
    passkeys: list[PasskeyOut]
