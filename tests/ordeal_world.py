"""A deployment of API and worker processes that can be killed, and an office that keeps it busy through every outage:
it starts runs, decides what they ask, and checks that each acted once."""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
from server import HANDRAIL, NO_CERTIFICATES, environment, forked, wait_for_end
from zygote import Process

from handrail_sdk.langgraph.effects import HAPPENED, NOT_HAPPENED

WORKFLOWS = Path(__file__).parent / "acceptance" / "faults" / "ordeal" / "handrail.toml"
DEADLINE_SECONDS = 150.0
# a machine that does much else gets fewer started while things are killed
FEWEST_RUNS = 6


class Part:
    """A process of the deployment, started again whenever it was killed."""

    def __init__(self, name: str, folder: Path, variables: dict[str, str], *command: str) -> None:
        self.name = name
        self.url = ""
        self._command = command
        self._folder = folder
        self._variables = variables
        self._output = folder / f"{name}.log"
        self.process: Process | None = None

    def start(self) -> None:
        port = ["--port", self.url.rpartition(":")[2] or "0"] if self._command[0] == "serve" else []
        with self._output.open("ab") as output:
            command = [str(HANDRAIL), *self._command, "--data", str(self._folder / "data"), *port]
            self.process = forked(command, environment(self._folder, **self._variables), output)

    def wait_until_up(self) -> None:
        deadline = time.monotonic() + DEADLINE_SECONDS
        while (found := re.search(r"(?:running at |Health: )(http://[^/\s]+)", self.output())) is None or not is_well(
            found[1]
        ):
            assert self.process is not None and self.process.poll() is None, self.output()
            assert time.monotonic() < deadline, self.output()
            time.sleep(0.05)
        self.url = found[1]

    def output(self) -> str:
        return self._output.read_text()

    def children(self) -> list[psutil.Process]:
        """The processes in which runs run."""
        with suppress(psutil.NoSuchProcess):
            if self.process is not None:
                nurseries = psutil.Process(self.process.pid).children()
                return [child for nursery in nurseries for child in nursery.children()]
        return []


def is_well(url: str) -> bool:
    with suppress(httpx.TransportError):
        return httpx.get(f"{url}/health", trust_env=False, verify=NO_CERTIFICATES).is_success
    return False


class Deployment:
    """Each API has the variables of its place in `apis`, and each worker those of all workers."""

    def __init__(self, folder: Path, workers: int, *apis: dict[str, str], **of_workers: str) -> None:
        self.token = f"hr_{secrets.token_urlsafe(32)}"
        variables = {"HANDRAIL_ADMIN_TOKEN": self.token, "HANDRAIL_LOG_LEVEL": "warning"}
        running = {**variables, **of_workers, "HANDRAIL_WORKFLOWS_FILE": str(WORKFLOWS)}
        self.folder = folder
        self.apis = [Part(f"api{n}", folder, variables | own, "serve") for n, own in enumerate(apis or ({}, {}))]
        work = ("worker", "--concurrency", "2", "--health", "127.0.0.1:0")
        self.workers = [Part(f"worker{n}", folder, running, *work) for n in range(workers)]

    @property
    def parts(self) -> list[Part]:
        return [*self.apis, *self.workers]

    def start(self) -> None:
        for part in self.parts:
            part.start()
        for part in self.parts:
            part.wait_until_up()

    def postgres(self) -> list[psutil.Process]:
        pid_file = self.folder / "data" / "postgres" / "cluster" / "postmaster.pid"
        with suppress(psutil.NoSuchProcess, FileNotFoundError, ValueError, IndexError):
            postmaster = psutil.Process(int(pid_file.read_text().split()[0]))
            if any(str(self.folder) in word for word in postmaster.cmdline()):
                return [postmaster, *postmaster.children(recursive=True)]
        return []

    def kill(self, what: str, chance: random.Random) -> None:
        match what:
            case "api" | "worker":
                part = chance.choice(self.apis if what == "api" else self.workers)
                assert part.process is not None
                part.process.kill()
                part.process.wait()
                part.start()
            case "child":
                children = [child for worker in self.workers for child in worker.children()]
                slay(chance.sample(children, 1) if children else [])
            case _:
                slay(self.postgres())

    def close(self) -> None:
        for part in self.parts:
            if part.process is not None:
                part.process.kill()
                part.process.wait()
        slay(self.postgres())
        shutil.rmtree(self.folder, ignore_errors=True)


def slay(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGKILL)
    wait_for_end(processes)


@contextmanager
def deployment(workers: int, *apis: dict[str, str], **of_workers: str) -> Generator[Deployment]:
    # short, because the database's socket lies in it
    folder = Path(tempfile.mkdtemp(prefix="handrail-ordeal-"))
    # workflows, which may be another user's, write into it
    folder.chmod(0o777)
    deployed = Deployment(folder, workers, *apis, **of_workers)
    try:
        deployed.start()
        yield deployed
    finally:
        deployed.close()


