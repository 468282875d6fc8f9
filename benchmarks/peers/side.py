"""One engine that is measured: a run comes to its question, and is answered."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from benchmarks.peers.installing import NotHad

START_SECONDS = 120.0
STOP_SECONDS = 20.0


class Side(ABC):
    @abstractmethod
    async def resumed(self) -> float:
        """Milliseconds from before the decision to the code after the question, of a run that was waiting."""


def moment() -> int:
    """Microseconds of the clock that all processes of the machine share."""
    return time.monotonic_ns() // 1000


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def client(port: int) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False)


@asynccontextmanager
async def started(
    command: Sequence[str | Path], variables: Mapping[str, str], answers: str
) -> AsyncGenerator[subprocess.Popen[bytes]]:
    """A program of a peer, from its first answer at an address until the block ends; `NotHad` where it does not
    answer."""
    with (
        tempfile.TemporaryDirectory(prefix="handrail-peer-") as folder,
        (Path(folder) / "output").open("w+b") as output,
    ):
        process = subprocess.Popen(  # noqa: ASYNC220 - nothing is measured yet
            command, env=dict(variables), cwd=folder, stdout=output, stderr=output
        )
        try:
            await _answering(process, answers, Path(folder) / "output")
            yield process
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


async def _answering(process: subprocess.Popen[bytes], answers: str, output: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    async with httpx.AsyncClient(trust_env=False) as http:
        while True:
            if process.poll() is not None or time.monotonic() > deadline:
                print(output.read_text()[-2000:], file=sys.stderr)  # noqa: ASYNC240
                raise NotHad("it did not start")
            try:
                (await http.get(answers)).raise_for_status()
            except httpx.HTTPError:
                await asyncio.sleep(0.1)
            else:
                return
