"""A Docker of our own, from Debian's packages: its socket, its images and all it runs are in one folder and end with
it. It has no bridge, which takes rights over the machine's network: containers use the machine's."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.tests import debian
from deploy.tests.places import ROOT, TOOLS

PACKAGES = (
    *("docker.io", "containerd", "runc", "tini", "debootstrap", "docker-compose"),
    *("python3-attr", "python3-certifi", "python3-chardet", "python3-charset-normalizer", "python3-docker"),
    *("python3-dockerpty", "python3-docopt", "python3-dotenv", "python3-idna", "python3-jsonschema"),
    *("python3-pyrsistent", "python3-requests", "python3-six", "python3-texttable", "python3-urllib3"),
    *("python3-websocket", "python3-yaml"),
)
# what the Dockerfiles begin with; no image can be pulled where there is no registry
BASE = "debian:bookworm-slim"
START_SECONDS = 120.0
# a machine that does much else is slow
HEALTHY_SECONDS = 900.0


@dataclass(frozen=True)
class Docker:
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """With which `docker`, and all that calls it, uses this one."""
        path = os.pathsep.join([*map(str, debian.places()), os.environ["PATH"]])
        host = f"unix://{self.folder}/docker.sock"
        return {**os.environ, "PATH": path, "DOCKER_HOST": host, "DOCKER_CONFIG": str(self.folder / "config")}

    def __call__(self, *words: str | Path) -> str:
        """What `docker` prints; raises with what it complained of."""
        return self._run("docker", *words)

    def compose(self, file: Path, *words: str) -> str:
        """Debian's docker-compose, which is Python and has its modules beside it."""
        modules = str(debian.FOLDER / "usr" / "lib" / "python3" / "dist-packages")
        program = debian.FOLDER / "usr" / "bin" / "docker-compose"
        given = ("--file", file, "--project-name", "handrail", *words)
        return self._run("/usr/bin/python3", program, *given, PYTHONPATH=modules)

    def _run(self, *words: str | Path, **variables: str) -> str:
        ran = subprocess.run(
            words, env={**self.environment, **variables}, capture_output=True, text=True, check=False, cwd=self.folder
        )
        assert ran.returncode == 0, f"{words[1:3]}: {ran.stdout[-4000:]}{ran.stderr[-4000:]}"
        return ran.stdout

    def state(self, container: str) -> dict[str, Any]:
        return json.loads(self("inspect", "--format", "{{json .State}}", container))

    def logs(self, container: str) -> str:
        """What it wrote, to either stream."""
        ran = subprocess.run(
            ["docker", "logs", container],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        return ran.stdout

    def until_healthy(self, *containers: str) -> None:
        """By their own health check."""
        deadline = time.monotonic() + HEALTHY_SECONDS
        for container in containers:
            while (state := self.state(container))["Health"]["Status"] != "healthy":
                late = time.monotonic() > deadline
                assert state["Running"] and not late, f"{container}: {state}\n{self.logs(container)[-4000:]}"
                time.sleep(0.2)

    def build(self, name: str, recipe: Path, context: Path, **arguments: str) -> None:
        given = [word for key, value in arguments.items() for word in ("--build-arg", f"{key}={value}")]
        self("build", "--network", "host", "--file", recipe, "--tag", name, *given, context)

    def build_image(self, name: str) -> None:
        """Ours, as `make image` does it."""
        subprocess.run([ROOT / "scripts" / "image.sh", name], env=self.environment, check=True)


@contextmanager
def running() -> Generator[Docker]:
    assert os.geteuid() == 0, "A Docker daemon needs root. Run it in a virtual machine or a privileged container."
    debian.unpack(*PACKAGES)
    # short, because of its sockets
    folder = Path(tempfile.mkdtemp(prefix="handrail-docker-"))
    docker = Docker(folder)
    (folder / "config").mkdir()
    places = [f"--data-root={folder}/data", f"--exec-root={folder}/exec", f"--pidfile={folder}/docker.pid"]
    network = ["--bridge=none", "--iptables=false", "--ip-forward=false", "--ip-masq=false"]
    daemon = ["dockerd", f"--host=unix://{folder}/docker.sock", *places, *network]
    with (folder / "dockerd.log").open("wb") as log:
        process = subprocess.Popen(daemon, env=docker.environment, stdout=log, stderr=log)
    try:
        _wait_for(process, folder)
        yield docker
        if left := docker("ps", "--quiet").split():
            docker("kill", *left)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        # the name of the machine's network, which it leaves behind; `Path.is_mount` knows only folders
        if os.path.ismount(left := folder / "exec" / "netns" / "default"):
            subprocess.run(["umount", left], check=True)
        shutil.rmtree(folder)


def _wait_for(process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not (folder / "docker.sock").exists():
        said = (folder / "dockerd.log").read_text()
        assert process.poll() is None and time.monotonic() < deadline, f"dockerd did not start: {said[-4000:]}"
        time.sleep(0.1)


def bring_base(docker: Docker) -> None:
    """Debian 12 as debootstrap makes it, under the name of the image that would be pulled; kept for the next time."""
    archive = TOOLS / "bookworm.tar"
    if not archive.exists():
        script = {"DEBOOTSTRAP_DIR": str(debian.FOLDER / "usr" / "share" / "debootstrap")}
        root = docker.folder / "root"
        # what it mounts and starts ends with it, also where it is killed: else `/proc` stays mounted in the folder
        alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        words = [*alone, "debootstrap", "--variant=minbase", "bookworm", str(root)]
        subprocess.run(words, env={**docker.environment, **script}, check=True, capture_output=True)
        draft = archive.with_suffix(".draft")
        subprocess.run(["tar", "--create", "--file", draft, "--directory", root, "."], check=True)
        shutil.rmtree(root)
        draft.rename(archive)
    docker("import", archive, BASE)
