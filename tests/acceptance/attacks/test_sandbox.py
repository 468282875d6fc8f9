"""Attacks by skills, by code in the sandbox, by repositories' addresses and by documents."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import marshal
import os
import pickle
import platform
import signal
import socket
import stat
import tarfile
import textwrap
import threading
import time
import zlib
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import apps
import git_server
import httpx
import pdfs
import psutil
import pytest
import server as servers
from git_server import GitServer
from psycopg.conninfo import conninfo_to_dict
from registrations import claim, drive_on, registered, served, work
from server import ServerProcess, until

from handrail.core.errors import CloneRefused, Unavailable
from handrail.core.sizes import MIB
from handrail.documents import extracting
from handrail.policy import default_policy
from handrail.sandbox import Limits, Result, choose, cloning, frames, seccomp
from handrail.sandbox.cloning import CloneLimits, clone
from handrail.skills.kinds import REGISTRATION

Json = dict[str, Any]

HARMLESS: Json = {"name": "read_file", "args": {"path": "notes.txt"}}
SKILL = "---\nname: {name}\ndescription: Adds numbers.\n---\nRun add.py.\n"
LENIENT = """
  - id: skills-are-harmless
    action: [skill.register]
    level: low
"""


@pytest.fixture
async def desk(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[apps.Desk]:
    monkeypatch.setenv("HANDRAIL_SKILL_ROOTS", str(tmp_path))
    async with apps.desk(database, skill_roots=(tmp_path,)) as desk:
        yield desk


@pytest.fixture(scope="module")
def git(tmp_path_factory: pytest.TempPathFactory) -> Generator[GitServer]:
    with git_server.serving(tmp_path_factory.mktemp("repositories")) as server:
        yield server


@contextmanager
def redirecting(to: str) -> Generator[str]:
    """The address of a server that sends everybody elsewhere."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", f"{to}/info/refs?service=git-upload-pack")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is Python's
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/o/moved"
        finally:
            server.shutdown()


async def proposed(desk: apps.Desk, who: httpx.AsyncClient, folder: Path, name: str) -> dict[str, str]:
    """The hold of a skill that this caller registered."""
    (folder / name).mkdir()
    (folder / name / "SKILL.md").write_text(SKILL.format(name=name))
    (candidate,) = (await registered(desk, who, folder=str(folder / name)))["candidates"]
    assert candidate["skill"]["safe"], candidate["findings"]
    return (await who.get(f"/api/holds/{candidate['skill']['hold_id']}")).raise_for_status().json()


async def test_nobody_approves_a_skill_that_they_registered_not_even_the_administrator(
    desk: apps.Desk, tmp_path: Path
) -> None:
    lead = await desk.member("lead", roles=["team_lead", "tech_lead", "cto"])
    for who in (desk.admin, lead):
        hold = await proposed(desk, who, tmp_path, f"of-{'lead' if who is lead else 'admin'}")
        for verdict in ("approve", "amend"):
            body: Json = {"verdict": verdict, "digest": hold["digest"], "reason": "mine"}
            body |= {"amended_action": HARMLESS} if verdict == "amend" else {}
            refused = await who.post(f"/api/holds/{hold['id']}/reviews", json=body)
            assert (refused.status_code, refused.json()["code"]) == (403, "own_request")
        many = {"verdict": "approve", "holds": [{"id": hold["id"], "digest": hold["digest"]}]}
        bulk = (await who.post("/api/holds/reviews", json=many)).json()
        assert "own_request" in str(bulk)
        safe = (await who.post("/api/skills/queue/approve-safe", json={})).json()
        assert (safe["approved"], safe["refused"][0]["code"]) == ([], "own_request")
        assert (await who.get("/api/skills")).json()["skills"] == []
        cancelled = await who.post(f"/api/holds/{hold['id']}/cancel", json={})
        assert cancelled.status_code == 200, cancelled.text