@dataclass
class Office:
    """Starts runs at either API, and decides what they ask at either, through every outage."""

    deployed: Deployment
    person: str = ""
    runs: dict[str, str] = field(default_factory=dict[str, str])
    # seconds between two runs
    pause: float = 0.25
    over: bool = False
    doubts: Counter[str] = field(default_factory=Counter[str])

    @property
    def ledger(self) -> Path:
        return self.deployed.folder / "ledger"

    def lines(self) -> list[list[str]]:
        return [line.split() for line in self.ledger.read_text().splitlines()] if self.ledger.exists() else []

    async def ask(self, token: str, method: str, path: str, **more: Any) -> Any:
        """An answer of one of the APIs. All that is sent may be sent again."""
        for number in forever():
            url = self.deployed.apis[number % 2].url
            headers = {"Authorization": f"Bearer {token}", **more.pop("headers", {})}
            more["headers"] = headers
            try:
                async with httpx.AsyncClient(base_url=url, timeout=10, trust_env=False, verify=NO_CERTIFICATES) as http:
                    answer = await http.request(method, path, **more)
            except httpx.TransportError:
                await asyncio.sleep(0.05)
                continue
            if answer.status_code < 500 and answer.status_code != 429:
                return answer.json()
            await asyncio.sleep(0.05)
        raise AssertionError

    async def hire(self) -> None:
        body = {"name": "mara", "kind": "person", "roles": ["team_lead"]}
        await self.ask(self.deployed.token, "POST", "/api/people", json=body)
        made = await self.ask(self.deployed.token, "POST", "/api/tokens", json={"principal": "mara"})
        self.person = made["token"]

    async def start_runs(self) -> None:
        number = 0
        while not self.over or number < FEWEST_RUNS:
            number += 1
            name = f"deed-{number}"
            body = {"workflow": "ordeal", "input": {"name": name, "ledger": str(self.ledger)}}
            made = await self.ask(
                self.deployed.token, "POST", "/api/runs", json=body, headers={"Idempotency-Key": name}
            )
            self.runs[made["id"]] = name
            await asyncio.sleep(self.pause)

    async def decide(self) -> None:
        while True:
            page = await self.ask(self.person, "GET", "/api/holds", params={"limit": 50})
            for hold in page["holds"]:
                # others may have holds of their own
                if hold["run_id"] in self.runs:
                    await self._decide(hold)
            await asyncio.sleep(0.05)

    async def _decide(self, hold: dict[str, Any]) -> None:
        say: dict[str, Any] = {"digest": hold["digest"], "verdict": "approve"}
        if hold["kind"] == "input":
            name = self.runs[hold["run_id"]]
            self.doubts[name] += 1
            happened = ["once", name] in [line[:2] for line in self.lines()]
            say |= {"verdict": "answer", "answer": HAPPENED if happened else NOT_HAPPENED}
        await self.ask(self.person, "POST", f"/api/holds/{hold['id']}/reviews", json=say)

    async def watch(self, seen: list[dict[str, Any]]) -> None:
        """Everything from the first event on, from the second API alone."""
        while True:
            cursor = str(seen[-1]["seq"]) if seen else "0"
            headers = {"Authorization": f"Bearer {self.deployed.token}", "Last-Event-ID": cursor}
            url = self.deployed.apis[1].url
            with suppress(httpx.TransportError):
                async with (
                    httpx.AsyncClient(base_url=url, timeout=20, trust_env=False, verify=NO_CERTIFICATES) as http,
                    http.stream("GET", "/api/events", headers=headers) as stream,
                ):
                    async for line in stream.aiter_lines():
                        if line.startswith("data:"):
                            seen.append(json.loads(line[5:]))
            await asyncio.sleep(0.05)


def forever() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def ends(seen: list[dict[str, Any]]) -> Counter[str]:
    kinds = {"run.completed", "run.failed", "run.cancelled", "run.expired"}
    return Counter(event["run_id"] for event in seen if event["type"] in kinds)


def said(deployed: Deployment, office: Office, seen: list[dict[str, Any]]) -> str:
    left = set(office.runs) - set(ends(seen))
    outputs = "\n".join(part.output()[-2000:] for part in deployed.parts)
    return f"{len(left)} of {len(office.runs)} did not end: {left}\n{outputs}"


def check(office: Office, seen: list[dict[str, Any]], left: list[Any]) -> None:
    assert len(office.runs) >= FEWEST_RUNS
    failures = [event["data"] for event in seen if event["type"] == "run.failed"]
    assert failures == []
    assert set(ends(seen).values()) == {1}, "each ends once"
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    # no hold lost or doubled
    assert left == []
    of_runs = [event for event in seen if event["run_id"] in office.runs]
    assert holds_opened(of_runs, "confirmation") == dict.fromkeys(office.runs, 1)
    redeemed = Counter(event["run_id"] for event in of_runs if event["type"] == "hold.redeemed")
    assert redeemed == dict.fromkeys(office.runs, 1)
    # what may not be done twice was not, and what was done twice has one key
    written = Counter((kind, name) for kind, name, _ in office.lines())
    names = list(office.runs.values())
    assert {name: written["once", name] for name in names} == dict.fromkeys(names, 1)
    assert all(written["again", name] >= 1 for name in names)
    assert len({(name, key) for kind, name, key in office.lines() if kind == "again"}) == len(names)
    # every effect is recorded as done once; one that was cut off, after it was asked about, in its second place
    done = Counter((event["run_id"], event["data"]["name"]) for event in seen if event["type"] == "effect.completed")
    assert done == {(run, name): 1 for run in office.runs for name in ("once", "again")}
    unknown = {e["run_id"] for e in seen if e["type"] == "effect.unknown" and e["data"]["name"] == "once"}
    assert set(holds_opened(of_runs, "input")) <= unknown


def holds_opened(seen: list[dict[str, Any]], kind: str) -> Counter[str]:
    return Counter(event["run_id"] for event in seen if event["type"] == "hold.opened" and event["kind"] == kind)
