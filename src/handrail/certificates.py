"""The authorities that our clients trust, read once in a process: reading them takes longer than most requests."""

from __future__ import annotations

import ssl
from functools import cache

import httpx


@cache
def trusted(*, by_environment: bool = True) -> ssl.SSLContext:
    """The usual ones; where `by_environment`, those that SSL_CERT_FILE or SSL_CERT_DIR names instead."""
    return httpx.create_ssl_context(trust_env=by_environment)
