"""Proves to push services who sends (VAPID, RFC 8292): by one key for each database, made when it is first needed."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
)

from handrail.channels.push import encryption
from handrail.core import errors, ids
from handrail.core.sealing import SALT_BYTES, Sealer, WrongKey
from handrail.settings import Settings
from handrail.store import push
from handrail.store.database import Database

# services take at most 24 hours
LIFE = timedelta(hours=12)
_NO_KEY = "This process cannot open the key of web push: HANDRAIL_ANSWER_KEY_FILE must be the key that sealed it."


@dataclass(frozen=True, slots=True)
class Vapid:
    """`subject` is whom a push service writes to about these messages."""

    key: ec.EllipticCurvePrivateKey
    subject: str

    def authorization(self, endpoint: str, now: datetime) -> str:
        """For this service alone: another that sees it cannot use it."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((now + LIFE).timestamp()), "sub": self.subject}
        token = jwt.encode(claims, self.key, algorithm="ES256", headers={"typ": "JWT"})
        return f"vapid t={token}, k={to_text(encryption.point_of(self.key))}"


async def own(database: Database, sealer: Sealer | None, settings: Settings) -> Vapid:
    """Ready to sign; `Unavailable` where this process has not the key that seals it."""
    if sealer is None:
        raise errors.Unavailable(_NO_KEY)
    found = await _kept(database, sealer)
    try:
        der = from_text(str(sealer.open(found.id, found.box, None).answer))
    except WrongKey as error:
        raise errors.Unavailable(_NO_KEY) from error
    key = load_der_private_key(der, None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return Vapid(key, subject(settings))


async def public_key(database: Database, sealer: Sealer | None) -> str:
    """What a browser binds a subscription to."""
    if sealer is None:
        raise errors.Unavailable(_NO_KEY)
    return to_text((await _kept(database, sealer)).public_key)


def subject(settings: Settings) -> str:
    """Services want an address of theirs that people read: mail, or a page with HTTPS."""
    assert settings.public_url is not None
    by_mail = settings.email_from is not None and not settings.public_url.startswith("https:")
    return f"mailto:{settings.email_from}" if by_mail else settings.public_url


async def _kept(database: Database, sealer: Sealer) -> push.Key:
    async with database.transaction() as conn:
        found = await push.key(conn)
        if found is not None:
            return found
        made, id_ = ec.generate_private_key(encryption.CURVE()), ids.fresh()
        der = made.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        box = sealer.seal(id_, to_text(der), bytes(SALT_BYTES))
        return await push.put_key(conn, push.Key(id_, encryption.point_of(made), box))


def to_text(bytes_: bytes) -> str:
    return base64.urlsafe_b64encode(bytes_).rstrip(b"=").decode()


def from_text(text: str) -> bytes:
    """`ValueError` where it is not base64url."""
    if not text.isascii() or set("+/") & set(text):
        raise ValueError("this is not base64url")
    return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
