"""Docker as the sandbox, with a real daemon: what commands see and may, how they end, and a whole code change by it."""

from __future__ import annotations

import asyncio
import subprocess
import textwrap
import time
from collections.abc import Generator
from pathlib import Path

import change_scripts
import pytest
import server as servers
from change_scripts import FINISHED, INTENDED, PLANNED, ROUNDED, TESTS, call
from change_server import approve, branches, git, look, started, told, written

from deploy.containers.daemon import Docker
from handrail.core.sizes import MIB
from handrail.sandbox import Bind, Limits, Line, Place, Reach, Result, Sandbox, choose
from handrail.sandbox.docker import NOBODY

# the image is made in one of them
pytestmark = pytest.mark.timeout(3600)
HERE = Path(__file__).parent
SHORT = Limits(seconds=20, memory=128 * MIB, processes=24, disk=16 * MIB)
# fails unless it runs in the container: an image of Debian's alone, another root, no network
INSIDE = """
    def test_is_shut_in(self):
        import os, socket
        self.assertTrue(os.path.exists("/.dockerenv"))
        self.assertNotEqual(os.getuid(), 0)
        self.assertEqual([name for name in os.environ if "TOKEN" in name or "DOCKER" in name], [])
        self.assertEqual([name for _, name in socket.if_nameindex()], ["lo"])
"""


@pytest.fixture(scope="module")
def image(docker: Docker) -> str:
    docker.build("sandbox:of-these-tests", HERE / "sandbox.Dockerfile", HERE)
    return "sandbox:of-these-tests"


