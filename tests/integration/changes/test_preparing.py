"""Dependencies are installed once, in the sandbox, all or nothing, and are read-only afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from packages import node_package, wheel
from repositories import repository

from handrail.changes.environments.detecting import detect
from handrail.changes.environments.errors import LayerTooLarge, PreparationFailed
from handrail.changes.environments.instructions import Instructions
from handrail.changes.environments.layers import WRITTEN, Layer
from handrail.changes.environments.model import Command, Environment
from handrail.changes.environments.preparing import Workshop, sweep, with_code
from handrail.changes.environments.sources import Sources
from handrail.changes.running.choosing import choose as chosen
from handrail.changes.running.choosing import whole
from handrail.changes.running.executing import Bench, Tree, run
from handrail.core.sizes import MIB
from handrail.sandbox import choose

TESTS = """
import unittest, rates
class T(unittest.TestCase):
    def test_rate(self): self.assertEqual(rates.RATE, 7)
    def test_is_read_only(self):
        with self.assertRaises(OSError): open(rates.__file__, "w")
"""


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(choose(), tmp_path / "layers")


def script(line: str, *hosts: str) -> Environment:
    return Environment("custom", "custom", "", {}, commands=(Command(("sh", "-c", line), is_shell=True),), hosts=hosts)


async def prepared(workshop: Workshop, environment: Environment, lines: list[str] | None = None) -> Layer:
    async def tell(line: str) -> None:
        if lines is not None:
            lines.append(line)

    return await workshop.prepare(environment, workshop.describe(environment)["arguments"]["hash"], tell)


def left(workshop: Workshop) -> list[str]:
    return sorted(path.name for path in workshop.folder.iterdir() if not path.name.endswith(".lock"))


async def test_wheels_of_the_operators_folder_are_installed_without_a_network(
    tmp_path: Path, workshop: Workshop, bench: Bench
) -> None:
    wheel(tmp_path / "packages" / "wheels", "rates", "RATE = 7\n")
    sources = repository(tmp_path / "tree", {"requirements.txt": "rates==1.0\n", "test_a.py": TESTS})
    (environment,) = detect(sources).environments
    workshop = replace(workshop, packages=tmp_path / "packages")
    described = workshop.describe(environment)
    assert described["name"] == "change.prepare"
    assert described["arguments"]["files"] == ["requirements.txt"]
    assert described["arguments"]["hosts"] == []
    layer = await prepared(workshop, environment)
    assert workshop.find(environment) == layer
    assert left(workshop) == [layer.hash]
    (call,) = chosen(sources, Instructions()).tests
    found = await run(whole(call), Tree(sources.root, "1", (layer,)), bench)
    assert found.report.fault == ""
    assert [test.outcome.value for test in found.report.tests] == ["passed", "passed"]


async def test_packages_of_node_are_installed_without_their_scripts(
    tmp_path: Path, workshop: Workshop, bench: Bench
) -> None:
    content, lock = node_package("rates", "module.exports = 7;", "echo x > /workspace/node_modules/ran")
    wanted = '{"dependencies": {"rates": "file:rates-1.0.0.tgz"}, "scripts": {"test": "node --test"}}'
    code = "require('node:test').test('rate', () => require('assert').equal(require('rates'), 7))"
    files = {"package.json": wanted, "package-lock.json": lock, "rates-1.0.0.tgz": content, "a.test.js": code}
    sources = repository(tmp_path / "tree", files)
    (environment,) = detect(sources).environments
    (tmp_path / "packages" / "npm").mkdir(parents=True)
    layer = await prepared(replace(workshop, packages=tmp_path / "packages"), environment)
    assert layer.within == ("node_modules",)
    assert layer.written == tuple(f"node_modules/{name}" for name in WRITTEN), (
        "what runs may write there, and only there"
    )
    assert not (layer.folder / "tree" / "node_modules" / "ran").exists()
    (call,) = chosen(sources, Instructions()).tests
    found = await run(whole(call), Tree(sources.root, "1", (layer,)), bench)
    assert [test.outcome.value for test in found.report.tests] == ["passed"]


async def test_of_two_at_once_one_prepares_and_the_other_waits(workshop: Workshop) -> None:
    lines: list[str] = []
    environment = script("echo once; echo 1 > $HANDRAIL_DEPS/x")
    one, other = await asyncio.gather(*(prepared(workshop, environment, lines) for _ in range(2)))
    assert one == other
    assert lines.count("once") == 1
    await prepared(workshop, environment, lines)
    assert lines.count("once") == 1


async def test_what_was_not_approved_is_not_run(workshop: Workshop) -> None:
    with pytest.raises(PreparationFailed, match="not those that were approved"):
        await workshop.prepare(script("true"), script("false").hash)
    assert not workshop.folder.exists()


async def test_a_failure_says_why_and_leaves_nothing(workshop: Workshop) -> None:
    with pytest.raises(PreparationFailed) as caught:
        await prepared(
            workshop, script("echo 1 > $HANDRAIL_DEPS/x; echo no such package ghp_" + "a1" * 18 + " >&2; exit 3")
        )
    assert "ended with 3: no such package [hidden]" in caught.value.message
    assert caught.value.data["output"] == "no such package [hidden]"
    assert left(workshop) == []


async def test_cancelling_leaves_nothing(workshop: Workshop) -> None:
    begun = asyncio.Event()

    async def tell(line: str) -> None:
        if line == "ready":
            begun.set()

    environment = script("echo 1 > $HANDRAIL_DEPS/x; echo ready; sleep 600")
    task = asyncio.create_task(workshop.prepare(environment, environment.hash, tell))
    await begun.wait()
    task.cancel()
    async with asyncio.timeout(60):
        with pytest.raises(asyncio.CancelledError):
            await task
    assert left(workshop) == []


async def test_a_killed_process_leaves_no_layer_and_its_draft_is_swept(workshop: Workshop) -> None:
    environment = script("echo 1 > $HANDRAIL_DEPS/x; echo ready; sleep 600")
    code = f"""
        import asyncio
        from pathlib import Path
        from handrail.changes.environments.model import Command, Environment
        from handrail.changes.environments.preparing import Workshop
        from handrail.sandbox import choose
        async def tell(line): print(line, flush=True)
        line = {environment.commands[0].arguments[2]!r}
        each = Environment("custom", "custom", "", {{}}, commands=(Command(("sh", "-c", line), is_shell=True),))
        asyncio.run(Workshop(choose(), Path({str(workshop.folder)!r})).prepare(each, each.hash, tell))
    """
    other = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", textwrap.dedent(code)), stdout=asyncio.subprocess.PIPE
    )
    assert other.stdout is not None
    while (line := await other.stdout.readline()) != b"ready\n":
        assert line, "it ended before it was killed"
    os.kill(other.pid, signal.SIGKILL)
    await other.wait()
    assert workshop.find(environment) is None
    assert len(left(workshop)) == 1
    sweep(workshop.folder, 3600, 100 * MIB)
    assert left(workshop) == []


async def test_a_layer_is_bounded_in_size(workshop: Workshop) -> None:
    small = replace(workshop, limits=replace(workshop.limits, disk=8 * MIB))
    with pytest.raises(LayerTooLarge):
        await prepared(small, script("head -c 64M /dev/zero > $HANDRAIL_DEPS/x"))
    assert left(workshop) == []


async def test_a_link_instead_of_packages_leads_nowhere(tmp_path: Path, workshop: Workshop) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    line = f"ln -s {secret} node_modules; mkdir a; ln -s {secret} a/node_modules; mkdir -p b/node_modules; ln -s b c"
    assert (await prepared(workshop, script(line))).within == ("b/node_modules",)


async def test_the_network_is_that_of_the_hosts_that_were_shown(workshop: Workshop) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"welcome")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    code = f"""
import os, socket, sys
with socket.create_connection(("127.0.0.1", 3128), 5) as way:
    way.sendall(b"CONNECT %b:{port} HTTP/1.1\\r\\n\\r\\n" % sys.argv[1].encode())
    said = b"".join(iter(lambda: way.recv(4096), b""))
