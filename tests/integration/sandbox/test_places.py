"""Commands over folders that are bound into the sandbox: what they see, what stays, what they say, how they end."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sysconfig
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest

from handrail.core.errors import Braked, InvalidField
from handrail.core.sizes import MIB
from handrail.sandbox import Bind, Limits, Line, Place, Result, Sandbox, choose, stopping
from handrail.sandbox.listening import LONGEST_LINE
from handrail.sandbox.places import measure, prepare, share

SHORT = Limits(seconds=10, cpu_seconds=10, memory=256 * MIB, processes=24, disk=16 * MIB, file_size=8 * MIB)


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return choose()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Below a folder that nobody else can enter, as Handrail's data is."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "secret").write_text("sesame")
    tree = data / "tree"
    tree.mkdir()
    (tree / "app.py").write_text("print('one')\n")
    return tree


def over(tree: Path, *more: Bind) -> Place:
    return Place((Bind(tree, "/workspace", writable=True), *more))


async def python(sandbox: Sandbox, place: Place, code: str, limits: Limits = SHORT) -> Result:
    return await sandbox.run_in(place, ["python3", "-c", textwrap.dedent(code)], limits)


class Heard:
    def __init__(self) -> None:
        self.lines: list[Line] = []

    async def __call__(self, line: Line) -> None:
        self.lines.append(line)


async def test_what_is_written_to_the_tree_stays_and_dependencies_are_read_only(
    sandbox: Sandbox, tree: Path, tmp_path: Path
) -> None:
    deps = tmp_path / "deps"
    deps.mkdir(mode=0o700)
    (deps / "tool").write_text("#!/bin/sh\necho tool $FLAVOUR $HOME $PWD\n")
    (deps / "tool").chmod(0o700)
    share(deps)
    place = Place(
        (Bind(tree, "/workspace", writable=True), Bind(deps, "/deps")), environment={"FLAVOUR": "mint"}, path=("/deps",)
    )
    script = "tool; echo two >> app.py; mkdir -p new/deep && echo x > new/deep/file; echo bad > /deps/tool; exit 3"
    heard = Heard()
    result = await sandbox.run_in(place, ["sh", "-c", script], SHORT, heard)
    assert (result.ending, result.exit_code, result.files) == ("exited", 3, {})
    assert heard.lines[0] == Line("stdout", "tool mint /tmp/home /workspace")
    assert [line.stream for line in heard.lines[1:]] == ["stderr"]
    assert "Read-only file system" in heard.lines[1].text
    assert (tree / "app.py").read_text() == "print('one')\ntwo\n"
    assert (tree / "new" / "deep" / "file").read_text() == "x\n"
    assert (deps / "tool").read_text().startswith("#!/bin/sh")


async def test_nothing_of_handrail_is_there(sandbox: Sandbox, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET_OF_THE_SERVER", "sesame")
    own = Path.home() / ".bashrc"
    places = [*map(str, (tree.parent / "secret", tree, own, __file__)), "/etc/shadow", "/var", "/run", "/sys", "/mnt/0"]
    result = await python(
        sandbox,
        over(tree),
        f"""
        import importlib.util, os, subprocess
        print([place for place in {places} if os.path.exists(place)])
        print(os.getuid(), importlib.util.find_spec("handrail"), importlib.util.find_spec("psycopg"))
        said = subprocess.run("env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline", shell=True, capture_output=True)
        print(b"=" + b"sesame" in said.stdout, b"PATH=" in said.stdout)
        """,
    )
    assert result.stdout.decode().splitlines() == ["[]", "65534 None None", "False True"], result


async def test_a_suite_finds_its_own_user_and_localhost_and_no_network(sandbox: Sandbox, tree: Path) -> None:
    result = await python(
        sandbox,
        over(tree),
        """
        import getpass, pwd, os, socket, tempfile
        server = socket.create_server(("localhost", 0))
        socket.create_connection(server.getsockname()).close()
        tempfile.TemporaryDirectory().cleanup()
        print(getpass.getuser(), pwd.getpwuid(os.getuid()).pw_dir)
        for place in (("192.0.2.1", 80), ("example.org", 443)):
            try:
                socket.create_connection(place, timeout=2)
            except OSError as error:
                print(type(error).__name__)
        """,
    )
    assert result.stdout.decode().splitlines() == ["sandbox /tmp/home", "OSError", "gaierror"], result


async def test_a_real_suite_runs_over_its_tree(sandbox: Sandbox, tree: Path) -> None:
    (tree / "cart.py").write_text("def total(prices):\n    return sum(prices)\n")
    (tree / "test_cart.py").write_text(
        "import cart\n\ndef test_sum():\n    assert cart.total([1, 2]) == 3\n\n"
        "def test_wrong(tmp_path):\n    (tmp_path / 'x').write_text('x')\n    assert cart.total([]) == 1\n"
    )
    packages = Path(sysconfig.get_path("purelib"))
    heard = Heard()
    place = Place(
        (Bind(tree, "/workspace", writable=True), Bind(packages, "/deps/packages")),
        environment={"PYTHONPATH": "/deps/packages", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    command = ["python3", "-m", "pytest", "-v", "-p", "no:cacheprovider", "--junitxml=report.xml"]
    result = await sandbox.run_in(place, command, Limits(seconds=60), heard)
    assert result.exit_code == 1, result
    ended = [line.text.split()[:2] for line in heard.lines if "::" in line.text and "%]" in line.text]
    assert ended == [["test_cart.py::test_sum", "PASSED"], ["test_cart.py::test_wrong", "FAILED"]]
    assert 'failures="1"' in (tree / "report.xml").read_text()


async def test_lines_are_told_apart_bounded_and_clean(sandbox: Sandbox, tree: Path) -> None:
    heard = Heard()
    code = """
    import sys
    out, err = sys.stdout.buffer, sys.stderr.buffer
    out.write(b"one\\r\\ntw"), out.flush(), err.write(b"bad \\xff\\x00 byte\\n"), err.flush()
    out.write(b"o\\n\\n"), out.write(b"x" * 300000 + b"\\nafter\\nunended"), out.flush()
    """
    await sandbox.run_in(over(tree), ["python3", "-c", textwrap.dedent(code)], SHORT, heard)
    said = [line for line in heard.lines if line.stream == "stdout"]
    assert [line.text for line in said] == ["one", "two", "", "x" * LONGEST_LINE, "after", "unended"]
    assert [line.is_cut for line in said] == [False, False, False, True, False, False]
    assert [line for line in heard.lines if line.stream == "stderr"] == [Line("stderr", "bad \ufffd\ufffd byte")]


async def test_lines_come_while_the_command_works(sandbox: Sandbox, tree: Path) -> None:
    """It waits for a file that the listener writes once it has heard the first line."""
    told: list[str] = []

    async def listen(line: Line) -> None:
        told.append(line.text)
        (tree / "heard").touch()

    script = "echo first; until [ -e heard ]; do :; done; echo second"
    result = await sandbox.run_in(over(tree), ["sh", "-c", script], SHORT, listen)
    assert (result.ending, told) == ("exited", ["first", "second"])


async def test_a_slow_listener_hears_all_and_costs_the_command_no_time(sandbox: Sandbox, tree: Path) -> None:
    release, told = asyncio.Event(), list[str]()

    async def listen(line: Line) -> None:
        await release.wait()
        told.append(line.text)

    command = ["sh", "-c", "seq 20000; touch done"]
    task = asyncio.create_task(sandbox.run_in(over(tree), command, SHORT, listen))
    async with asyncio.timeout(60):
        while not (tree / "done").exists():  # noqa: ASYNC110 - a file is all that it can say unheard
            await asyncio.sleep(0.01)
    assert (told, task.done()) == ([], False)
    release.set()
    assert (await task).succeeded
    assert told == [str(number) for number in range(1, 20001)]


async def test_a_listener_that_fails_ends_the_command(sandbox: Sandbox, tree: Path) -> None:
    async def listen(line: Line) -> None:
        raise ZeroDivisionError(line.text)

    begun = time.monotonic()
    with pytest.raises(ZeroDivisionError, match="go"):
        await sandbox.run_in(over(tree), ["sh", "-c", "echo go; sleep 300"], Limits(seconds=300), listen)
    assert time.monotonic() - begun < 30


BOMBS = {
    "sleep": "trap '' TERM INT HUP; echo go; sleep 300",
    "forks": "echo go; f() { sleep 300 & f; }; f; while :; do :; done",
    "writer": "echo go; while :; do date +%N > file; done",
}


@pytest.mark.parametrize("name", BOMBS)
async def test_when_cancelling_returns_nothing_is_left_that_runs_or_writes(
    name: str, sandbox: Sandbox, tree: Path
) -> None:
    begun = asyncio.Event()

    async def listen(line: Line) -> None:
        begun.set()

    marked = Place((Bind(tree, "/workspace", writable=True),), environment={"MARK": str(tree)})
    task = asyncio.create_task(sandbox.run_in(marked, ["sh", "-c", BOMBS[name]], Limits(seconds=300), listen))
    await asyncio.wait_for(begun.wait(), 20)
    cancelled = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    took = time.monotonic() - cancelled
    assert [process for process in psutil.process_iter() if is_of(process, str(tree))] == []
    assert took < 2


def is_of(process: psutil.Process, mark: str) -> bool:
    try:
        return process.environ().get("MARK") == mark
    except (psutil.Error, OSError):
        return False


async def test_the_brake_ends_it_too(sandbox: Sandbox, tree: Path) -> None:
    async def listen(line: Line) -> None:
        stopping.stop()

    try:
        with pytest.raises(Braked):
            await sandbox.run_in(over(tree), ["sh", "-c", "echo go; sleep 300"], Limits(seconds=300), listen)
    finally:
        stopping.allow()


async def test_the_limit_that_ended_it_is_named(sandbox: Sandbox, tree: Path) -> None:
    async def ending(script: str, limits: Limits = SHORT) -> str:
        return (await sandbox.run_in(over(tree), ["sh", "-c", f"exec {script}"], limits)).ending

    assert await ending("sleep 60", Limits(seconds=0.3)) == "time"
    assert await ending("head -c 12000000 /dev/zero > big") == "file_size"
    assert (tree / "big").stat().st_size == SHORT.file_size
    flood = "i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > big$i; done"
    assert await ending(f"sh -c '{flood}'") == "disk"
    assert measure(tree) < 2**30


async def test_a_million_empty_files_fill_the_disk_too(sandbox: Sandbox, tree: Path) -> None:
    code = "import os\nfor n in range(10**6): open(f'{n}', 'w').close()"
    result = await python(sandbox, over(tree), code, Limits(seconds=60, disk=MIB))
    assert result.ending == "disk"


async def test_output_that_is_lost_is_counted(sandbox: Sandbox, tree: Path) -> None:
    result = await sandbox.run_in(over(tree), ["sh", "-c", "yes | head -c 500000"], Limits(seconds=20, output=100_000))
    assert (result.ending, len(result.stdout), result.lost) == ("exited", 100_000, 400_000)


async def test_modules_are_bound_into_the_tree_but_never_through_a_link(
    sandbox: Sandbox, tree: Path, tmp_path: Path
) -> None:
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "left-pad").touch()
    place = over(tree, Bind(modules, "/workspace/web/node_modules"))
    result = await sandbox.run_in(
        place, ["sh", "-c", "ls web/node_modules; touch web/x; touch web/node_modules/x"], SHORT
    )
    assert (result.stdout, result.exit_code) == (b"left-pad\n", 1)
    assert (tree / "web" / "x").exists()
    shutil.rmtree(tree / "web")
    (tree / "web").symlink_to(tmp_path)
    with pytest.raises(InvalidField, match="/workspace/web/node_modules"):
        await sandbox.run_in(place, ["true"], SHORT)
    assert not (tmp_path / "node_modules").exists()


@pytest.mark.parametrize(
    "inside", ["/etc", "/", "/usr/bin", "/workspace/../etc", "workspace", "/tmp/x", "/proc", "/deps/"]
)
async def test_binds_do_not_cover_the_system(inside: str, sandbox: Sandbox, tree: Path) -> None:
    with pytest.raises(InvalidField, match="not a place in the sandbox"):
        await sandbox.run_in(over(tree, Bind(tree, inside)), ["true"], SHORT)


async def test_a_place_that_makes_no_sense_is_refused(sandbox: Sandbox, tree: Path) -> None:
    for place in (
        over(tree, Bind(tree / "nowhere", "/deps")),
        over(tree, Bind(tree / "app.py", "/deps")),
        over(tree, Bind(tree, "/workspace")),
        Place((Bind(tree, "/workspace"),), environment={"A=B": "x"}),
        Place((Bind(tree, "/workspace"),), environment={"A": "x\0"}),
        Place((Bind(tree, "/workspace"),), path=("/deps:/etc",)),
    ):
        with pytest.raises(InvalidField):
            await sandbox.run_in(place, ["true"], SHORT)


async def test_a_folder_that_is_missing_inside_is_said(sandbox: Sandbox, tree: Path) -> None:
    place = Place((Bind(tree, "/workspace", writable=True),), folder="/workspace/packages/none")
    result = await sandbox.run_in(place, ["true"], SHORT)
    assert (result.exit_code, result.stderr) == (127, b"/workspace/packages/none: No such file or directory\n")


async def test_two_commands_share_a_tree_and_what_was_edited_in_between(sandbox: Sandbox, tree: Path) -> None:
    (tree / "gate").mkdir()
    waiting = ["sh", "-c", "touch gate/$0; until [ -e gate/$1 ]; do :; done; rm gate/$1"]
    pair = (
        sandbox.run_in(over(tree), [*waiting, "a", "b"], SHORT),
        sandbox.run_in(over(tree), [*waiting, "b", "a"], SHORT),
    )
    assert [result.succeeded for result in await asyncio.gather(*pair)] == [True, True]
    (tree / "gate" / "edited").mkdir()
    assert (await sandbox.run_in(over(tree), ["touch", "gate/edited/x"], SHORT)).succeeded


async def test_commands_that_begin_together_over_a_new_tree_are_one_user(tmp_path: Path) -> None:
    for number in range(20):
        tree = tmp_path / str(number)
        tree.mkdir()
        together = threading.Barrier(4)

        def begin(place: Place = over(tree), together: threading.Barrier = together) -> int | None:
            together.wait()
            return prepare(place).user

        users = await asyncio.gather(*(asyncio.to_thread(begin) for _ in range(together.parties)))
        assert len(set(users)) == 1


async def test_no_link_in_the_tree_gives_away_a_file_outside(sandbox: Sandbox, tree: Path) -> None:
    secret = tree.parent / "secret"
    owner = secret.stat().st_uid
    (tree / "file").symlink_to(secret)
    (tree / "folder").symlink_to(tree.parent)
    result = await sandbox.run_in(over(tree), ["sh", "-c", "cat file folder/secret; echo x > file"], SHORT)
    assert b"sesame" not in result.stdout
    assert (secret.read_text(), secret.stat().st_uid) == ("sesame", owner)


async def test_a_file_that_lies_outside_as_well_is_not_written_through_its_other_name(
    sandbox: Sandbox, tree: Path
) -> None:
    secret = tree.parent / "secret"
    owner = secret.stat().st_uid
    (tree / "run.sh").hardlink_to(secret)
    result = await sandbox.run_in(over(tree), ["sh", "-c", "cat run.sh; echo x >> run.sh"], SHORT)
    assert (result.stdout, result.exit_code) == (b"sesame", 0)
    assert (secret.read_text(), secret.stat().st_uid) == ("sesame", owner)


async def test_endless_folders_are_refused_and_not_followed(sandbox: Sandbox, tree: Path) -> None:
    code = "import os\nfor n in range(300):\n    os.mkdir('d')\n    os.chdir('d')"
    assert (await python(sandbox, over(tree), code)).exit_code == 0
    with pytest.raises(InvalidField, match="nested more than 200 levels"):
        await sandbox.run_in(over(tree), ["true"], SHORT)
    # pytest's own way of tidying up would not come to the end of it
    await asyncio.to_thread(subprocess.run, ["rm", "-rf", str(tree)], check=True)
