"""Attacks by skills, by code in the sandbox, by repositories' addresses and by documents."""

from __future__ import annotations

import os
import socket
import stat
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import apps
import git_server
import httpx
import pytest
import server as servers
from git_server import GitServer
from server import ServerProcess, until

from handrail.core.errors import CloneRefused
from handrail.policy import default_policy
from handrail.sandbox.cloning import CloneLimits, clone

Json = dict[str, Any]

HARMLESS: Json = {"name": "read_file", "args": {"path": "notes.txt"}}
SKILL = "---\nname: {name}\ndescription: Adds numbers.\n---\nRun add.py.\n"
LENIENT = """
  - id: skills-are-harmless
    action: [skill.register]
    level: low
"""


@pytest.fixture
async def desk(database: str, tmp_path: Path) -> AsyncGenerator[apps.Desk]:
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


async def proposed(who: httpx.AsyncClient, folder: Path, name: str) -> dict[str, str]:
    """The hold of a skill that this caller registered."""
    (folder / name).mkdir()
    (folder / name / "SKILL.md").write_text(SKILL.format(name=name))
    answer = await who.post("/api/skills", json={"folder": str(folder / name)})
    (candidate,) = answer.raise_for_status().json()["candidates"]
    assert candidate["skill"]["safe"], candidate["findings"]
    return (await who.get(f"/api/holds/{candidate['skill']['hold_id']}")).raise_for_status().json()


async def test_nobody_approves_a_skill_that_they_registered_not_even_the_administrator(
    desk: apps.Desk, tmp_path: Path
) -> None:
    lead = await desk.member("lead", roles=["team_lead", "tech_lead", "cto"])
    for who in (desk.admin, lead):
        hold = await proposed(who, tmp_path, f"of-{'lead' if who is lead else 'admin'}")
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
    hold = await proposed(desk.admin, tmp_path, "adder")
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
    hold = await proposed(desk.admin, tmp_path, "adder")
    body = {"verdict": "approve", "digest": hold["digest"]}
    refused = await desk.admin.post(f"/api/holds/{hold['id']}/reviews", json=body)
    assert (hold["risk"], refused.json()["code"]) == ("low", "own_request")


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
    with pytest.raises(CloneRefused, match="must be reached by https"):
        await clone(url, tmp_path, CloneLimits())
    with pytest.raises(CloneRefused, match="an address of a private network"):
        await clone(url.replace("http:", "https:"), tmp_path, CloneLimits())
    (tmp_path / "clone").mkdir()
    await clone(url, tmp_path / "clone", CloneLimits(private_hosts=frozenset({"rebound.invalid"})))
    assert looked_up == ["rebound.invalid"] * 3
    assert (tmp_path / "clone" / "SKILL.md").read_bytes() == b"x"


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