async def test_another_person_puts_it_in_force_and_cannot_make_something_else_of_it(
    desk: apps.Desk, tmp_path: Path
) -> None:
    lead = await desk.member("lead", roles=["team_lead"])
    hold = await proposed(desk, desk.admin, tmp_path, "adder")
    body = {"verdict": "amend", "digest": hold["digest"], "amended_action": HARMLESS}
    refused = await lead.post(f"/api/holds/{hold['id']}/reviews", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "wrong_verdict")
    done = (await lead.post("/api/skills/queue/approve-safe", json={})).json()
    assert (done["approved"], done["refused"]) == (["adder"], [])


async def test_no_policy_lets_a_registration_be_approved_by_the_person_who_made_it(
    desk: apps.Desk, tmp_path: Path
) -> None:
    files = dict(default_policy().source)
    rules = next(name for name in files if name.startswith("risk-assessment-rules"))
    files[rules] = files[rules].replace("\nrules:", f"\nrules:{LENIENT}", 1)
    (await desk.admin.post("/api/policy", json={"files": files, "reason": "careless"})).raise_for_status()
    hold = await proposed(desk, desk.admin, tmp_path, "adder")
    body = {"verdict": "approve", "digest": hold["digest"]}
    refused = await desk.admin.post(f"/api/holds/{hold['id']}/reviews", json=body)
    assert (hold["risk"], refused.json()["code"]) == ("low", "own_request")


async def test_a_registration_that_is_started_as_a_plain_run_reads_no_more_than_by_its_route(
    desk: apps.Desk, tmp_path: Path
) -> None:
    developer = await desk.member("dev", roles=["developer"])
    workflow = await served(desk)
    (tmp_path / "away").symlink_to("/etc")
    for given in (
        {"folder": "/etc"},
        {"folder": f"{tmp_path}/../.."},
        {"folder": str(tmp_path / "away")},
        {"folder": "/etc", "url": "https://localhost/o/r"},
        {"url": "https://169.254.169.254/o/r"},
        {"url": "file:///etc"},
        {"url": "ext::sh -c id"},
        {"skill": "../../etc"},
        {},
    ):
        begun = await developer.post("/api/runs", json={"workflow": REGISTRATION, "input": given})
        run = begun.raise_for_status().json()["id"]
        await work(desk, workflow)
        seen = (await developer.get(f"/api/skills/registrations/{run}")).json()
        assert (seen["status"], seen["candidates"]) == ("failed", []), given
        assert seen["error"]["code"] in {"forbidden", "clone_refused", "invalid_field", "not_found"}, seen
    for given in ({"folder": 1}, {"folder": ["/etc"]}, {"folder": ""}, {"url": "x" * 2001}):
        assert (await developer.post("/api/runs", json={"workflow": REGISTRATION, "input": given})).status_code == 422


async def test_a_registration_is_of_whoever_started_it_and_proposes_nothing_once_it_is_cancelled(
    desk: apps.Desk, tmp_path: Path
) -> None:
    """Also where its worker has begun: what it writes late does not count."""
    developer, other = await desk.member("dev", roles=["developer"]), await desk.member("other", roles=["tech_lead"])
    agent = await desk.member("bot", "agent")
    (tmp_path / "SKILL.md").write_text(SKILL.format(name="late"))
    workflow = await served(desk)
    begun = (await developer.post("/api/skills", json={"folder": str(tmp_path)})).json()
    for who in (other, agent, desk.client()):
        assert (await who.get(begun["link"])).status_code in {401, 404}
        assert (await who.post(f"/api/runs/{begun['run_id']}/cancel", json={})).status_code in {401, 404}
    claimed = await claim(desk)
    (await developer.post(f"/api/runs/{begun['run_id']}/cancel", json={})).raise_for_status()
    await drive_on(desk, workflow, claimed)
    assert (await developer.get(begun["link"])).json()["status"] == "cancelled"
    assert (await other.get("/api/skills/queue")).json()["candidates"] == []


