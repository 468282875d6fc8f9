"""Which system calls a command in the sandbox may make, as a program that the kernel runs before each of them.

Everything that ordinary programs need is allowed. Refused is what reaches into the kernel or into other processes:
keys, tracing, mounts, namespaces, modules, io_uring, sockets of rare families; and every call newer than this list.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Sequence
from functools import cache

# of <linux/audit.h>. Calls of another architecture, such as those of 32-bit programs, end the program
X86_64, AARCH64 = 0xC000_003E, 0xC000_00B7
# number on x86-64 and on aarch64, where it has one
REFUSED: dict[str, tuple[int, int | None]] = {
    # keys of the kernel, which have no namespace
    **{"add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219)},
    # other processes
    **{"ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272)},
    **{"pidfd_getfd": (438, 438), "process_madvise": (440, 440), "migrate_pages": (256, 238), "move_pages": (279, 239)},
    # programs, faults and events in the kernel
    **{"bpf": (321, 280), "userfaultfd": (323, 282), "perf_event_open": (298, 241), "lookup_dcookie": (212, 18)},
    **{"io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427)},
    # file systems
    **{"mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428)},
    **{"move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432)},
    **{"fspick": (433, 433), "mount_setattr": (442, 442), "quotactl": (179, 60), "quotactl_fd": (443, 443)},
    **{"name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "fanotify_init": (300, 262)},
    **{"swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "nfsservctl": (180, 42)},
    **{"uselib": (134, None), "ustat": (136, None), "sysfs": (139, None)},
    # namespaces
    **{"unshare": (272, 97), "setns": (308, 268)},
    # the machine
    **{"kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142), "syslog": (103, 116)},
    **{"init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106)},
    **{"create_module": (174, None), "get_kernel_syms": (177, None), "query_module": (178, None)},
    **{"settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171)},
    **{"sethostname": (170, 161), "setdomainname": (171, 162), "vhangup": (153, 58)},
    **{"iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "_sysctl": (156, None)},
}
CLONE, IOCTL, PERSONALITY = (56, 220), (16, 29), (135, 92)
SOCKET, SOCKETPAIR = (41, 198), (53, 199)
# its flags are in memory, where this program cannot look: who is told that there is none takes `clone`
CLONE3 = 435
# futex_requeue, of Linux 6.7. What came later, or has another number as of x32, is not there
NEWEST = 456

# CLONE_NEWNS, …CGROUP, …UTS, …IPC, …USER, …PID, …NET
NEW_NAMESPACES = 0x7E02_0000
# put words into a terminal as if typed: TIOCSTI, TIOCLINUX
TYPING = (0x5412, 0x541C)
# as by default, of a 32-bit machine, with an old name, and the question for it: none takes protection away
PERSONALITIES = (0, 0x8, 0x2_0000, 0x2_0008, 0xFFFF_FFFF)
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
NETLINK_ROUTE = 0

# the kernel's classic BPF: (code, jump if true, jump if false, value); jumps count instructions
Instruction = tuple[int, int, int, int]
LOAD, EQUAL, GREATER, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
ALLOW, KILL, ERROR = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16


@cache
def program() -> bytes:
    """For both architectures, as `struct sock_filter`s."""
    instructions: list[Instruction] = [
        _load(ARCHITECTURE),
        *_where(EQUAL, X86_64, _calls(0)),
        *_where(EQUAL, AARCH64, _calls(1)),
        (RETURN, 0, 0, KILL),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)


def _calls(machine: int) -> list[Instruction]:
    numbers = sorted(number for each in REFUSED.values() if (number := each[machine]) is not None)
    return [
        _load(NUMBER),
        *_where(GREATER, NEWEST, [_refuse(errno.ENOSYS)]),
        *_where(EQUAL, CLONE3, [_refuse(errno.ENOSYS)]),
        *(step for first, last in _ranges(numbers) for step in _between(first, last, [_refuse(errno.EPERM)])),
        *_where(EQUAL, CLONE[machine], _NO_NAMESPACE),
        *_where(EQUAL, IOCTL[machine], [_argument(1), *_unless(TYPING, errno.EPERM), _ALLOW]),
        *_where(EQUAL, PERSONALITY[machine], [_argument(0), *_only(PERSONALITIES, errno.EPERM)]),
        *_where(EQUAL, SOCKET[machine], _FAMILIES),
        *_where(EQUAL, SOCKETPAIR[machine], [_argument(0), *_only((AF_UNIX,), errno.EAFNOSUPPORT)]),
        _ALLOW,
    ]


def _load(place: int) -> Instruction:
    return LOAD, 0, 0, place


def _argument(number: int) -> Instruction:
    """Its lower half, which is all that the kernel itself looks at in those that are checked here."""
    return _load(ARGUMENTS + 8 * number)


def _refuse(error: int) -> Instruction:
    return RETURN, 0, 0, ERROR | error


_ALLOW: Instruction = (RETURN, 0, 0, ALLOW)


def _where(code: int, value: int, then: Sequence[Instruction]) -> list[Instruction]:
    """`then` where it holds; else what follows it."""
    return [(code, 0, len(then), value), *then]


def _between(first: int, last: int, then: Sequence[Instruction]) -> list[Instruction]:
    if first == last:
        return _where(EQUAL, first, then)
    return [(AT_LEAST, 0, len(then) + 1, first), (GREATER, len(then), 0, last), *then]


def _unless(values: Iterable[int], error: int) -> list[Instruction]:
    return [step for value in values for step in _where(EQUAL, value, [_refuse(error)])]


def _only(values: Iterable[int], error: int) -> list[Instruction]:
    allowed = [step for value in values for step in _where(EQUAL, value, [_ALLOW])]
    return [*allowed, _refuse(error)]


_NO_NAMESPACE: list[Instruction] = [
    _argument(0),
    *_where(ANY_BIT, NEW_NAMESPACES, [_refuse(errno.EPERM)]),
    _ALLOW,
]

# of netlink, what tells a program which network interfaces it has
_FAMILIES: list[Instruction] = [
    _argument(0),
    *_where(EQUAL, AF_NETLINK, [_argument(2), *_only((NETLINK_ROUTE,), errno.EPROTONOSUPPORT)]),
    *_only((AF_UNIX, AF_INET, AF_INET6), errno.EAFNOSUPPORT),
]


def _ranges(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbours together: half as many questions for each call."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = ranges[-1][0], number
        else:
            ranges.append((number, number))
    return ranges