@pytest.fixture
def sandbox(docker: Docker, image: str, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """As an operator's shell has it: the daemon is found by variables."""
    for name in ("PATH", "DOCKER_HOST", "DOCKER_CONFIG"):
        monkeypatch.setenv(name, docker.environment[name])
    return choose(image)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A tree below a folder that nobody else can enter, and dependencies."""
    data, deps = tmp_path / "data", tmp_path / "deps"
    for folder, mode in ((data, 0o700), (data / "tree", 0o755), (deps, 0o755)):
        folder.mkdir(mode=mode)
    (deps / "tool").write_text("#!/bin/sh\necho tool $PWD\n")
    (deps / "tool").chmod(0o755)
    return Place((Bind(data / "tree", "/workspace", writable=True), Bind(deps, "/deps")), path=("/deps",))


async def python(sandbox: Sandbox, place: Place, code: str, limits: Limits = SHORT) -> Result:
    return await sandbox.run_in(place, ["python3", "-c", textwrap.dedent(code)], limits)


async def test_a_tree_is_worked_on_and_dependencies_are_read_only(
    sandbox: Sandbox, place: Place, docker: Docker
) -> None:
    heard: list[Line] = []

    async def listen(line: Line) -> None:
        heard.append(line)
        # it waits for this: lines come while it works
        (place.binds[0].source / "heard").touch()

    script = "tool; until [ -e heard ]; do :; done; echo two > new; echo bad > /deps/tool; touch /etc/x; exit 3"
    result = await sandbox.run_in(place, ["sh", "-c", script], SHORT, listen)
    assert (result.ending, result.exit_code) == ("exited", 3)
    assert heard[0] == Line("stdout", "tool /workspace")
    assert sum("Read-only file system" in line.text for line in heard) == 2
    assert (place.binds[0].source / "new").read_text() == "two\n"
    assert docker("ps", "--all", "--quiet") == ""


async def test_files_are_handed_in_and_out(sandbox: Sandbox) -> None:
    result = await sandbox.run(["sh", "-c", "cat a > b"], {"a": b"hello"}, SHORT)
    assert (result.succeeded, result.files) == (True, {"b": b"hello"})


async def test_nothing_of_the_machine_is_there(sandbox: Sandbox, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET_OF_THE_SERVER", "sesame")
    result = await python(
        sandbox,
        place,
        f"""
        import os, socket, subprocess
        print([each for each in {[str(place.binds[0].source), __file__]} if os.path.exists(each)], os.getuid() != 0)
        said = subprocess.run("env; cat /proc/[0-9]*/environ", shell=True, capture_output=True).stdout
        print(b"sesame" in said, b"DOCKER" in said)
        for address in (("192.0.2.1", 80), ("example.org", 443)):
            try:
                socket.create_connection(address, timeout=2)
            except OSError as error:
                print(type(error).__name__)
        print([line.split()[1] for line in open("/proc/self/status") if line.startswith(("CapEff", "NoNewPrivs"))])
        """,
    )
    expected = ["[] True", "False False", "OSError", "gaierror", "['0000000000000000', '1']"]
    assert result.stdout.decode().splitlines() == expected, result


@pytest.fixture
def crowd() -> Generator[None]:
    """Processes of the machine, more than a command may have, of the user that it has in its container."""
    crowd = [subprocess.Popen(["sleep", "infinity"], user=NOBODY) for _ in range(2 * SHORT.processes)]
    yield
    for process in crowd:
        process.kill()
        process.wait()


@pytest.mark.usefixtures("crowd")
async def test_processes_are_limited_and_those_of_the_machine_do_not_count(sandbox: Sandbox) -> None:
    code = """
    import subprocess
    begun = []
    try:
        while len(begun) < 1000:
            begun.append(subprocess.Popen(["sleep", "30"]))
    except OSError:
        print(len(begun))
    """
    result = await sandbox.run(["python3", "-c", textwrap.dedent(code)], limits=SHORT)
    # it is one of them itself
    assert (result.exit_code, result.stdout.decode().split()) == (0, [str(SHORT.processes - 1)]), result


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        ("import time; time.sleep(300)", "time"),
        ("held = [bytearray(b'x' * 2**20) for _ in range(1000)]", "memory"),
        ("import itertools\nfor n in itertools.count(): open(str(n), 'wb').write(b'x' * 2**20)", "disk"),
    ],
)
async def test_limits_end_it(sandbox: Sandbox, place: Place, docker: Docker, code: str, ending: str) -> None:
    result = await python(sandbox, place, code, Limits(seconds=8, memory=128 * MIB, disk=16 * MIB))
    # Python may have time to say that there is no more
    assert result.ending == ending or (ending == "memory" and b"MemoryError" in result.stderr), result
    assert docker("ps", "--all", "--quiet") == ""


async def test_cancelling_leaves_no_container_and_takes_no_time(sandbox: Sandbox, place: Place, docker: Docker) -> None:
    begun = asyncio.Event()

    async def listen(line: Line) -> None:
        begun.set()

    script = "trap '' TERM INT; echo go; while :; do date +%N > file; done"
    task = asyncio.create_task(sandbox.run_in(place, ["sh", "-c", script], Limits(seconds=300), listen))
    await asyncio.wait_for(begun.wait(), 60)
    cancelled = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    print(f"cancelled in {time.monotonic() - cancelled:.2f} s")
    assert docker("ps", "--all", "--quiet") == ""


async def test_named_hosts_are_reached_by_the_proxy_alone(sandbox: Sandbox, place: Place) -> None:
    """The door to it is a socket in a folder that is bound: nothing else of the network is there."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\na package")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as registry:
        port = registry.sockets[0].getsockname()[1]
        hosts = frozenset({"127.0.0.1"})
        code = f"""
        import os, urllib.request
        os.environ["no_proxy"] = ""
        print(urllib.request.urlopen("http://127.0.0.1:{port}/six").read().decode())
        try:
            urllib.request.urlopen("http://other.example/")
        except OSError as error:
            print(error.code)
        """
        reaching = Place(place.binds, path=place.path, reach=Reach(hosts, private=hosts))
        result = await python(sandbox, reaching, code)
    assert result.stdout.decode().split() == ["a", "package", "403"], result
    assert len(asked) == 1


def test_a_code_change_is_tested_in_a_container(docker: Docker, image: str, tmp_path: Path) -> None:
    shop = change_scripts.repository(tmp_path / "shop", TESTS + INSIDE)
    scripts = {"intent": INTENDED, "plan": PLANNED, "edit": [call("apply_patch", patch=ROUNDED), FINISHED]}
    variables = {
        **written(scripts, tmp_path),
        **{name: docker.environment[name] for name in ("PATH", "DOCKER_HOST", "DOCKER_CONFIG")},
        "HANDRAIL_SANDBOX_IMAGE": image,
        "USE_DOCKER_FOR_TESTS": "true",
        "HANDRAIL_CONCURRENCY": "1",
    }
    with servers.running(**variables) as server, server.client() as http:
        server.serves("change")
        run = started(server, server.token_of("dev", "developer"), str(shop))
        tests: dict[str, str] = {}
        for part in told(http, run):
            if part["is"] == "pause":
                approve(http, run)
            elif part["is"] == "test":
                tests[part["name"]] = part["outcome"]
            elif part["is"] == "end":
                break
        ended = look(http, run)
    assert ended["status"] == "completed", ended["error"]
    assert tests["test_money.MoneyTest.test_is_shut_in"] == "passed", tests
    branch = ended["result"]["branch"]
    assert branches(shop) == [branch, "main"]
    assert "+    return round(price * 100)" in git(shop, "diff", "main", branch)
    assert docker("ps", "--all", "--quiet") == ""