sys.exit(not said.endswith(b"welcome"))
"""
    shown = replace(script("python3 try.py localhost", f"localhost:{port}"), files={"try.py": code.encode()})
    other = replace(shown, commands=script("python3 try.py elsewhere.example").commands)
    async with server:
        await prepared(replace(workshop, private_hosts=frozenset({"localhost"})), shown)
        with pytest.raises(PreparationFailed, match=r"elsewhere\.example is not among the hosts"):
            await prepared(workshop, other)
        # a name that leads into this machine's network is refused, unless the operator has named it
        sweep(workshop.folder, -1, 0)
        with pytest.raises(PreparationFailed, match="localhost is in a private network"):
            await prepared(workshop, shown)


async def test_layers_are_swept_by_age_and_by_size(workshop: Workshop) -> None:
    names: list[str] = []
    for number, age in enumerate((10, 9000, 90000)):
        layer = await prepared(workshop, script(f"head -c 4M /dev/zero > $HANDRAIL_DEPS/{number}"))
        record = layer.folder / "layer.json"
        now = record.stat().st_mtime
        os.utime(record, (now - age, now - age))
        names.append(layer.hash)
    assert sweep(workshop.folder, 86400, 100 * MIB) == [names[2]]
    # the one that was used a moment ago may be in use
    assert sweep(workshop.folder, 86400, MIB) == [names[1]]
    assert left(workshop) == [names[0]]


async def test_what_needs_nothing_is_prepared_from_the_start(tmp_path: Path, workshop: Workshop) -> None:
    (environment,) = detect(repository(tmp_path / "tree", {"go.mod": "module a\n"})).environments
    layer = workshop.find(environment)
    assert layer
    assert layer.binds == ()
    assert layer.environment.variables["GOPROXY"] == "off"


def test_builds_and_scripts_are_another_action(tmp_path: Path) -> None:
    (environment,) = detect(repository(tmp_path, {"requirements.txt": "idna==3.10\n"})).environments
    other = with_code(environment)
    assert other.runs_code
    assert other.hash != environment.hash
    assert "--only-binary" not in str(other.commands[-1])


def test_managers_that_need_a_network_say_so_where_there_is_none(tmp_path: Path, workshop: Workshop) -> None:
    (environment,) = detect(
        Sources(repository(tmp_path / "t", {"package.json": "{}", "yarn.lock": ""}).root)
    ).environments
    with pytest.raises(PreparationFailed, match="yarn cannot install without a network"):
        replace(workshop, packages=tmp_path).describe(environment)
