"""Repositories by their address: what names the same one, over https or ssh."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from handrail.sandbox.repositories import SHORT


def place_of(address: str) -> tuple[str, str]:
    """Host (with its port, if that is not the usual one for the web) and path; `("", folder)` for a folder."""
    short = SHORT.fullmatch(address)
    if short:
        return short["host"].lower(), _path(short["path"])
    parts = urlsplit(address)
    if not parts.hostname:
        return "", address.rstrip("/")
    port = "" if parts.scheme == "ssh" or parts.port in (None, 80, 443) else f":{parts.port}"
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{name}{port}", _path(parts.path)


def same_repository(one: str, other: str) -> bool:
    """Case does not count: on no host do two repositories differ by it alone."""
    try:
        first, second = place_of(one), place_of(other)
    except ValueError:
        return False
    return [part.casefold() for part in first] == [part.casefold() for part in second]


def _path(path: str) -> str:
    return re.sub(r"\.git$", "", path.strip("/"))
