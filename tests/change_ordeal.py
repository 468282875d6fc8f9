"""Many changes at once, on a server with several workers, each struck at another stage: killed, cancelled, or left
alone."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import change_scripts
import hosting_stub
import psutil
import psycopg
import server as servers
from change_scripts import FINISHED, INTENDED, PLANNED, ROUNDED, call
from change_server import ENDED, Json, approve, look, started, told, written
from hosting_stub import Grant
from hosting_stub.server import Faulty
from server import HANDRAIL, ServerProcess, environment

from handrail.changes.events import STAGES
from handrail.store.embedded import Server

SCRIPTS = {"intent": INTENDED, "plan": PLANNED, "edit": [call("apply_patch", patch=ROUNDED), FINISHED]}
# the last one begins when people have approved the result
PUBLISHING = "publishing"
WHEN = [*STAGES.values(), PUBLISHING]
WORKERS, SHOPS = 4, 5
TOKEN = "secret-token-of-the-operator"
HOSTED = {
    "HANDRAIL_CODE_HOSTS": '{"127.0.0.1": "github"}',
    "HANDRAIL_GIT_PRIVATE_HOSTS": "127.0.0.1",
    "GITHUB_TOKEN": TOKEN,
}
DEADLINE_SECONDS = 1200.0


@dataclass(frozen=True)
class Ordeal:
    how: Literal["kill", "cancel", "none"]
    when: str = ""

    @property
    def ends(self) -> set[str]:
        """How the change may end. Whoever cancels what has just been approved may be too late; both ends are clear."""
        if self.how != "cancel":
            return {"completed"}
        return {"cancelled", "completed"} if self.when == PUBLISHING else {"cancelled"}


ORDEALS = [
    *(Ordeal("kill", when) for when in WHEN),
    *(Ordeal("cancel", when) for when in WHEN),
    *(Ordeal("none"), Ordeal("none")),
]


@dataclass(frozen=True)
class Shop:
    """A repository that is changed: a developer's own, or one on a host."""

    address: str
    folder: Path


@dataclass(frozen=True)
class Outcome:
    ordeal: Ordeal
    shop: Shop
    run: Json
    cancelling: float | None
    """Seconds until nobody worked on it any more, for one that was cancelled."""
    missed: float | None
    """Seconds until its worker was missed and it was free for another, for one whose worker was killed."""


