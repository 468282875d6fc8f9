"""Which addresses are on the public internet, whatever form they are written in."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

# all that is handed out to the public; what IPv6 has besides is for networks of one's own, or stands for IPv4
UNICAST = IPv6Network("2000::/3")
NOT_PUBLIC: tuple[IPv6Network, ...] = (
    # Teredo: a tunnel to whatever lies behind some router
    IPv6Network("2001::/32"),
    # for documentation, which Python learned of later
    IPv6Network("3fff::/20"),
)
# the way back of 6to4, which leads to the nearest router
RELAYS = IPv4Network("192.88.99.0/24")

# these carry an IPv4 address in their last 32 bits: as such, mapped, translated, and by NAT64
ENDING_IN_IPV4 = tuple(map(IPv6Network, ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")))
SIX_TO_FOUR = IPv6Network("2002::/16")
# what ISATAP puts before an IPv4 address, in any network
ISATAP = (0x0000_5EFE, 0x0200_5EFE)


def is_public(address: Address) -> bool:
    """Whether the address, and each IPv4 address that it stands for, is one of the public internet.

    A network's own prefix for NAT64 cannot be told from any other: it is for the operator to block there.
    """
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast and address not in RELAYS
    embedded = list(_embedded(address))
    if not all(map(is_public, embedded)):
        return False
    if any(address in network for network in ENDING_IN_IPV4):
        return True
    return address in UNICAST and _is_handed_out(address)


def _is_handed_out(address: IPv6Address) -> bool:
    return address in SIX_TO_FOUR or (address.is_global and not any(address in network for network in NOT_PUBLIC))


def _embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses that a router may send to in its place."""
    number = int(address)
    last = IPv4Address(number & 0xFFFF_FFFF)
    if any(address in network for network in ENDING_IN_IPV4) or (number >> 32) & 0xFFFF_FFFF in ISATAP:
        yield last
    if address in SIX_TO_FOUR:
        yield IPv4Address((number >> 80) & 0xFFFF_FFFF)
