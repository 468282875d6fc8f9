"""The compose file's company, as it runs without a bridge and a registry. All containers have the machine's loopback,
so each replica is a service with its own port; PostgreSQL and the balancer are Debian's, the mail catcher is Python's.
Everything else is what the file says."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import yaml
from server import NO_CERTIFICATES

from deploy.containers.daemon import Docker
from deploy.tests.places import ROOT

FILE = ROOT / "deploy" / "compose" / "compose.yaml"
WORKFLOWS = ROOT / "tests" / "acceptance" / "engine"
UNMASKED = "systempaths=unconfined"
REPLICATED = ("api", "worker")

Json = dict[str, Any]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@dataclass
class Company:
    docker: Docker
    folder: Path
    # of Handrail, of Debian's services, of the mail catcher
    images: tuple[str, str, str]
    token: str = field(default_factory=lambda: f"hr_{secrets.token_urlsafe(32)}")
    ports: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def file(self) -> Path:
        return self.folder / "compose.json"

    def client(self, service: str, token: str | None = None) -> httpx.Client:
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.ports[service]}",
            headers={"Authorization": f"Bearer {token or self.token}"},
            timeout=60,
            trust_env=False,
            verify=NO_CERTIFICATES,
        )

    def services(self, kind: str) -> list[str]:
        """The replicas of a service of the file."""
        return [name for name in self.ports if name.rpartition("-")[0] == kind]

    def container(self, service: str) -> str:
        label = f"label=com.docker.compose.service={service}"
        return self.docker("ps", "--quiet", "--all", "--filter", label).strip()

    def token_of(self, name: str, kind: str = "person", **fields: Any) -> str:
        """A token of a new principal."""
        with self.client("balancer") as http:
            http.post("/api/people", json={"name": name, "kind": kind, **fields}).raise_for_status()
            return http.post("/api/tokens", json={"principal": name}).raise_for_status().json()["token"]

    def write(self) -> None:
        given: Json = yaml.safe_load(FILE.read_text())
        for name, service in given["services"].items():
            count = service.get("deploy", {}).get("replicas", 1)
            names = [f"{name}-{number + 1}" for number in range(count)] if name in REPLICATED else [name]
            self.ports |= {each: free_port() for each in names}
        services = {name: self._service(name, given["services"][name.partition("-")[0]]) for name in self.ports}
        found = {"version": "2.4", "services": services, "volumes": given["volumes"]}
        self.file.write_text(self._addressed(json.dumps(found)))

    def _service(self, name: str, of_file: Json) -> Json:
        ours, of_debian, of_tests = self.images
        port = self.ports[name]
        kept = {key: value for key, value in of_file.items() if key not in {"deploy", "ports"}}
        service: Json = {**kept, "network_mode": "host"}
        # an option of today's `docker`, which Debian's docker-compose does not know
        service["security_opt"] = [each for each in of_file.get("security_opt", []) if each != UNMASKED]
        match name.partition("-")[0]:
            case "database":
                variables = {**of_file["environment"], "PGPORT": str(port), "PGHOST": "127.0.0.1"}
                return {**service, "image": of_debian, "user": "postgres", "command": "database.sh"} | {
                    "environment": variables
                }
            case "balancer":
                to = [word for api in self.services("api") for word in ("--to", f"127.0.0.1:{self.ports[api]}")]
                command = ["caddy", "reverse-proxy", "--from", f":{port}", *to]
                home = {"XDG_CONFIG_HOME": "/tmp", "XDG_DATA_HOME": "/tmp"}
                return {**service, "image": of_debian, "command": command, "environment": home} | {
                    "depends_on": self.services("api")
                }
            case "mail":
                listen = ["--nosetuid", "--listen", f"127.0.0.1:{port}", "--class", "aiosmtpd.handlers.Debugging"]
                return {**service, "image": of_tests, "command": ["python3", "-u", "-m", "aiosmtpd", *listen, "stdout"]}
            case kind:
                assert kind in REPLICATED
                variables = {
                    **of_file["environment"],
                    "HANDRAIL_ADMIN_TOKEN": self.token,
                    "HANDRAIL_PORT": str(port),
                    "HANDRAIL_TRUSTED_PROXIES": "127.0.0.1",
                }
                if kind == "api":
                    return {**service, "image": ours, "environment": variables}
                command = [word.replace("8400", str(port)) for word in of_file["command"]]
                variables |= {"HANDRAIL_WORKFLOWS_FILE": "/workflows/handrail.toml"}
                volumes = [*of_file["volumes"], f"{WORKFLOWS}:/workflows:ro", f"{self.folder}:{self.folder}"]
                return {**service, "image": ours, "command": command, "environment": variables} | {"volumes": volumes}

    def _addressed(self, text: str) -> str:
        """With ports of loopback in place of names."""
        names = {"@database": "database", "mail:1025": "mail", "127.0.0.1:8400": "balancer"}
        for there, service in names.items():
            assert there in text, f"{FILE.name} no longer has {there}"
            sign = "@" if there.startswith("@") else ""
            text = text.replace(there, f"{sign}127.0.0.1:{self.ports[service]}")
        return text


@contextmanager
def running(docker: Docker, folder: Path, *images: str) -> Generator[Company]:
    ours, of_debian, of_tests = images
    company = Company(docker, folder, (ours, of_debian, of_tests))
    company.write()
    docker.compose(company.file, "up", "--detach")
    try:
        yield company
    finally:
        docker.compose(company.file, "down", "--volumes", "--timeout", "60")
