"""What a hostile command tries, and that it gets nowhere."""

from __future__ import annotations

import asyncio
import os
import socket
import textwrap
import time
from pathlib import Path

import psutil
import pytest

from handrail.core.errors import InvalidField
from handrail.core.sizes import MIB
from handrail.sandbox import Limits, Result, Sandbox, choose

SHORT = Limits(seconds=5, cpu_seconds=5, memory=128 * MIB, processes=24, disk=16 * MIB, file_size=8 * MIB)


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return choose()


async def python(sandbox: Sandbox, code: str, limits: Limits = SHORT) -> Result:
    return await sandbox.run(["python3", "-c", textwrap.dedent(code)], {}, limits)


async def test_files_of_the_host_are_not_there(sandbox: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("sesame")
    places = [
        str(secret),
        "/etc/passwd",
        "/etc/shadow",
        "/root/.bashrc",
        # of the checkout, which may lie in a home, nothing but what Python needs is there
        __file__,
        "/var",
        "/proc/1/root/etc/passwd",
        "/sys",
    ]
    result = await python(sandbox, f"import os; print([p for p in {places} if os.path.exists(p)])")
    assert result.stdout == b"[]\n", result


async def test_the_system_cannot_be_written(sandbox: Sandbox) -> None:
    result = await python(
        sandbox,
        """
        import os
        for place in ("/usr/bin/x", "/etc/x", "/x", "/dev/x", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"):
            try:
                open(place, "w").write("x")
                print("wrote", place)
            except OSError:
                pass
        """,
    )
    assert (result.stdout, result.exit_code) == (b"", 0)


async def test_nothing_of_the_environment_gets_in(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET_OF_THE_SERVER", "sesame")
    result = await sandbox.run(["sh", "-c", "env; cat /proc/*/environ"], {}, SHORT)
    assert b"sesame" not in result.stdout
    assert b"PATH=" in result.stdout


async def test_there_is_no_network_nor_the_host_s_loopback(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0handrail-test-{os.getpid()}")
        abstract.listen()
        port, name = server.getsockname()[1], f"handrail-test-{os.getpid()}"
        result = await python(
            sandbox,
            f"""
            import socket
            for family, place in ((socket.AF_INET, ("127.0.0.1", {port})), (socket.AF_INET, ("192.0.2.1", 80)),
                                  (socket.AF_UNIX, "\\0{name}")):
                with socket.socket(family) as s:
                    s.settimeout(2)
                    try:
                        s.connect(place)
                        print("reached", place)
                    except OSError as error:
                        print(error.errno)
            """,
        )
    assert b"reached" not in result.stdout
    assert len(result.stdout.split()) == 3, result


async def test_the_command_is_nobody_and_cannot_become_more(sandbox: Sandbox) -> None:
    result = await sandbox.run(
        ["sh", "-c", "id -u; grep CapEff /proc/self/status; unshare --user true || echo no; mount -t tmpfs x /tmp"],
        {},
        SHORT,
    )
    uid, caps, nested = result.stdout.decode().splitlines()
    assert (int(uid) > 0, caps.split()[1].strip("0"), nested) == (True, "", "no")
    assert result.exit_code != 0


async def test_a_fork_bomb_burns_out(sandbox: Sandbox) -> None:
    result = await python(
        sandbox,
        """
        import os, time
        made = 0
        while True:
            try:
                if os.fork() == 0:
                    time.sleep(60)
                    os._exit(0)
                made += 1
            except OSError:
                print(made, flush=True)
                break
        """,
    )
    assert 0 < int(result.stdout) <= SHORT.processes, result
    assert result.ending == "exited"


@pytest.mark.parametrize(
    "code", ["x = bytearray(10**9)", "import mmap; x = mmap.mmap(-1, 10**9); x.write(b'x' * 10**9)"]
)
async def test_a_memory_bomb_is_stopped(sandbox: Sandbox, code: str) -> None:
    result = await python(sandbox, f"{code}; print('got it')")
    assert b"got it" not in result.stdout
    assert not result.succeeded
    # the kernel ends it, or the program was refused
    assert result.ending == "memory" or b"MemoryError" in result.stderr or b"Cannot allocate" in result.stderr, result


@pytest.mark.parametrize("place", ["/workspace", "/tmp", "/dev/shm"])
async def test_a_disk_bomb_finds_the_disk_full(sandbox: Sandbox, place: str) -> None:
    result = await python(
        sandbox,
        f"""
        written = 0
        try:
            for n in range(100):
                with open(f"{place}/{{n}}", "wb") as file:
                    written += file.write(bytes({MIB}))
        except OSError as error:
            print(written, error.errno)
        import os
        for n in range(100):
            os.path.exists(f"{place}/{{n}}") and os.unlink(f"{place}/{{n}}")
        """,
    )
    written, errno = map(int, result.stdout.split())
    assert (written <= SHORT.disk, errno) == (True, 28), result


async def test_one_file_has_a_largest_size(sandbox: Sandbox) -> None:
    result = await sandbox.run(["sh", "-c", "head -c 12000000 /dev/zero > big; wc -c < big; rm big"], {}, SHORT)
    assert int(result.stdout) == SHORT.file_size


async def test_endless_output_is_cut_and_the_time_still_ends_it(sandbox: Sandbox) -> None:
    heard = 0

    def hear(stream: str, text: bytes) -> None:
        nonlocal heard
        heard += len(text)

    limits = Limits(seconds=0.5, output=100_000)
    result = await sandbox.run(["yes"], {}, limits, hear)
    assert (result.ending, len(result.stdout), heard) == ("time", 100_000, 100_000)


async def test_an_orphaned_daemon_ends_with_its_command(sandbox: Sandbox) -> None:
    name = f"orphan{os.getpid()}"
    result = await sandbox.run(["sh", "-c", f"setsid nohup sh -c 'sleep 321; : {name}' & echo started"], {}, SHORT)
    assert (result.stdout, result.ending) == (b"started\n", "exited")
    assert [p for p in psutil.process_iter(["cmdline"]) if name in " ".join(p.info["cmdline"] or [])] == []


async def test_links_do_not_lead_out_of_the_workspace(sandbox: Sandbox) -> None:
    result = await sandbox.run(
        [
            "sh",
            "-c",
            "ln -s /etc link; ln -s /usr/bin/env file; ln -s /proc/self/environ env; echo yes > real; cat file/x",
        ],
        {},
        SHORT,
    )
    assert result.files == {"real": b"yes\n"}


async def test_what_is_given_stays_in_the_workspace(sandbox: Sandbox) -> None:
    for name in ("../x", "/etc/x", "a/../../x"):
        with pytest.raises(InvalidField, match="workspace"):
            await sandbox.run(["true"], {name: b""}, SHORT)


async def test_the_parent_cannot_be_killed(sandbox: Sandbox) -> None:
    result = await python(
        sandbox,
        f"""
        import os, signal
        for number in [{os.getpid()}, {os.getppid()}, os.getppid(), 1, -1]:
            try:
                os.kill(number, signal.SIGKILL)
            except OSError:
                pass
        """,
    )
    # it ended its own guard, at most
    assert result.ending in {"killed", "exited"}
    assert (await sandbox.run(["echo", "alive"], {}, SHORT)).stdout == b"alive\n"


async def test_the_guard_s_answer_cannot_be_forged(sandbox: Sandbox) -> None:
    result = await python(
        sandbox,
        """
        import os
        others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
        for number in others:
            try:
                with open(f"/proc/{number}/fd/1", "wb", 0) as file:
                    file.write(b"f\\xff\\xff\\xff\\xff")
                    print("wrote to", number)
            except OSError:
                pass
        print(len(others) > 0)
        """,
    )
    assert result.stdout == b"True\n", result


async def test_time_ends_all_of_it_and_keeps_what_was_said(sandbox: Sandbox) -> None:
    begun = time.monotonic()
    result = await sandbox.run(["sh", "-c", "echo begun; trap '' TERM; sleep 60"], {}, Limits(seconds=0.4))
    assert (result.ending, result.stdout) == ("time", b"begun\n")
    assert time.monotonic() - begun < 30


async def test_a_stopped_guard_does_not_save_the_command(sandbox: Sandbox) -> None:
    code = "import os, signal, time; os.kill(os.getppid(), signal.SIGSTOP); time.sleep(60)"
    assert (await python(sandbox, code, Limits(seconds=0.3))).ending == "time"


async def test_cpu_time_is_limited(sandbox: Sandbox) -> None:
    result = await python(sandbox, "while True: pass", Limits(seconds=30, cpu_seconds=1))
    assert result.ending == "cpu"


async def test_cancelling_ends_the_command_at_once(sandbox: Sandbox) -> None:
    begun, name = asyncio.Event(), f"cancelled{os.getpid()}"
    task = asyncio.create_task(
        sandbox.run(["sh", "-c", f"echo go; sleep 300; : {name}"], {}, Limits(seconds=300), lambda _, __: begun.set())
    )
    await asyncio.wait_for(begun.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    deadline = time.monotonic() + 60
    while any(name in " ".join(p.info["cmdline"] or []) for p in psutil.process_iter(["cmdline"])):
        assert time.monotonic() < deadline, "the command lives on"
        await asyncio.sleep(0.02)


async def test_files_go_in_and_changed_ones_come_out(sandbox: Sandbox) -> None:
    files = {
        "run.sh": b"#!/bin/sh\ncp in.txt out/copy.txt; echo more >> b.txt\n",
        "in.txt": b"one",
        "b.txt": b"",
        "out/x": b"",
    }
    result = await sandbox.run(["./run.sh"], files, SHORT)
    assert (result.succeeded, result.files) == (True, {"out/copy.txt": b"one", "b.txt": b"more\n"})


async def test_a_program_that_is_not_there_is_said(sandbox: Sandbox) -> None:
    result = await sandbox.run(["no-such-program"], {}, SHORT)
    assert (result.exit_code, result.stderr) == (127, b"no-such-program: No such file or directory\n")
