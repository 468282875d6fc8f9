"""How many connections there may be, and which one goes where there is no room for another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Protocol

ANY = "*"


class Guest(Protocol):
    """A connection. Where it keeps us waiting, it may be sent away for another."""

    address: str

    def send_away(self) -> None: ...


class Doors:
    """At most `most` connections, of which `per_address` come from one address; from proxies that are trusted, all may.

    Who comes when it is full takes the place of the one that has kept us waiting longest: in mid-request, or else
    between two. So those that say what they want and take the answer get in, however many others only hold the door.
    """

    def __init__(self, most: int, per_address: int, proxies: Sequence[str] = ()) -> None:
        self._most = most
        self._per_address = per_address
        self._proxies = proxies
        self._inside: Counter[str] = Counter()
        self._count = 0
        # in the order in which they began to wait
        self._unfinished: dict[str, dict[Guest, None]] = {}
        self._idle: dict[str, dict[Guest, None]] = {}

    def enter(self, guest: Guest) -> bool:
        """Whether it is let in; then `leave` comes once."""
        house = house_of(guest.address)
        if self._inside[house] >= self._per_address and not self._is_proxy(guest.address):
            if not self._make_room(house):
                return False
        elif self._count >= self._most and not self._make_room():
            return False
        self._inside[house] += 1
        self._count += 1
        return True

    def leave(self, guest: Guest) -> None:
        self.is_busy(guest)
        house = house_of(guest.address)
        self._count -= 1
        self._inside[house] -= 1
        if not self._inside[house]:
            del self._inside[house]

    def is_busy(self, guest: Guest) -> None:
        """The request is here, and the answer is ours to give."""
        house = house_of(guest.address)
        for waiting in (self._unfinished, self._idle):
            if house in waiting:
                waiting[house].pop(guest, None)
                if not waiting[house]:
                    del waiting[house]

    def is_unfinished(self, guest: Guest) -> None:
        """A request has begun, or should, and is not here yet."""
        self.is_busy(guest)
        self._unfinished.setdefault(house_of(guest.address), {})[guest] = None

    def is_idle(self, guest: Guest) -> None:
        """Between two requests."""
        self.is_busy(guest)
        self._idle.setdefault(house_of(guest.address), {})[guest] = None

    def _make_room(self, house: str | None = None) -> bool:
        """Whether somebody could be sent away, of that house or of any."""
        for waiting in (self._unfinished, self._idle):
            guests = waiting.get(house) if house else next(iter(waiting.values()), None)
            if guests:
                guest = next(iter(guests))
                self.is_busy(guest)
                guest.send_away()
                return True
        return False

    def _is_proxy(self, address: str) -> bool:
        return _within(address, tuple(self._proxies))


@lru_cache(10_000)
def house_of(address: str) -> str:
    """The address itself; of IPv6 the network, because one machine has all of it."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(parsed.ipv4_mapped or ip_network((parsed, 64), strict=False))


@lru_cache(10_000)
def _within(address: str, networks: tuple[str, ...]) -> bool:
    if ANY in networks or address in networks:
        return True
    try:
        parsed = ip_address(address)
        return any(parsed in ip_network(each, strict=False) for each in networks)
    except ValueError:
        return False
