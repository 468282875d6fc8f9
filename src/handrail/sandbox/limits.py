"""How much of the machine one command may use."""

from __future__ import annotations

from dataclasses import dataclass

from handrail.core.sizes import MIB


@dataclass(frozen=True, slots=True)
class Limits:
    """Files live in memory: what they take counts against `memory` too, where control groups are to be had. Of folders
    that are bound, `disk` is by how much they may grow.

    Without control groups `memory` holds for each process by its data, and for all of them together by looking now and
    then.
    """

    seconds: float = 60
    cpu_seconds: int = 60
    cpus: float = 1
    memory: int = 512 * MIB
    processes: int = 64
    open_files: int = 1024
    disk: int = 256 * MIB
    file_size: int = 64 * MIB
    # of standard output and standard error together; what comes after it is thrown away
    output: int = MIB
