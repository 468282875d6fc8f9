"""Which addresses are public, in every form in which IPv6 writes IPv4."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.sandbox.addresses import is_public

PUBLIC = (
    "140.82.112.3",
    "1.1.1.1",
    "2606:4700::1111",
    "2a00:1450:4001:830::200e",
    "::ffff:140.82.112.3",
    # what DNS64 answers on a network without IPv4
    "64:ff9b::140.82.112.3",
    "2002:8c52:7003::1",
)
PRIVATE = (
    *("0.0.0.0", "0.1.2.3", "10.0.0.7", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.0.1"),
    *("192.0.2.1", "198.18.0.1", "192.88.99.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "fe80::1", "fc00::1", "fd12::1", "fec0::1", "feff::1", "ff02::1", "ff0e::1"),
    *("100::1", "2001:db8::1", "3fff::1", "5f00::1", "4000::1"),
    # compatible, mapped, translated
    *("::10.0.0.7", "::127.0.0.1", "::ffff:10.0.0.7", "::ffff:0:10.0.0.7"),
    # NAT64, and its prefix for networks of one's own, whatever it stands for
    *("64:ff9b::10.0.0.7", "64:ff9b::169.254.169.254", "64:ff9b:1::140.82.112.3", "64:ff9b:1:ffff::10.0.0.7"),
    # 6to4, Teredo, ISATAP
    *("2002:a00:7::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
    *("2606:4700::5efe:10.0.0.7", "2606:4700::200:5efe:127.0.0.1"),
)


@pytest.mark.parametrize("address", PUBLIC)
def test_these_are_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", PRIVATE)
def test_these_are_not(address: str) -> None:
    assert not is_public(ip_address(address))


@given(st.ip_addresses(v=4))
def test_an_address_within_another_is_as_public_as_by_itself(inner: IPv4Address) -> None:
    number = int(inner)
    for outer in ((0xFFFF << 32) | number, (0x0064_FF9B << 96) | number, (0x2002 << 112) | (number << 80) | 1):
        assert is_public(IPv6Address(outer)) == is_public(inner)
