"""Addresses of the web: a plain read is a GET by http or https to an allowed host, read the same way by all.

Libraries disagree about odd addresses: where the host ends, what a backslash is, which numbers are an address. What two
of them could read differently is unclear.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import idna

from . import names
from .credentials import is_credential
from .hosts import address_of, ascii_name, ends_in_number, resources_of
from .reading import READ, Reading, unreadable

_METHODS = {
    **dict.fromkeys(("GET", "HEAD", "OPTIONS"), "fetch"),
    **dict.fromkeys(("POST", "PUT", "PATCH"), "send"),
    "DELETE": "delete",
}
_PORTS = {"http": 80, "https": 443}
_MAX_LENGTH = 8 * 1024
"""More than servers accept."""

_ABSOLUTE = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_WEB = re.compile(r"//([^/?#]+)(?:(/[^?#]*)(\?[^#]*)?(#.*)?)?", re.DOTALL)
"""A host, and a path before any query or fragment: `http://a.example#@b.example` has been read both ways."""
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:@\[\]%]+)(?::([1-9][0-9]{0,4}))?")
_REST = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#\[\]]|%[0-9A-Fa-f]{2}|[^\W\x00-\x7f])*")


class _Place(NamedTuple):
    host: str
    port: int


class _Odd(Exception):
    """Why an address could not be fully read."""


def read(url: str, method: str = "GET", allowed: Collection[str] = ()) -> Reading:
    """What a request does. `allowed` has hosts: `example.org`, `*.example.org` (all below it), `example.org:8443`."""
    verb = method.strip().upper()
    operation = _METHODS.get(verb, "send")
    if len(url) > _MAX_LENGTH:
        return unreadable("the address is too long to read", (operation,))
    found = _ABSOLUTE.fullmatch(url)
    scheme = found[1].lower() if found else ""
    if found and scheme not in _PORTS:
        return _other(scheme, found[2], operation)
    try:
        place = _place(url, scheme, found[2] if found else url)
    except _Odd as odd:
        hosts = _suspected(url)
        resources = frozenset(resource for host in hosts for resource in resources_of(host))
        return Reading(frozenset({operation}), str(odd), hosts, resources, str(odd))
    reason = f"{verb if verb in _METHODS else 'request'} {place.host}"
    reading = Reading(frozenset({operation}), reason, frozenset({place.host}), resources_of(place.host))
    if verb not in _METHODS:
        return _with(reading, unclear="the method is not a common one")
    if _fits(place, scheme, allowed):
        return _with(reading, operations=READ) if verb in ("GET", "HEAD") else reading
    return _with(reading, unclear=_lookalike(place.host))


def host_of(address: str) -> str | None:
    """The host of an address with or without a scheme, if it can be read."""
    found = _ABSOLUTE.fullmatch(address)
    if found and found[2].startswith("//"):
        address = found[2][2:]
    authority = re.split(r"[/?#\\]", address, maxsplit=1)[0].rpartition("@")[2]
    host = authority if authority.startswith("[") else authority.partition(":")[0]
    bare = host.partition("]")[0].removeprefix("[")
    return bare.lower() if address_of(bare) else ascii_name(bare.rstrip("."))


def _place(url: str, scheme: str, rest: str) -> _Place:
    if not scheme:
        raise _Odd("the address has no scheme such as https:")
    if not url.isprintable() or "\\" in url or " " in url:
        raise _Odd("the address has spaces, backslashes or invisible characters")
    parts = _WEB.fullmatch(rest)
    if parts is None:
        raise _Odd("it is unclear where the host ends")
    if not _REST.fullmatch("".join(part or "" for part in parts.groups()[1:])):
        raise _Odd("the path has characters that must be encoded")
    authority = _AUTHORITY.fullmatch(parts[1])
    if authority is None:
        raise _Odd("the host has a user name or invalid characters")
    host, port = _host(authority[1]), int(authority[2] or _PORTS[scheme])
    if port > 65535 or not _agrees(url, authority[1], authority[2]):
        raise _Odd("libraries read the host differently")
    return _Place(host, port)


def _host(written: str) -> str:
    address = address_of(written)
    if address is not None:
        if str(address) != written.strip("[]").lower():
            raise _Odd(f"an unusual spelling of the address {address}")
        return str(address)
    if ends_in_number(written) or written.startswith("["):
        raise _Odd("the host looks like an IP address but is not one")
    name = ascii_name(written)
    if name is None:
        raise _Odd("the host is not a valid name")
    if not written.isascii() and idna.decode(name) != written.lower():
        # `。` is a dot, and `①` is 1, to some readers
        raise _Odd("the host has look-alike characters")
    return name


def _agrees(url: str, host: str, port: str | None) -> bool:
    """Whether the standard library reads the same host and port."""
    try:
        split = urlsplit(url)
        return split.hostname == host.strip("[]").lower() and split.port == (int(port) if port else None)
    except ValueError:
        return False


def _fits(place: _Place, scheme: str, allowed: Collection[str]) -> bool:
    return any(_fits_one(place, scheme, entry.strip().lower()) for entry in allowed)


def _fits_one(place: _Place, scheme: str, entry: str) -> bool:
    if address_of(entry):
        host, port = entry.strip("[]"), ""
    else:
        host, _, port = entry.rpartition(":") if re.search(r":[0-9]+$", entry) else (entry, "", "")
    if place.port != (int(port) if port else _PORTS[scheme]):
        return False
    address = address_of(place.host)
    if address is not None:
        return address == address_of(host)
    if host.startswith("*."):
        name = ascii_name(host[2:])
        return name is not None and place.host.endswith("." + name) and _lookalike(place.host) is None
    return place.host == ascii_name(host)


def _lookalike(host: str) -> str | None:
    """Whether a host with letters of other scripts looks like another one."""
    if "xn--" not in host:
        return None
    try:
        shown = idna.decode(host)
    except (UnicodeError, ValueError):
        return "the host is not a valid name"
    return "the host looks like another one" if names.fold(shown).changed else None


def _other(scheme: str, rest: str, operation: str) -> Reading:
    if scheme == "file":
        path = unquote(rest)
        resources = {"file", "credential"} if is_credential(path) else {"file"}
        operations = {"read", "fetch"} if operation == "fetch" else {"write"}
        return Reading(
            frozenset(operations), "a local file", resources=frozenset(resources), unclear="a file, not a web address"
        )
    host = host_of(rest.removeprefix("//")) if rest.startswith("//") else None
    return Reading(
        frozenset({"send"} if scheme == "mailto" else {operation}),
        f"an address of the scheme {scheme[:20]}",
        hosts=frozenset({host} if host else ()),
        resources=resources_of(host) if host else frozenset(),
        unclear="neither http nor https",
    )


def _suspected(url: str) -> frozenset[str]:
    """The hosts that an odd address may lead to: its first word, or any after an @. Before one may be a secret."""
    rest = re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*:", "", re.sub(r"[\x00-\x20]", "", unquote(url))).lstrip("/\\")
    candidates = map(host_of, re.findall(r"(?:^|@)([^/\\?#@]+)(?![^/\\?#@]*@)", rest)[:4])
    return frozenset(host for host in candidates if host and ("." in host or host == "localhost" or address_of(host)))


def _with(reading: Reading, *, operations: frozenset[str] | None = None, unclear: str | None = None) -> Reading:
    return Reading(
        operations or reading.operations, reading.reason, reading.hosts, reading.resources, unclear or reading.unclear
    )