class Crew:
    """Workers with one process each. One that is killed is replaced at once, as an operator's system does."""

    def __init__(self, server: ServerProcess, dsn: str, variables: dict[str, str]) -> None:
        self.dsn = dsn
        self._server, self._variables = server, variables
        self._lock = threading.Lock()
        self._processes = [self._start() for _ in range(WORKERS)]

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [HANDRAIL, "worker", "--data", self._server.data, "--concurrency", "1"],
            env=environment(self._server.folder, HANDRAIL_LOG_LEVEL="warning", **self._variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def worker_of(self, run: str) -> tuple[str | None, str]:
        """The name of the worker, and the change's status."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            row = connection.execute("SELECT worker, status FROM runs WHERE id = %s", [run]).fetchone()
        assert row is not None
        return row[0], row[1]

    def kill_worker_of(self, run: str, go_on: Callable[[], object]) -> float:
        """kill -9, while it works on this change; a change that nobody works on now is waited for, and one that waits
        for people already goes on. Seconds until the worker is missed."""
        killed, began = self._killed(run, go_on), time.monotonic()
        servers.until(lambda: self._is_missed(run, killed))
        return time.monotonic() - began

    def _is_missed(self, run: str, killed: str) -> bool:
        """Whether others may have the change, or one has it; with all of them busy, it may wait long for one."""
        may_be_taken = "SELECT worker IS DISTINCT FROM %s OR ready_at <= handrail_now() FROM runs WHERE id = %s"
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            row = connection.execute(may_be_taken, [killed, run]).fetchone()
        return row is not None and row[0]

    def _killed(self, run: str, go_on: Callable[[], object]) -> str:
        deadline = time.monotonic() + DEADLINE_SECONDS
        while time.monotonic() < deadline:
            worker, status = self.worker_of(run)
            assert status not in ENDED, f"{run} was never struck"
            if status == "paused":
                go_on()
            with self._lock:
                for at, process in enumerate(self._processes):
                    if worker and worker.endswith(f"/{process.pid}"):
                        process.kill()
                        process.wait()
                        self._processes[at] = self._start()
                        return worker
            time.sleep(0.02)
        raise AssertionError(f"nobody works on {run}")

    def close(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.wait(60)


@contextmanager
def deployed(folder: Path) -> Generator[tuple[ServerProcess, Crew, list[Shop]]]:
    most = dict.fromkeys(("HANDRAIL_MAX_CHANGES", "HANDRAIL_MAX_CHANGES_PER_PRINCIPAL"), str(len(ORDEALS)))
    variables = {**written(SCRIPTS, folder), **HOSTED, **most}
    hosted = folder / "hosted"
    hosted.mkdir()
    with hosting_stub.serving(hosted) as stub, servers.running("serve", **variables) as server:
        user = Server(server.data)
        crew = Crew(server, user.start(), variables)
        try:
            server.serves("change")
            yield server, crew, _shops(stub, folder)
        finally:
            crew.close()
            user.stop()


def _shops(stub: Faulty, folder: Path) -> list[Shop]:
    """All but one are folders of developers."""
    places = [change_scripts.repository(folder / f"shop{number}") for number in range(SHOPS)]
    stub.tokens[TOKEN] = Grant(scopes=("repo",))
    hosted = stub.repository("team/shop", places.pop())
    return [*(Shop(str(place), place) for place in places), Shop(f"{stub.url}/{hosted.path}.git", hosted.folder)]


def suffered(server: ServerProcess, crew: Crew, shops: Sequence[Shop], ordeals: Sequence[Ordeal]) -> list[Outcome]:
    """What became of the changes, which are all started before the first is followed."""
    developer = server.token_of("dev", "developer")
    runs = [started(server, developer, shops[number % SHOPS].address) for number in range(len(ordeals))]
    with ThreadPoolExecutor(len(ordeals)) as pool:
        waiting = [pool.submit(_suffered, server, crew, run, ordeal) for run, ordeal in zip(runs, ordeals, strict=True)]
        ended = [each.result(DEADLINE_SECONDS) for each in waiting]
    return [
        Outcome(ordeal, shops[number % SHOPS], *came)
        for number, (ordeal, came) in enumerate(zip(ordeals, ended, strict=True))
    ]


def _suffered(server: ServerProcess, crew: Crew, run: str, ordeal: Ordeal) -> tuple[Json, float | None, float | None]:
    """The change at its end. Everything that it asks is approved; once, it is struck."""
    struck, cancelling, missed = ordeal.how == "none", None, None
    with server.client() as http:
        for part in told(http, run):
            now = part["name"] if part["is"] == "stage" else ""
            if part["is"] == "pause" and "change.publish" in approve(http, run):
                now = PUBLISHING
            if not struck and now == ordeal.when:
                struck = True
                if ordeal.how == "kill":
                    missed = crew.kill_worker_of(run, lambda: approve(http, run))
                else:
                    began = time.monotonic()
                    http.post(f"/api/runs/{run}/cancel", json={"reason": "enough"})
                    servers.until(lambda: crew.worker_of(run)[0] is None)
                    cancelling = time.monotonic() - began
            if part["is"] == "end":
                break
        assert struck, f"{run} never came to {ordeal.when}"
        return look(http, run), cancelling, missed


def about(folder: Path) -> list[psutil.Process]:
    """Processes that have something in this folder in their command."""
    found: list[psutil.Process] = []
    for each in psutil.process_iter():
        try:
            if any(str(folder) in word for word in each.cmdline()):
                found.append(each)
        except psutil.Error:
            # it has just ended
            continue
    return found