class Loaded:
    """What a pickle of it does when it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("loaded",)


async def test_what_the_scan_cannot_read_through_is_never_approved_as_safe(desk: apps.Desk, tmp_path: Path) -> None:
    """Octal, escapes, base64, pickles under any name, packed and compiled code, text that is not quite text."""
    lead = await desk.member("lead", roles=["team_lead"])
    octal = "".join(f"\\{ord(sign):o}" for sign in "import os; os.system('cat /etc/shadow')")
    hidden = base64.b64encode(b"cat /etc/shadow").decode()
    smuggled: dict[str, tuple[str, bytes]] = {
        "octal": ("run.py", f'words = "{octal}"\n'.encode()),
        "octal-in-a-shell": ("run.sh", b"$'\\143\\141\\164' $'/\\145tc/\\163hadow'\n"),
        "one-escape": ("run.py", b'open("/etc/\\x73hadow")\n'),
        "base64": ("run.py", f'words = decode("{hidden}")\n'.encode()),
        "pickle": ("notes.txt", pickle.dumps(Loaded())),
        "old-pickle": ("notes.txt", pickle.dumps(Loaded(), 0)),
        "zip": ("notes.txt", b"PK\x03\x04" + bytes(64)),
        "gzip": ("notes.txt", zlib.compress(b"import os", wbits=31)),
        "compiled": ("notes", marshal.dumps(compile("1", "x", "exec"))),
        "elf": ("logo.png", b"\x7fELF" + bytes(64)),
        "not-quite-text": ("run.sh", b"# \xe9\ncat /etc/sha\0dow\n"),
        "rot13": ("run.py", b"# coding: rot13\nvzcbeg bf\n"),
    }
    for name, (file, content) in smuggled.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(SKILL.format(name=name))
        (tmp_path / name / file).write_bytes(content)
    found = await registered(desk, desk.admin, folder=str(tmp_path))
    risky = {each["path"] for each in found["candidates"] if each["outcome"] == "new" and not each["skill"]["safe"]}
    assert risky == set(smuggled)
    done = (await lead.post("/api/skills/queue/approve-safe", json={})).json()
    assert (done["approved"], (await lead.get("/api/skills")).json()["skills"]) == ([], [])


async def test_no_spelling_of_a_private_address_is_cloned_from(desk: apps.Desk) -> None:
    """Nor a host's name that git reads in another way than the check does: it would be looked up a second time."""
    for host in (
        *("127.0.0.1", "127.1", "0", "0x7f.1", "2130706433", "localhost", "localhost.localdomain"),
        *("10.0.0.7", "100.64.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1", "192.88.99.1"),
        *("[::1]", "[::]", "[fec0::1]", "[fe80::1]", "[fd00::1]", "[ff0e::1]"),
        *("[::127.0.0.1]", "[::ffff:10.0.0.7]", "[::ffff:0:10.0.0.7]"),
        *("[64:ff9b::10.0.0.7]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::8.8.8.8]", "[2002:7f00:1::]"),
        *("[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[2606:4700::5efe:10.0.0.7]"),
        *("127.0.0.%31", "ex%61mple.org", "ex\u0430mple.org", "example.org.", "[fe80::1%25eth0]"),
    ):
        for body in ({"url": f"https://{host}/o/r"}, {"url": f"http://{host}/o/r"}):
            refused = await desk.admin.post("/api/skills", json=body)
            assert refused.json()["code"] in {"clone_refused", "invalid_field"}, (host, refused.text)
            assert "git says" not in refused.json()["detail"], (host, refused.text)
        refused = await desk.admin.post("/clone-and-generate", json={"repo_url": f"https://{host}/o/r"})
        assert refused.json()["code"] in {"clone_refused", "invalid_field"}, (host, refused.text)


