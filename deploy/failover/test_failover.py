"""The primary is lost every minute, under load, with synchronous replication: nothing acknowledged is lost, nothing is
done twice, and commands are accepted again within Patroni's time to live and ten seconds."""
# figures are printed as they are measured; what is awaited is another machine's
# ruff: noqa: T201, ASYNC110

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import fault_load
import httpx
import ordeal_world
import pytest
import server as servers
from fault_load import Load
from ordeal_world import Deployment, Office, deployment

from deploy.failover import cluster as clusters
from deploy.failover.cluster import Cluster

# a machine that is lost is worse than a database that crashes: nobody gives up the lead
LOSSES = ("machine", "database", "machine", "machine")
SECONDS_BETWEEN = 60.0
# a lost machine comes back that long after another has the lead
SECONDS_AWAY = 10.0
BACK_WITHIN_SECONDS = clusters.TTL_SECONDS + 10.0
# a machine that does much else is slow to end what was begun
END_SECONDS = 300.0


@pytest.fixture
def cluster() -> Generator[Cluster]:
    with clusters.running() as cluster:
        yield cluster


@pytest.fixture
def deployed(cluster: Cluster) -> Generator[Deployment]:
    """One API through the pooler, one with all hosts in its address; a worker through the pooler."""
    pooled = {"HANDRAIL_DATABASE_URL": cluster.pooled, "HANDRAIL_DIRECT_DATABASE_URL": cluster.direct}
    with deployment(1, pooled, {"HANDRAIL_DATABASE_URL": cluster.direct}, **pooled) as deployed:
        yield deployed


@dataclass
class Probe:
    """Opens a hold now and then, and notes when that was acknowledged."""

    http: httpx.AsyncClient
    token: str
    moments: list[float] = field(default_factory=list[float])
    problems: set[str] = field(default_factory=set[str])

    async def keep_probing(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        while True:
            try:
                answer = await self.http.post(
                    "/api/holds", json={"kind": "input", "title": "Are you there?"}, headers=headers
                )
                if answer.status_code == 201:
                    self.moments.append(time.monotonic())
                    await self.http.post(f"/api/holds/{answer.json()['id']}/cancel", json={}, headers=headers)
                else:
                    self.problems.add(answer.json()["code"])
            except httpx.TransportError as error:
                self.problems.add(type(error).__name__)
            await asyncio.sleep(0.2)

    def silence(self, since: float) -> float:
        """Seconds from then to the end of the longest time without an acknowledgement."""
        later = [since, *(moment for moment in self.moments if moment > since)]
        gaps = [(second - first, second) for first, second in itertools.pairwise(later)]
        return max(gaps)[1] - since if gaps else float("inf")


@dataclass
class Ordeal:
    """What keeps both APIs and the worker busy, and what it was told."""

    deployed: Deployment
    office: Office
    loads: list[Load]
    probes: list[Probe]
    seen: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def work(self) -> list[Any]:
        sending = [load.send(2 * n + m) for n, load in enumerate(self.loads) for m in range(2)]
        return [*sending, self.office.start_runs()]

    @property
    def background(self) -> list[Any]:
        return [self.office.decide(), self.office.watch(self.seen), *(probe.keep_probing() for probe in self.probes)]

    @property
    def decisions(self) -> int:
        return sum(len(load.done.decided) for load in self.loads)

    def end(self) -> None:
        for each in (self.office, *self.loads):
            each.over = True

    def told(self) -> bool:
        """Whether every run has ended, and every acknowledged decision and use of one is in the log."""
        seen = {(event["type"], event["hold_id"]) for event in self.seen}
        acknowledged = {
            *(("hold.decided", hold) for load in self.loads for hold in load.done.decided),
            *(("hold.redeemed", hold) for load in self.loads for hold in load.done.redeemed),
        }
        return set(self.office.runs) <= set(ordeal_world.ends(self.seen)) and acknowledged <= seen

    def problems(self) -> str:
        ended = [part.name for part in self.deployed.parts if part.process is None or part.process.poll() is not None]
        return f"processes that ended: {ended}; {ordeal_world.said(self.deployed, self.office, self.seen)}"


@pytest.fixture
async def ordeal(deployed: Deployment) -> AsyncGenerator[Ordeal]:
    office = Office(deployed, pause=3.0)
    await office.hire()
    await office.ask(deployed.token, "POST", "/api/people", json={"name": "loader", "kind": "service"})
    agent = (await office.ask(deployed.token, "POST", "/api/tokens", json={"principal": "loader"}))["token"]
    async with AsyncExitStack() as open_:
        clients = [
            await open_.enter_async_context(
                httpx.AsyncClient(base_url=api.url, timeout=30, trust_env=False, verify=servers.NO_CERTIFICATES)
            )
            for api in deployed.apis
        ]
        loads = [Load(http, agent, office.person) for http in clients]
        yield Ordeal(deployed, office, loads, [Probe(http, deployed.token) for http in clients])


async def lose(cluster: Cluster, what: str) -> float:
    """The primary, once another could take its place, and when that was; a lost machine comes back."""
    async with asyncio.timeout(2 * SECONDS_BETWEEN):
        while not await asyncio.to_thread(cluster.whole):
            await asyncio.sleep(0.5)
    node = await asyncio.to_thread(cluster.primary)
    assert node is not None
    moment = time.monotonic()
    if what == "database":
        await asyncio.to_thread(node.kill_database)
        return moment
    await asyncio.to_thread(node.kill)
    async with asyncio.timeout(SECONDS_BETWEEN):
        while await asyncio.to_thread(cluster.primary) is None:
            await asyncio.sleep(0.2)
    await asyncio.sleep(SECONDS_AWAY)
    cluster.begin(node)
    return moment


@pytest.mark.soak
@pytest.mark.timeout(1800)
async def test_a_lost_primary_loses_and_doubles_nothing(cluster: Cluster, ordeal: Ordeal) -> None:
    background = [asyncio.create_task(each) for each in ordeal.background]
    work = [asyncio.create_task(each) for each in ordeal.work]
    silences: list[float] = []
    for loss in LOSSES:
        began, before = time.monotonic(), ordeal.decisions
        lost = await lose(cluster, loss)
        await asyncio.sleep(max(0.0, began + SECONDS_BETWEEN - time.monotonic()))
        if any(task.done() for task in (*background, *work)):
            pytest.fail(ordeal.problems())
        silences += [probe.silence(lost) for probe in ordeal.probes]
        seconds = ", ".join(f"{each:.1f} s" for each in silences[-2:])
        print(
            f"\nlost the {loss}: commands accepted again after {seconds}; {ordeal.decisions - before} decisions since"
        )
    ordeal.end()
    try:
        await fault_load.within(END_SECONDS, asyncio.gather(*work))
        async with asyncio.timeout(END_SECONDS):
            while not ordeal.told():
                await asyncio.sleep(0.2)
    except TimeoutError:
        pytest.fail(ordeal.problems())
    for task in background:
        task.cancel()
    for load in ordeal.loads:
        assert load.done.redeemed, "the load never got through"
        await fault_load.check(load.http, ordeal.deployed.token, load.done, ordeal.seen)
    ordeal_world.check(ordeal.office, ordeal.seen, [])
    for name in ("opened", "decided", "redeemed"):
        print(name, sum(len(getattr(load.done, name)) for load in ordeal.loads))
    problems = set[str]().union(*(probe.problems for probe in ordeal.probes))
    print("runs", len(ordeal.office.runs), "events", len(ordeal.seen), "refusals", sorted(problems))
    assert max(silences) <= BACK_WITHIN_SECONDS
