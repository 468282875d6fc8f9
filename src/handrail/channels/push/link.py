"""The devices of a person: switched on in the browser, by the person alone, and gone when the service says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

from handrail.channels import own as own_matters
from handrail.channels.events import PushAdded, PushRemoved
from handrail.channels.push import encryption
from handrail.channels.push.vapid import from_text
from handrail.core import errors, ids
from handrail.core.callers import Caller
from handrail.holds.context import Context
from handrail.settings import LOCAL_HOSTS, Settings
from handrail.store import clock, events, people, push
from handrail.store.push import Device

CHANNEL = "push"
MOST = 20
# nothing that two parsers could read differently
_ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[::1\])(:(?P<port>[0-9]{1,5}))?(/[a-zA-Z0-9/?&=%_.~:+,;@!$*()'-]*)?"
)


@dataclass(frozen=True, slots=True)
class Subscription:
    """As a browser gives it; the keys are base64url."""

    endpoint: str
    public_key: str
    auth: str


def is_allowed(settings: Settings, endpoint: str) -> bool:
    """Whether the server may send there: the address came from a browser, and must not lead into our own network."""
    found = _ADDRESS.fullmatch(endpoint)
    if found is None:
        return False
    scheme, host, port = found["scheme"], found["host"].strip("[]"), int(found["port"] or 443)
    if host in LOCAL_HOSTS:
        return host in settings.push_hosts and port < 65536
    listed = any(host == name or host.endswith(f".{name}") for name in settings.push_hosts)
    return listed and scheme == "https" and port == 443


async def own(context: Context, caller: Caller) -> list[Device]:
    _check(caller)
    async with context.database.connection() as conn:
        return await push.of_people(conn, [caller.principal.id])


async def add(context: Context, settings: Settings, caller: Caller, new: Subscription, label: str) -> Device:
    """The same browser again is the same device."""
    _check(caller)
    if not is_allowed(settings, new.endpoint):
        raise errors.InvalidField(
            f"Handrail does not send to {new.endpoint[:100]!r}. If it is your browser's push service, an administrator "
            "can add its host to HANDRAIL_PUSH_HOSTS.",
            field="endpoint",
        )
    point, auth = _decoded("p256dh", new.public_key), _decoded("auth", new.auth)
    try:
        encryption.public_key(point)
    except ValueError as error:
        raise errors.InvalidField(f"`p256dh` is not a P-256 public key: {error}.", field="p256dh") from None
    if len(auth) != encryption.AUTH_BYTES:
        raise errors.InvalidField(f"`auth` must have {encryption.AUTH_BYTES} bytes.", field="auth")
    who = caller.principal
    async with context.database.transaction() as conn:
        await people.lock(conn, who.id)
        before = await push.of_people(conn, [who.id])
        if len(before) >= MOST and new.endpoint not in {device.endpoint for device in before}:
            raise errors.Conflict(f"You have {MOST} devices. Remove one first.")
        now = await clock.now(conn)
        device = await push.add(conn, Device(ids.fresh(), who.id, label, new.endpoint, point, auth, now))
        if device is None:
            raise errors.Conflict("This browser notifies somebody else. Switch it off there, then try again.")
        said = PushAdded(actor=who.id, device_id=device.id, label=label)
        await events.append(conn, [said], now)
    return device


async def remove(context: Context, caller: Caller, device_id: UUID) -> None:
    """One of your own."""
    _check(caller)
    async with context.database.transaction() as conn:
        if not await push.remove_own(conn, caller.principal.id, device_id):
            raise errors.NotFound(f"You have no device {device_id}.")
        said = PushRemoved(actor=caller.principal.id, person=caller.principal.id, device_id=device_id)
        await events.append(conn, [said], await clock.now(conn))


async def expire(context: Context, device: Device) -> None:
    """Its push service no longer knows it."""
    async with context.database.transaction() as conn:
        if await push.remove(conn, device.id):
            said = PushRemoved(person=device.principal_id, device_id=device.id)
            await events.append(conn, [said], await clock.now(conn))
    context.poke()


def _decoded(name: str, text: str) -> bytes:
    try:
        return from_text(text)
    except ValueError:
        raise errors.InvalidField(f"`{name}` is not base64url.", field=name) from None


def _check(caller: Caller) -> None:
    own_matters.check(caller, "manage your devices")
