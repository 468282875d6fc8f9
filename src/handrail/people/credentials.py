"""Random secrets, and the hashes that are kept of them."""

from __future__ import annotations

import hashlib
import secrets

PREFIX = "hr_"


def fresh() -> str:
    """256 random bits as text."""
    return secrets.token_urlsafe(32)


def fresh_token() -> str:
    return PREFIX + fresh()


def hash_of(secret: str) -> bytes:
    """SHA-256: enough for what is random, and fast enough for every request. Passwords are not: see `passwords`."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()
