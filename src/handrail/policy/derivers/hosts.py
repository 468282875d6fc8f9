"""Hosts as the machine will reach them: names, addresses in every spelling, and which of them are inside."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import idna

Address = IPv4Address | IPv6Address

NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*")

_METADATA = frozenset(
    {
        *("169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.169.253", "100.100.100.200", "192.0.0.192"),
        *("168.63.129.16", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42"),
        *("metadata", "metadata.google.internal", "metadata.goog", "instance-data", "metadata.tencentyun.com"),
        *("metadata.azure.internal", "metadata.packet.net", "metadata.platformequinix.com", "rancher-metadata"),
    }
)
"""Where clouds hand out credentials to whoever asks from inside."""

_INSIDE = (
    *("internal", "local", "localhost", "localdomain", "lan", "intranet", "corp", "home", "private", "home.arpa"),
    *("test", "invalid", "onion", "svc", "consul"),
)
_POINTS_ANYWHERE = ("nip.io", "sslip.io", "xip.io", "localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "traefik.me")
"""Public names that answer with an address of the caller's choice, such as 127.0.0.1."""

_EMBEDS_IPV4 = {IPv6Network("64:ff9b::/96"): 0, IPv6Network("2002::/16"): 80, IPv6Network("::/96"): 0}
"""Networks whose addresses carry one of IPv4 (NAT64, 6to4, compatible), and how many bits stand after it."""

_INTERNAL = frozenset({"internal"})
_CREDENTIAL = frozenset({"credential", "internal"})


def resources_of(host: str) -> frozenset[str]:
    """`credential` for the metadata services of clouds, `internal` for what is not on the public internet."""
    host = host.rstrip(".")
    address = address_of(host)
    if address is not None:
        return _of_address(address)
    if host in _METADATA:
        return _CREDENTIAL
    if any(host == name or host.endswith("." + name) for name in _POINTS_ANYWHERE):
        # 169-254-169-254.nip.io, or hexadecimal: nobody needs one of these for a public host
        return _CREDENTIAL
    if "." not in host or any(host == name or host.endswith("." + name) for name in _INSIDE):
        return _INTERNAL
    return frozenset()


def address_of(host: str) -> Address | None:
    """The address that a host is in any spelling that a machine takes: `0x7f.1`, `2130706433`, `[::ffff:7f00:1]`."""
    if host.startswith("[") or ":" in host:
        return _ipv6(host.removeprefix("[").removesuffix("]"))
    return _ipv4(host)


def ends_in_number(host: str) -> bool:
    """Whether browsers and most libraries take a host for an address, also one that is not a valid one."""
    last = host.rstrip(".").rpartition(".")[2]
    return last.isdigit() or re.fullmatch("0[xX][0-9a-fA-F]*", last) is not None


def ascii_name(host: str) -> str | None:
    """A host's name in lower-case ASCII (`xn--…` where it has other letters); None if it is not a name."""
    try:
        name = host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")
        name = name.lower()
        if any(label.startswith("xn--") for label in name.split(".")):
            idna.decode(name)
    except (UnicodeError, ValueError):
        return None
    return name if len(name) <= 253 and NAME.fullmatch(name) else None


def _of_address(address: Address) -> frozenset[str]:
    reached = _embedded(address)
    if str(reached) in _METADATA:
        return _CREDENTIAL
    return frozenset() if reached.is_global and not reached.is_multicast else _INTERNAL


def _embedded(address: Address) -> Address:
    """The address that packets to this one reach in the end."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    for network, bits in _EMBEDS_IPV4.items():
        if address in network and int(address) > 1:
            return IPv4Address(int(address) >> bits & 0xFFFFFFFF)
    return address


def _ipv6(text: str) -> IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return address if isinstance(address, IPv6Address) else None


def _ipv4(text: str) -> IPv4Address | None:
    """By the rules of inet_aton: one to four parts, each decimal, octal or hexadecimal, the last fills the rest."""
    parts = text.removesuffix(".").split(".")
    if not 1 <= len(parts) <= 4:
        return None
    numbers = [_number(part) for part in parts]
    *heads, last = numbers
    value = 0
    for head in heads:
        if head is None or head > 255:
            return None
        value = value << 8 | head
    room = 8 * (5 - len(parts))
    if last is None or last >= 1 << room:
        return None
    return IPv4Address(value << room | last)


def _number(part: str) -> int | None:
    if not "0" <= part[:1] <= "9":
        return None
    if re.fullmatch("0[xX][0-9a-fA-F]{0,16}", part):
        return int(part[2:] or "0", 16)
    if re.fullmatch("0[0-7]{1,20}", part):
        return int(part, 8)
    return int(part) if re.fullmatch("[0-9]{1,20}", part) else None
