"""The filter of system calls, run as the kernel would, for each architecture."""

from __future__ import annotations

import errno
import struct

import pytest

from handrail.sandbox import seccomp
from handrail.sandbox.seccomp import AARCH64, ALLOW, ERROR, KILL, X86_64

MACHINES = {X86_64: 0, AARCH64: 1}
I386, ARM, RISCV64, PPC64LE = 0x4000_0003, 0x4000_0028, 0xC000_00F3, 0xC000_0015
# of each: read, write, close, mmap, execve, futex, openat, wait4, exit_group, getrandom, statx, rseq, pidfd_open
NEEDED = {
    X86_64: (0, 1, 3, 9, 59, 202, 257, 61, 231, 318, 332, 334, 434),
    AARCH64: (63, 64, 57, 222, 221, 98, 56, 260, 94, 278, 291, 293, 434),
}


def verdict(architecture: int, number: int, *arguments: int) -> int:
    """What the kernel's interpreter of classic BPF would come to."""
    given = struct.pack("=iIQ6Q", number - (number >> 31 << 32), architecture, 0, *(*arguments, *[0] * 6)[:6])
    steps = list(struct.iter_unpack("=HBBI", seccomp.program()))
    place, seen = 0, 0
    while True:
        code, yes, no, value = steps[place]
        place += 1
        match code:
            case 0x20:
                (seen,) = struct.unpack_from("=I", given, value)
            case 0x06:
                return value
            case _:
                held = {0x15: seen == value, 0x25: seen > value, 0x35: seen >= value, 0x45: bool(seen & value)}[code]
                place += yes if held else no


@pytest.mark.parametrize("architecture", MACHINES)
def test_what_reaches_beyond_the_process_is_refused(architecture: int) -> None:
    for name, numbers in seccomp.REFUSED.items():
        number = numbers[MACHINES[architecture]]
        if number is not None:
            assert verdict(architecture, number) == ERROR | errno.EPERM, name


@pytest.mark.parametrize("architecture", MACHINES)
def test_all_else_is_allowed(architecture: int) -> None:
    refused = {numbers[MACHINES[architecture]] for numbers in seccomp.REFUSED.values()}
    looked_into = {seccomp.CLONE3, seccomp.SOCKET[MACHINES[architecture]], seccomp.SOCKETPAIR[MACHINES[architecture]]}
    assert not refused & set(NEEDED[architecture])
    for number in set(range(seccomp.NEWEST + 1)) - refused - looked_into:
        assert verdict(architecture, number) == ALLOW, number


@pytest.mark.parametrize("architecture", MACHINES)
def test_what_is_newer_or_of_another_numbering_is_not_there(architecture: int) -> None:
    for number in (seccomp.NEWEST + 1, 1000, 0x4000_0000, 0x4000_0000 | 101, 0x7FFF_FFFF, 0xFFFF_FFFF):
        assert verdict(architecture, number) == ERROR | errno.ENOSYS


@pytest.mark.parametrize("architecture", [I386, ARM, RISCV64, PPC64LE, 0])
def test_calls_of_another_architecture_end_the_program(architecture: int) -> None:
    assert {verdict(architecture, number) for number in range(500)} == {KILL}


@pytest.mark.parametrize("architecture", MACHINES)
def test_a_process_or_thread_is_made_and_no_namespace(architecture: int) -> None:
    machine = MACHINES[architecture]
    clone = seccomp.CLONE[machine]
    thread, fork = 0x3D_0F00, 17
    assert {verdict(architecture, clone, flags) for flags in (thread, fork)} == {ALLOW}
    for new in (0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000):
        assert verdict(architecture, clone, new | fork) == ERROR | errno.EPERM
        assert verdict(architecture, clone, (1 << 40) | new | fork) == ERROR | errno.EPERM
    assert verdict(architecture, seccomp.CLONE3) == ERROR | errno.ENOSYS


@pytest.mark.parametrize("architecture", MACHINES)
def test_of_sockets_only_the_ordinary_families_are_there(architecture: int) -> None:
    machine = MACHINES[architecture]
    opened = {f for f in range(64) if verdict(architecture, seccomp.SOCKET[machine], f, 1, 0) == ALLOW}
    assert opened == {1, 2, 10, 16}
    netlinks = {p for p in range(32) if verdict(architecture, seccomp.SOCKET[machine], 16, 3, p) == ALLOW}
    assert netlinks == {0}
    pairs = {f for f in range(64) if verdict(architecture, seccomp.SOCKETPAIR[machine], f) == ALLOW}
    assert pairs == {1}
    assert verdict(architecture, seccomp.SOCKET[machine], (1 << 32) | 40) == ERROR | errno.EAFNOSUPPORT


@pytest.mark.parametrize("architecture", MACHINES)
def test_nothing_is_typed_into_a_terminal(architecture: int) -> None:
    ioctl = seccomp.IOCTL[MACHINES[architecture]]
    for typing in (0x5412, 0x541C, (1 << 32) | 0x5412):
        assert verdict(architecture, ioctl, 0, typing) == ERROR | errno.EPERM
    assert verdict(architecture, ioctl, 0, 0x5413) == ALLOW, "the size of the window"
