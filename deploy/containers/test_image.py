"""The image as docs/deployment.md runs it: as an ordinary user, on a read-only root, with a health check and a clean
stop."""

from __future__ import annotations

import secrets
from collections.abc import Generator
from dataclasses import dataclass

import httpx
import pytest
from server import NO_CERTIFICATES

from deploy.containers.company import free_port
from deploy.containers.daemon import Docker
from deploy.tests.places import ROOT

# the image is built in one of them
pytestmark = pytest.mark.timeout(3600)
NAME = "alone"
SANDBOXED = ["--security-opt", "seccomp=unconfined", "--security-opt", "systempaths=unconfined"]


@dataclass(frozen=True)
class Alone:
    """A container with the embedded PostgreSQL."""

    docker: Docker
    image: str
    port: int
    token: str

    def start(self) -> None:
        closed = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--volume", "alone:/data"]
        given = [f"--env=HANDRAIL_PORT={self.port}", f"--env=HANDRAIL_ADMIN_TOKEN={self.token}"]
        given += ["--env=HANDRAIL_ALLOWED_HOSTS=127.0.0.1,localhost"]
        self.docker("run", "--detach", "--name", NAME, "--network", "host", *closed, *given, self.image)
        self.docker.until_healthy(NAME)

    def stop(self) -> int:
        """Its exit code."""
        self.docker("stop", "--time", "60", NAME)
        code = self.docker.state(NAME)["ExitCode"]
        self.docker("rm", NAME)
        return code

    def run(self, code: str) -> str:
        return self.docker("exec", NAME, "sh", "-c", code).strip()

    def client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.token}"}
        url = f"http://127.0.0.1:{self.port}"
        return httpx.Client(base_url=url, headers=headers, timeout=60, trust_env=False, verify=NO_CERTIFICATES)


@pytest.fixture(scope="module")
def alone(docker: Docker, image: str) -> Generator[Alone]:
    alone = Alone(docker, image, free_port(), f"hr_{secrets.token_urlsafe(32)}")
    alone.start()
    yield alone
    docker("rm", "--force", NAME)
    docker("volume", "rm", "alone")


def test_nothing_in_it_is_root(alone: Alone) -> None:
    """S1.18."""
    assert alone.run("id -u; id -g").split() == ["10001", "10001"]
    assert {line.split()[0] for line in alone.docker("top", NAME, "-o", "uid,pid").splitlines()[1:]} == {"10001"}


def test_it_writes_to_its_volume_and_nowhere_else(alone: Alone) -> None:
    """S1.18."""
    places = "/ /opt/handrail /usr/bin /data /tmp"
    tried = alone.run(f"for place in {places}; do touch $place/x 2>/dev/null && echo $place; done")
    assert tried.split() == ["/data", "/tmp"]


def test_it_has_no_capability_and_cannot_gain_one(alone: Alone) -> None:
    words = alone.run("grep -h ^Cap /proc/[0-9]*/status").split()
    assert set(words[1::2]) == {"0" * 16}


def test_a_stop_is_clean_and_a_new_container_has_the_data(alone: Alone) -> None:
    with alone.client() as http:
        hold = http.post("/api/holds", json={"kind": "input", "title": "Which region?"}).raise_for_status().json()
    assert alone.stop() == 0
    alone.start()
    with alone.client() as http:
        assert http.get(f"/api/holds/{hold['id']}").raise_for_status().json()["title"] == "Which region?"


def test_it_is_unhealthy_when_it_does_not_answer(alone: Alone) -> None:
    """Its check asks the server, on the port that it was given."""
    said = alone.docker("inspect", "--format", "{{range .State.Health.Log}}{{.ExitCode}} {{end}}", NAME)
    assert said.split()[-1] == "0"
    check = alone.docker("inspect", "--format", "{{index .Config.Healthcheck.Test 3}}", NAME).strip()
    ran = alone.run(f"HANDRAIL_PORT={free_port()} python3 -c {_quoted(check)} 2>&1 || echo exit $?")
    assert ran.splitlines()[-1] == "exit 1"


@pytest.mark.parametrize(("given", "works"), [([], False), (SANDBOXED[:2], False), (SANDBOXED, True)])
def test_its_sandbox_works_with_exactly_what_the_documentation_adds(
    alone: Alone, given: list[str], works: bool
) -> None:
    assert " ".join(SANDBOXED) in (ROOT / "docs" / "deployment.md").read_text()
    closed = ["--rm", "--network", "none", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--entrypoint", "sh"]
    bubble = "bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true && echo works || echo fails"
    said = alone.docker("run", *closed, *given, alone.image, "-c", bubble)
    assert said.split()[-1] == ("works" if works else "fails")


def _quoted(code: str) -> str:
    return "'" + code.replace("'", "'\\''") + "'"
