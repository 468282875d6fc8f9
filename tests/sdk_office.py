"""A real server for the SDK's tests, with an agent that asks and two people who decide."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from server import ServerProcess, environment, running

from handrail_sdk import AsyncHandrail, Handrail

SECONDS = 60.0


@dataclass(repr=False)
class Office:
    """The server, and everybody's tokens, which do not show in a failure's report."""

    server: ServerProcess
    agent: str
    lead: str
    second_lead: str
    programs: list[subprocess.Popen[str]] = field(default_factory=list[subprocess.Popen[str]])

    def asking(self) -> AsyncHandrail:
        return AsyncHandrail(self.server.url, self.agent)

    def deciding(self) -> Handrail:
        return Handrail(self.server.url, self.lead)

    def pending(self, **filters: str) -> list[dict[str, Any]]:
        with self.server.client() as http:
            return http.get("/api/holds", params=filters).raise_for_status().json()["holds"]

    def one_pending(self, **filters: str) -> str:
        """The id of the one hold that waits, as soon as it does."""
        deadline = time.monotonic() + SECONDS
        while not (holds := self.pending(**filters)):
            assert time.monotonic() < deadline, f"nothing waits in {filters}"
            time.sleep(0.05)
        [hold] = holds
        return hold["id"]

    def start(self, program: Path | str, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """A program of the agent's in a process of its own; a text is its code."""
        code = ["-c", program] if isinstance(program, str) else [str(program)]
        process = subprocess.Popen(
            [sys.executable, "-W", "error", *code, *arguments],
            env=environment(self.server.folder, HANDRAIL_URL=self.server.url, HANDRAIL_TOKEN=self.agent, **variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.programs.append(process)
        return process


def ended(process: subprocess.Popen[str]) -> str:
    """What a program printed, once it has ended well."""
    out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, err
    return out


@contextmanager
def open_office() -> Generator[Office]:
    with running() as server:
        office = Office(
            server,
            agent=server.token_of("agent", kind="agent"),
            lead=server.token_of("Ada", "team_lead", "tech_lead"),
            second_lead=server.token_of("Grace", "team_lead", "tech_lead"),
        )
        try:
            yield office
        finally:
            for process in office.programs:
                with suppress(ProcessLookupError):
                    process.kill()
                process.communicate()