async def test_a_name_that_leads_elsewhere_a_moment_later_is_not_looked_up_again(
    git: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rebinding: git gets the address that was checked. It could not even find the name by itself."""
    looked_up: list[str] = []

    def look_up(host: str, port: int, *_: object, **__: object) -> list[Any]:
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    url = git.repository("o/rebound", {"SKILL.md": b"x"}).replace("127.0.0.1", "rebound.invalid")
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(CloneRefused, match="must be reached over https"):
        await clone(url, tmp_path, CloneLimits())
    with pytest.raises(CloneRefused, match="an address of a private network"):
        await clone(url.replace("http:", "https:"), tmp_path, CloneLimits())
    (tmp_path / "clone").mkdir()
    await clone(url, tmp_path / "clone", CloneLimits(private_hosts=frozenset({"rebound.invalid"})))
    assert looked_up == ["rebound.invalid"] * 3
    assert (tmp_path / "clone" / "SKILL.md").read_bytes() == b"x"


async def test_a_git_that_would_look_names_up_by_itself_is_not_used(
    git: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = git.repository("o/old", {"SKILL.md": b"x"})
    (tmp_path / "git").write_text("#!/bin/sh\necho git version 2.34.1\n")
    (tmp_path / "git").chmod(0o755)
    git.requests.clear()
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path), prepend=":")
        cloning.git_version.cache_clear()
        with pytest.raises(Unavailable, match=r"git 2\.37 or newer is needed .* this machine has 2\.34"):
            await clone(url, tmp_path, CloneLimits(private_hosts=frozenset({"127.0.0.1"})))
    cloning.git_version.cache_clear()
    assert git.requests == []


async def test_an_address_cannot_make_git_do_something_else(desk: apps.Desk, git: GitServer) -> None:
    mark = git.folder / "ran"
    for url in (
        f"ext::sh -c 'touch {mark}'",
        f"--upload-pack=touch {mark}",
        f"https://-oProxyCommand=touch {mark}/x",
        "file:///etc",
        "/etc",
        "git://127.0.0.1/o/r",
        "https://user:word@example.org/o/r",
        "https://example.org/o/r\n--upload-pack=x",
    ):
        for path, field in (("/api/skills", "url"), ("/clone-and-generate", "repo_url")):
            refused = await desk.admin.post(path, json={field: url})
            assert refused.json()["code"] in {"clone_refused", "invalid_field"}, (url, refused.text)
    assert not mark.exists()


async def test_a_hostile_repository_runs_nothing_and_leads_nowhere(
    git: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hooks of a template, filters, submodules, links out of it, and a redirect to somewhere private."""
    mark, home, into = tmp_path / "ran", tmp_path / "home", tmp_path / "into"
    (home / "hooks").mkdir(parents=True)
    into.mkdir()
    (home / "hooks/post-checkout").write_text(f"#!/bin/sh\ntouch {mark}\n")
    (home / "hooks/post-checkout").chmod(0o755)
    (home / ".gitconfig").write_text(
        f'[init]\n\ttemplateDir = {home}\n[core]\n\tfsmonitor = touch {mark}\n[filter "x"]\n\tsmudge = touch {mark}\n'
    )
    hostile: dict[str, bytes | Path] = {
        ".gitattributes": b"* filter=x\n",
        ".gitmodules": f'[submodule "s"]\n\tpath = s\n\turl = {git.url}/o/other\n'.encode(),
        "SKILL.md": SKILL.format(name="hostile").encode(),
        "shadow": Path("/etc/shadow"),
    }
    url = git.repository("o/hostile", hostile)
    monkeypatch.setenv("HOME", str(home))
    git.requests.clear()
    allowed = CloneLimits(private_hosts=frozenset({"127.0.0.1"}))
    await clone(url, into, allowed)
    assert not mark.exists() and not (into / "shadow").is_symlink()
    assert all("/o/hostile" in request for request in git.requests)
    with redirecting(url) as elsewhere, pytest.raises(CloneRefused):
        git.requests.clear()
        await clone(elsewhere, tmp_path, allowed)
    assert git.requests == []


def modes(*places: Path) -> dict[str, str]:
    return {place.name: f"{stat.S_IMODE(place.stat().st_mode):04o}" for place in places}


def test_what_handrail_keeps_is_for_its_owner_alone_and_closed_again_where_it_was_opened(git: GitServer) -> None:
    """With the widest umask there is; keys, mirrors and backups too."""
    before = os.umask(0)
    try:
        with servers.running(HANDRAIL_GIT_PRIVATE_HOSTS="127.0.0.1", HANDRAIL_CONCURRENCY="1") as server:
            _take_everything(server, git)
            folders = (server.data, server.data / "audit", server.data / "mirrors", server.data / "postgres")
            key, copy = server.data / "audit" / "key.pem", server.folder / "copy"
            files = (key, copy, server.data / "postgres" / "password")
            assert set(modes(*folders).values()) == {"0700"}
            assert set(modes(*files).values()) == {"0600"}
            server.stop()
            for folder in folders:
                folder.chmod(0o755)
            key.chmod(0o644)
            server.start()
            assert set(modes(*folders).values()) == {"0700"}
            assert modes(key) == {"key.pem": "0600"}
            assert server.output().count("closed_to_others") == 4, "the database's own folder needs no line"
    finally:
        os.umask(before)


def _take_everything(server: ServerProcess, git: GitServer) -> None:
    """A mirror and a backup."""
    url = git.repository("o/mirrored", {"a.py": b"def f(): ...\n"})
    with server.client() as http:
        server.serves("code_graph")
        run = http.post("/clone-and-generate", json={"repo_url": url})
        assert run.status_code in {200, 202}, run.text
        until((server.data / "mirrors").exists)
    assert server.run("backup", str(server.folder / "copy"), "--data", str(server.data)).exit == 0


SHORT = Limits(seconds=8, cpu_seconds=5, memory=128 * MIB, processes=24, disk=16 * MIB, file_size=8 * MIB)
PROBE = """
import ctypes, errno, json, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    answer = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    return "allowed" if answer >= 0 else errno.errorcode[ctypes.get_errno()]
"""


async def tried(code: str, limits: Limits = SHORT, **files: bytes) -> Result:
    return await choose().run(["python3", "-c", PROBE + textwrap.dedent(code)], files, limits)


async def test_calls_that_reach_beyond_a_process_are_refused_by_the_kernel_itself() -> None:
    """Keys, tracing, programs in the kernel, mounts, namespaces, io_uring, modules; each as the machine numbers it."""
    machine = 0 if platform.machine() == "x86_64" else 1
    numbers = {name: each[machine] for name, each in seccomp.REFUSED.items() if each[machine] is not None}
    result = await tried(f"print(json.dumps({{name: call(n, 0, 0, 0) for name, n in {numbers}.items()}}))")
    assert set(json.loads(result.stdout).values()) == {"EPERM"}, result
    clone, ioctl = seccomp.CLONE[machine], seccomp.IOCTL[machine]
    result = await tried(
        f"""
        new_user = call({clone}, 0x10000000 | 17, 0, 0, 0, 0)
        print(new_user, call({seccomp.CLONE3}, 0, 0), call({ioctl}, 0, 0x5412, 0), call({ioctl}, 0, 1 << 32 | 0x5412))
        print(call(0x40000000 | 39), call({seccomp.NEWEST} + 1))
        """
    )
    assert result.stdout.split() == [b"EPERM", b"ENOSYS", b"EPERM", b"EPERM", b"ENOSYS", b"ENOSYS"], result


async def test_there_is_no_way_to_the_host_by_vsock_nor_another_rare_socket() -> None:
    result = await tried(
        """
        import socket
        opened = []
        for family in range(64):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
                try:
                    with socket.socket(family, kind):
                        opened.append(family)
                except OSError:
                    pass
        print(*sorted(set(opened)))
        """
    )
    assert set(map(int, result.stdout.split())) <= {1, 2, 10, 16}, result
    assert {1, 2} <= set(map(int, result.stdout.split())), result


async def test_a_program_that_calls_as_a_32_bit_one_does_is_ended() -> None:
    """By `int 0x80`: its numbers mean other calls. On other machines there is no such instruction."""
    if platform.machine() != "x86_64":
        return
    result = await tried(
        """
        import mmap
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(bytes.fromhex("b814000000cd80c3"))
        begin = ctypes.addressof(ctypes.c_char.from_buffer(page))
        print("before", flush=True)
        print("pid", ctypes.CFUNCTYPE(ctypes.c_int)(begin)())
        """
    )
    assert (result.stdout, result.exit_code) == (b"before\n", -signal.SIGSYS), result


async def test_ordinary_programs_do_not_notice_the_filter() -> None:
    """Threads, processes, sockets, git, node, and tests with pytest."""
    files = {
        "test_it.py": b"def test_it(tmp_path): (tmp_path / 'a').write_text('b')\n",
        "it.js": b"const {Worker} = require('worker_threads'); new Worker('', {eval: true}).on('exit', () => "
        b"require('child_process').exec('echo ok', (_, said) => console.log(said)));\n",
        "it.py": b"import asyncio, concurrent.futures as f, multiprocessing as m, socket\n"
        b"if __name__ == '__main__':\n"
        b"    f.ThreadPoolExecutor().submit(print, 'thread').result()\n"
        b"    with m.Pool(2) as pool: print(pool.map(abs, [-1]))\n"
        b"    a, b = socket.socketpair(); a.send(b'x'); b.recv(1)\n"
        b"    asyncio.run(asyncio.create_subprocess_exec('true'))\n",
    }
    roomy = Limits(seconds=60)
    for command in (
        ["python3", "it.py"],
        ["node", "it.js"],
        ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"],
        ["sh", "-c", "git init -q r && cd r && git -c user.name=a -c user.email=b commit -q --allow-empty -m x"],
    ):
        result = await choose().run(command, files, roomy)
        assert result.succeeded, (command, result)


async def test_nothing_of_the_host_can_be_seen_or_reached(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database: str
) -> None:
    """Files, environment, processes, loopback, and the database's own socket."""
    monkeypatch.setenv("A_SECRET_OF_THE_SERVER", "sesame")
    (tmp_path / "secret").write_text("sesame")
    place = str(conninfo_to_dict(database)["host"])
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0handrail-attack-{os.getpid()}")
        abstract.listen()
        result = await tried(
            f"""
            import socket
            for path in ({str(tmp_path / "secret")!r}, {place!r}, "/etc/passwd", "/root/.bashrc", "/var", "/sys",
                         "/proc/1/root/etc", "/proc/{os.getpid()}", {__file__!r}):
                if os.path.exists(path):
                    print("sees", path)
            for number in os.listdir("/proc"):
                if number.isdigit():
                    try:
                        print(open(f"/proc/{{number}}/environ").read())
                    except OSError:
                        pass
            for family, at in ((socket.AF_INET, ("127.0.0.1", {server.getsockname()[1]})),
                               (socket.AF_INET, ("192.0.2.1", 80)), (socket.AF_INET, ("169.254.169.254", 80)),
                               (socket.AF_UNIX, {place!r} + "/.s.PGSQL.5432"),
                               (socket.AF_UNIX, "\\0handrail-attack-{os.getpid()}")):
                with socket.socket(family) as tried:
                    tried.settimeout(1)
                    try:
                        tried.connect(at)
                        print("reaches", at)
                    except OSError:
                        pass
            print("done")
            """
        )
    said = result.stdout.decode()
    assert said.endswith("done\n") and "sees" not in said and "reaches" not in said and "sesame" not in said, result


async def test_a_bomb_of_processes_memory_or_files_harms_nobody_else() -> None:
    bombs = {
        "forks": "import time\nwhile True:\n    try: os.fork() or time.sleep(60)\n    except OSError: break",
        "memory": "x = bytearray(10**9)",
        "files": "\n".join(
            f"for n in range(99):\n    open(f'{place}/{{n}}', 'wb').write(bytes(2**20))"
            for place in ("/workspace", "/tmp")
        ),
        "output": "while True: print('x' * 10**6)",
        "time": "while True: pass",
        "deaf": "import signal, time\nfor n in range(1, 32):\n    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except OSError: pass\ntime.sleep(60)",
    }
    small = replace(SHORT, seconds=3, cpu_seconds=2, output=100_000)
    begun = time.monotonic()
    results = await asyncio.gather(
        *(choose().run(["python3", "-c", f"import os\n{code}"], {}, small) for code in bombs.values())
    )
    assert time.monotonic() - begun < 30
    assert not any(result.succeeded for name, result in zip(bombs, results, strict=True) if name != "forks"), results
    assert all(len(result.stdout) <= small.output for result in results)
    assert (await choose().run(["echo", "alive"], {}, SHORT)).stdout == b"alive\n"


async def test_a_command_leaves_nothing_behind_and_cannot_forge_its_result() -> None:
    """No process, no file, no link out of the workspace, no frame of the guard's."""
    mark = f"orphan{os.getpid()}"
    forging = """
        import subprocess
        os.symlink("/etc", "link"); os.symlink("/proc/self/environ", "env")
        open("real", "w").write("yes")
        open("/tmp/left", "w").write("x")
        for number in filter(str.isdigit, os.listdir("/proc")):
            for fd in (1, 2, 3):
                try:
                    if int(number) != os.getpid():
                        open(f"/proc/{number}/fd/{fd}", "wb", 0).write(b"f\\xff\\xff\\xff\\xff")
                        print("forged")
                except OSError:
                    pass
        subprocess.Popen(["sh", "-c", "sleep 300; : MARK"], start_new_session=True)
        """
    result = await tried(forging.replace("MARK", mark))
    assert (result.stdout, result.files, result.ending) == (b"", {"real": b"yes"}, "exited"), result
    assert not [p for p in psutil.process_iter(["cmdline"]) if mark in " ".join(p.info["cmdline"] or [])]
    # of the machine's own /tmp it sees what it runs on, where that lies there
    after = await tried('print(os.listdir("."), os.path.exists("/tmp/left"))')
    assert after.stdout == b"[] False\n", "another command finds nothing of it"


# a reader of tables compares each line with all others: minutes
ENDLESS = pdfs.pdf(["0 0 m 9 9 l S " * 200_000])


async def sent(who: httpx.AsyncClient, name: str, content: bytes) -> httpx.Response:
    return await who.post("/process-pdf", files={"file": (name, content)}, timeout=120)


async def test_hostile_documents_do_not_hold_up_those_of_others(
    desk: apps.Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two senders with two each: more than there are readers. Others are served while these are still being read."""
    monkeypatch.setattr(extracting, "FIRST", replace(extracting.FIRST, seconds=4))
    senders = [await desk.member(name, "agent") for name in ("mallory", "oscar")]
    ann, bob = await desk.member("ann"), await desk.member("bob")
    hostile = [asyncio.create_task(sent(who, f"{n}.pdf", ENDLESS)) for who in senders for n in (1, 2)]
    try:
        for who in (ann, bob):
            answer = await sent(who, "notes.txt", b"The pumps of the harbour are mine.")
            assert answer.status_code == 201, answer.text
            assert not any(task.done() for task in hostile)
    finally:
        for task in hostile:
            task.cancel()
        await asyncio.gather(*hostile, return_exceptions=True)


async def test_bombs_and_mazes_of_documents_end_within_their_limits(
    desk: apps.Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streams that grow a thousandfold, pages that contain themselves, tags without end."""
    for name in ("FIRST", "LIMITS"):
        monkeypatch.setattr(extracting, name, replace(extracting.LIMITS, seconds=3, cpu_seconds=3))
    bomb = zlib.compress(zlib.compress(bytes(100 * MIB), 9), 9)
    ann = await desk.member("ann")
    hostile = {
        "bomb.pdf": pdfs.with_content(b"/Filter [/FlateDecode /FlateDecode]", bomb),
        "maze.pdf": pdfs.REPORT.replace(b"/Type /Pages", b"/Type /Pages /Kids [2 0 R]", 1),
        "deep.html": b"<div>" * 200_000 + b"x",
        "deep.md": b"> " * 100_000 + b"x",
    }
    answers = await asyncio.gather(*(sent(ann, name, content) for name, content in hostile.items()))
    for name, answer in zip(hostile, answers, strict=True):
        assert answer.status_code in {201, 422}, (name, answer.text[:300])
        assert len(answer.content) < 8 * MIB, name
    monkeypatch.undo()
    assert (await sent(ann, "notes.txt", b"The pumps.")).status_code == 201


def test_an_archive_that_comes_out_of_the_sandbox_cannot_leave_the_workspace() -> None:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name in ("../out", "/etc/out", "a/../../out", "good"):
            entry = tarfile.TarInfo(name)
            entry.size = 1
            archive.addfile(entry, io.BytesIO(b"x"))
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
            entry = tarfile.TarInfo(f"odd{kind.decode()}")
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
    assert frames.unpacked(target.getvalue()) == {"good": b"x"}
    assert frames.unpacked(os.urandom(2000)) == {}
