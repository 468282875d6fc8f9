"""The company of the compose file: what is asked through the balancer is decided on one API and seen on the other; mail
goes out; a worker that is stopped hands its run to another."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from server import until

from deploy.containers import company as companies
from deploy.containers.company import Company
from deploy.containers.daemon import Docker

# images are built in one of them
pytestmark = pytest.mark.timeout(3600)
GATES = 3


@pytest.fixture(scope="module")
def company(
    docker: Docker, image: str, services_image: str, tests_image: str, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Company]:
    folder = tmp_path_factory.mktemp("company")
    # workflows of the containers' user write into it
    for place in (folder, *folder.parents[:2]):
        place.chmod(0o777)
    with companies.running(docker, folder, image, services_image, tests_image) as company:
        ours = [*company.services("api"), *company.services("worker")]
        docker.until_healthy(*map(company.container, ["database", *ours]))
        yield company


def test_it_is_two_apis_and_three_workers(company: Company) -> None:
    """S1.18."""
    assert (len(company.services("api")), len(company.services("worker"))) == (2, 3)
    assert {name for name in company.ports if "-" not in name} == {"database", "balancer", "mail"}


def test_a_hold_that_came_through_the_balancer_is_decided_on_one_api_and_seen_on_the_other(company: Company) -> None:
    agent, person = company.token_of("agent", kind="agent"), company.token_of("Ann", roles=["tech_lead"])
    with company.client("balancer", agent) as http:
        question = {"kind": "confirmation", "title": "Send the newsletter", "action": {"name": "send_newsletter"}}
        hold = http.post("/api/holds", json=question).raise_for_status().json()
    waits = threading.Event()

    def wait() -> httpx.Response:
        with company.client("api-2", agent) as http:
            waits.set()
            return http.get(f"/api/holds/{hold['id']}/wait", params={"timeout": 50})

    with ThreadPoolExecutor() as threads:
        waiter = threads.submit(wait)
        waits.wait()
        with company.client("api-1", person) as http:
            review = {"verdict": "approve", "digest": hold["digest"]}
            http.post("/api/me/password", json={"password": f"{person}!"}).raise_for_status()
            http.post(f"/api/holds/{hold['id']}/reviews", json=review).raise_for_status()
        assert waiter.result().raise_for_status().json()["status"] == "approved"


def test_a_person_is_asked_by_mail_with_a_link_to_the_balancer(company: Company) -> None:
    company.token_of("Bea", roles=["team_lead"], email="bea@example.com")
    agent = company.token_of("mailing-agent", kind="agent")
    with company.client("balancer", agent) as http:
        question = {"kind": "confirmation", "title": "Post the parcel", "action": {"name": "post_parcel"}}
        http.post("/api/holds", json=question).raise_for_status()
    catcher = company.container("mail")
    mail = until(lambda: "Post the parcel" in (said := company.docker.logs(catcher)) and said)
    assert "To: bea@example.com" in mail
    assert f"http://127.0.0.1:{company.ports['balancer']}/" in mail.replace("=\n", "")


def test_a_worker_that_is_stopped_hands_its_run_to_another(company: Company) -> None:
    first, *others = company.services("worker")
    for other in others:
        assert _stopped(company, other) == 0
    notes = company.folder / "notes"
    gates = [Path(f"{notes}.{number}") for number in range(GATES)]
    for gate in gates:
        os.mkfifo(gate)
        gate.chmod(0o666)
    with company.client("balancer") as http:
        given = {"workflow": "gated", "input": {"notes": str(notes)}}
        run = http.post("/api/runs", json=given).raise_for_status().json()["id"]
    until(lambda: notes.exists() and _names(notes) == ["gate-0"])
    with ThreadPoolExecutor() as threads:
        code = threads.submit(_stopped, company, first)
        # it finishes the step that it is at, and begins no other
        until(lambda: not _is_well(company, first))
        gates[0].write_text("go")
        assert code.result() == 0
    assert _names(notes) == ["gate-0"]
    company.docker.compose(company.file, "start", others[0])
    for gate in gates[1:]:
        gate.write_text("go")
    with company.client("balancer") as http:
        seen = until(lambda: (it := http.get(f"/api/runs/{run}").json())["status"] == "completed" and it)
    assert seen["result"]["steps"] == _names(notes) == ["gate-0", "gate-1", "gate-2"]


def _stopped(company: Company, service: str) -> int:
    container = company.container(service)
    company.docker("stop", "--time", "60", container)
    return company.docker.state(container)["ExitCode"]


def _is_well(company: Company, service: str) -> bool:
    try:
        with company.client(service) as http:
            return http.get("/health").is_success
    except httpx.TransportError:
        return False


def _names(notes: Path) -> list[str]:
    return [line.split()[0] for line in notes.read_text().splitlines()]
