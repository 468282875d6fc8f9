"""The sandbox on other machines and for other users: without root, with Docker, with neither."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

import handrail
from handrail.core.errors import Misconfigured
from handrail.sandbox import Bind, Limits, Line, Place, choose

PROGRAM = Path(__file__).with_name("ordinary_user.py")
NOBODY = 65534
JOBS = {
    "files": f"""
import os
print(os.getuid(), open('given').read(), *map(os.path.exists, ('/etc/passwd', {__file__!r})))
""",
    "memory": "x = bytearray(10**9)",
    "forks": """
import os, time
made = 0
while True:
    try:
        if os.fork() == 0:
            time.sleep(60)
        made += 1
    except OSError:
        print(made)
        break
""",
    "shared": """
import mmap, os, time
x = mmap.mmap(-1, 10**9)
for page in range(0, len(x), 4096):
    x[page] = 1
time.sleep(60)
""",
    "together": """
import os, time
for _ in range(4):
    if os.fork() == 0:
        x = bytearray(b"1") * 10**8
        time.sleep(60)
time.sleep(60)
""",
    "inherited": """
import os
x = bytearray(b"1") * 10**8
made = [os.fork() for _ in range(3)]
import time; time.sleep(0.5)
""",
    "node": """
import subprocess
made = "new WebAssembly.Memory({initial: 1, maximum: 65536}); console.log('made')"
print(subprocess.run(["node", "-e", made], capture_output=True, text=True).stdout)
""",
}


@pytest.fixture
def open_folder() -> Generator[Path]:
    """That others can reach as well: each run of pytest closes to them its own folders and those of other runs."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_an_ordinary_user_has_the_same_sandbox(open_folder: Path) -> None:
    """Root tries it as nobody, who has neither control groups nor a way into this checkout: hence the copy."""
    folder = open_folder
    source = Path(handrail.__file__).parent
    for name in ("__init__.py", "core/__init__.py", "core/errors.py", "core/sizes.py"):
        (folder / "handrail" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, folder / "handrail" / name)
    shutil.copytree(source / "sandbox", folder / "handrail" / "sandbox")
    shutil.copy(PROGRAM, folder)
    root = os.geteuid() == 0
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin") if root else sys.executable
    assert python, "there is no python3 for all users of this machine: apt install python3"
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if root else []
    done = subprocess.run(
        [*become, python, str(folder / PROGRAM.name)],
        input=json.dumps(JOBS),
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)},
        cwd="/",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = {name: rest for name, *rest in map(json.loads, done.stdout.splitlines())}
    assert results["files"][2] == "65534 1 False False\n"
    assert "MemoryError" in results["memory"][3] or results["memory"][0] == "memory"
    assert 0 < int(results["forks"][2]) <= 24
    assert results["shared"][0] == results["together"][0] == "memory", results
    assert results["inherited"][:2] == ["exited", 0], "what processes share was counted for each of them"
    assert results["node"][2] == "made\n\n", results["node"]
    assert results["bound"] == ["65534\n", 2]
    assert results["cancelled"] == [True, True, []], "something wrote on after it was cancelled"


CONFINED = '["name=seccomp,profile=builtin","name=cgroupns"]'
DOCKER = """#!/bin/sh
echo "$@" >> {log}
case "$1" in
  run)
    while [ "$1" != python3 ]; do shift; done
    cd {workspace}
    exec "$@" ;;
  info) echo '{security}' ;;
  inspect) echo {killed} ;;
esac
"""


def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, killed: str = "false", security: str = CONFINED) -> Path:
    """A `docker` that shuts nothing in, and writes down what it was asked."""
    log, workspace = tmp_path / "log", tmp_path / "workspace"
    workspace.mkdir()
    program = tmp_path / "docker"
    # kill(-1) of the guard must not leave this test's own sandbox: it gets process numbers of its own
    text = DOCKER.format(log=log, workspace=workspace, killed=killed, security=security)
    text = text.replace('exec "$@"', 'exec bwrap --dev-bind / / --unshare-pid --proc /proc -- "$@"')
    program.write_text(text)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return log


async def test_docker_is_used_where_an_image_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = stub(tmp_path, monkeypatch)
    result = await choose("python:3.12-slim").run(["cat", "a"], {"a": b"hello"}, Limits(seconds=10, processes=7))
    assert (result.stdout, result.ending) == (b"hello", "exited")
    _, started, *_, removed = log.read_text().splitlines()
    for option in (
        "--network none",
        "--read-only",
        "--user 65534:65534",
        "--cap-drop ALL",
        "--security-opt no-new-privileges",
        f"--memory {Limits().memory} --memory-swap {Limits().memory}",
        "--pids-limit 8",
        f"/workspace:rw,exec,nosuid,nodev,mode=1777,size={Limits().disk},uid=65534,gid=65534",
    ):
        assert option in started
    assert removed.startswith("rm --force handrail-")


async def test_docker_binds_folders_and_hands_them_to_their_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = stub(tmp_path, monkeypatch)
    tree, deps = tmp_path / "tree, of mine", tmp_path / "deps"
    tree.mkdir()
    deps.mkdir()
    place = Place((Bind(tree, "/workspace", writable=True), Bind(deps, "/deps")), folder="/opt", path=("/deps/bin",))
    heard: list[Line] = []

    async def listen(line: Line) -> None:
        heard.append(line)

    # the stub binds nothing: what it would have bound is in its log
    monkeypatch.setattr("handrail.sandbox.frames.HOME", str(tmp_path / "home"))
    await choose("image").run_in(place, ["sh", "-c", "echo $PATH"], Limits(seconds=10), listen)
    owner = tree.stat().st_uid
    assert heard[0].text.startswith("/deps/bin:")
    _, started, *_, removed = log.read_text().splitlines()
    for option in (
        f'--mount type=bind,"source={tree}",target=/workspace ',
        f"--mount type=bind,source={deps},target=/deps,readonly ",
        f"--user {owner}:{tree.stat().st_gid} ",
        "--network none",
        "--read-only",
    ):
        assert option in started
    assert "--tmpfs /workspace" not in started
    assert owner != 0
    assert removed.startswith("rm --force handrail-")


async def test_docker_s_word_on_memory_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub(tmp_path, monkeypatch, killed="true")
    assert (await choose("image").run(["true"], {}, Limits(seconds=10))).ending == "memory"


@pytest.mark.parametrize(
    "security", ["", "[]", '["name=apparmor","name=cgroupns"]', '["name=seccomp,profile=unconfined","name=cgroupns"]']
)
async def test_docker_without_its_own_filter_of_calls_is_not_used(
    security: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = stub(tmp_path, monkeypatch, security=security)
    with pytest.raises(Misconfigured, match="must run with its seccomp profile"):
        await choose("image").run(["true"], {}, Limits(seconds=10))
    assert "run" not in log.read_text()


async def test_docker_s_commands_are_under_our_filter_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub(tmp_path, monkeypatch)
    code = "import socket; socket.socket(40, socket.SOCK_STREAM)"
    refused = await choose("image").run(["python3", "-c", code], {}, Limits(seconds=10))
    assert b"Address family not supported" in refused.stderr


@pytest.mark.parametrize(("image", "missing"), [(None, "apt install bubblewrap"), ("python:3.12", "docker")])
def test_without_a_sandbox_nothing_is_run(
    image: str | None, missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Misconfigured, match=missing):
        choose(image)


async def test_a_sandbox_that_does_not_start_says_why(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = open_folder / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(open_folder), prepend=":")
    with pytest.raises(Misconfigured, match="No permissions to create new namespace"):
        await choose().run(["true"])
