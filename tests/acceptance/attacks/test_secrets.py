"""Attacks on secrets: what a person who reads logs, metrics, notices, events or files finds out."""

from __future__ import annotations

import json
import secrets
import stat
import subprocess
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
import server as servers
from attacks_world import CRITICAL, MEDIUM, Cast, cast_of, joined
from server import NO_CERTIFICATES, until
from standardwebhooks import Webhook

from handrail.store.embedded import programs

HOOK_SECRET = "whsec_" + "c2VjcmV0LW9mLXRoZS10ZXN0cy1vbmx5LTMyLWJ5dGVz"


@dataclass
class Office:
    """A server that tells a webhook, and everything secret that anybody used on it."""

    cast: Cast
    heard: list[tuple[dict[str, str], bytes]]
    known: dict[str, str] = field(default_factory=dict[str, str])

    def browser(self) -> httpx.Client:
        url = self.cast.server.url
        return httpx.Client(base_url=url, timeout=30, trust_env=False, verify=NO_CERTIFICATES)

    def secret(self, what: str, value: str) -> str:
        assert len(value) >= 12, "too short to be looked for"
        self.known[what] = value
        return value

    def found_in(self, text: str) -> list[str]:
        return [what for what, value in self.known.items() if value in text]


@pytest.fixture(scope="module")
def office() -> Generator[Office]:
    heard: list[tuple[dict[str, str], bytes]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
            return

    hook = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=hook.serve_forever, daemon=True).start()
    variables = {
        "HANDRAIL_WEBHOOK_URL": f"http://127.0.0.1:{hook.server_port}/hook",
        "HANDRAIL_WEBHOOK_SECRET": HOOK_SECRET,
        "HANDRAIL_LOG_LEVEL": "debug",
        "HANDRAIL_LOG_FORMAT": "json",
    }
    try:
        with servers.running(**variables) as server:
            office = Office(cast_of(server), heard)
            _live_through_a_day(office)
            yield office
    finally:
        hook.shutdown()
        hook.server_close()


def _live_through_a_day(office: Office) -> None:
    """Signing in, asking, deciding, and every mistake with a secret that people make."""
    cast = office.cast
    office.secret("the administrator's token", cast.server.admin_token)
    office.secret("the webhook's secret", HOOK_SECRET.removeprefix("whsec_"))
    for who in (cast.agent, cast.team_lead, cast.gone):
        office.secret(f"the token of {who.name}", who.token)
    password = office.secret("a password", secrets.token_urlsafe(18))
    wrong = office.secret("a wrong password", secrets.token_urlsafe(18))
    pat = joined(cast.server, "pat", "team_lead")
    cast.administrator.send("PATCH", f"/api/people/{pat.id}", json={"password": password}).raise_for_status()
    made = cast.administrator.post(f"/api/people/{pat.id}/login-link").raise_for_status().json()
    code = office.secret("a sign-in code", made["url"].partition("#code=")[2])
    made = cast.administrator.post(f"/api/people/{pat.id}/login-link").raise_for_status().json()
    office.secret("a sign-in code that nobody used", made["url"].partition("#code=")[2])
    with office.browser() as http:
        for body in ({"name": pat.name, "password": wrong}, {"name": pat.name, "password": password}, {"code": code}):
            http.cookies.clear()
            answer = http.post("/api/sign-in", json=body)
            if answer.status_code == 200:
                office.secret(f"the cookie of {sorted(body)}", http.cookies["handrail_session"])
                office.secret(f"the CSRF token of {sorted(body)}", answer.json()["csrf_token"])
        assert answer.status_code == 200, answer.text
        # a session that was ended, and a token in every place where it does not belong
        http.post("/api/sign-out", headers={"X-CSRF-Token": answer.json()["csrf_token"]}).raise_for_status()
        token = office.secret("a token in the wrong place", f"hr_{secrets.token_urlsafe(32)}")
        for path in (f"/api/holds?token={token}", f"/api/holds/{token}", f"/{token}", f"/api/cases/{token}/events"):
            http.get(path)
        for header in (f"Basic {token}", token, f"Bearer {token}", f"Bearer  {token} x"):
            http.get("/api/me", headers={"Authorization": header})
        http.post("/api/sign-in", content=f'{{"name": "pat", "password": "{wrong}"', headers={"Content-Type": "text/x"})
        http.post("/api/sign-in", json={"name": ["pat"], "password": {"is": wrong}})
    key = office.secret("an API key in an argument", secrets.token_urlsafe(18))
    action = {"name": "deploy", "args": {"version": "1", "api_key": key}, "target": "staging"}
    # one that is decided, and one that waits until its notice is sent
    hold, _ = [cast.agent.open({**MEDIUM, "title": f"Deploy with {key}", "action": action}) for _ in range(2)]
    evidence = office.secret("evidence", secrets.token_urlsafe(18))
    cast.agent.open({**CRITICAL, "evidence": {"log": evidence}, "context": {"env": evidence}})
    cast.team_lead.review(hold).raise_for_status()
    redeemed = office.secret("a key of redemption", secrets.token_urlsafe(18))
    cast.agent.redeem(hold, redeemed).raise_for_status()
    made = cast.team_lead.post("/api/tokens", {"principal": cast.team_lead.name}).raise_for_status().json()
    office.secret("a token that a person made", made["token"])


def test_the_log_has_none(office: Office) -> None:
    """S2.14."""
    said = office.cast.server.output()
    assert '"route": "/api/sign-in"' in said, "the log tells what happens"
    assert office.found_in(said) == []


def test_the_metrics_have_none_and_name_nobody(office: Office) -> None:
    said = office.cast.administrator.get("/metrics").raise_for_status().text
    assert "handrail_" in said
    assert office.found_in(said) == []
    for name in (office.cast.team_lead.name, office.cast.agent.name, "Deploy with"):
        assert name not in said


def test_notices_are_signed_and_have_none(office: Office) -> None:
    until(lambda: any(b"[redacted]" in body for _, body in office.heard))
    until(lambda: any(CRITICAL["title"].encode() in body for _, body in office.heard))
    for headers, body in list(office.heard):
        Webhook(HOOK_SECRET).verify(body, {name.lower(): value for name, value in headers.items()})
        assert office.found_in(f"{headers} {body.decode()}") == []


def test_events_and_the_audit_log_have_no_credentials(office: Office) -> None:
    """What agents write stands in holds, and is shown to who may see them; what opens doors stands nowhere."""
    exported = office.cast.auditor.get("/api/audit/export").raise_for_status().text
    people = office.cast.administrator.get("/api/people").text + office.cast.administrator.get("/api/tokens").text
    content = {"an API key in an argument", "evidence"}
    assert set(office.found_in(exported + people)) <= content


def test_a_problem_never_repeats_a_secret(office: Office) -> None:
    token = f"hr_{secrets.token_urlsafe(32)}"
    with office.browser() as http:
        for answer in (
            http.get("/api/me", headers={"Authorization": f"Bearer {token}"}),
            http.post("/api/sign-in", json={"code": token}),
            http.post("/api/sign-in", json={"name": "x", "password": token}),
            http.post("/api/sign-in", json={"name": 1, "password": token, "more": token}),
            http.get("/api/me", headers={"Cookie": f"handrail_session={token}"}),
        ):
            assert answer.status_code in (401, 422), answer.text
            assert token not in answer.text


def test_files_of_the_server_are_its_owners_alone(office: Office, tmp_path: Path) -> None:
    server = office.cast.server
    copy = tmp_path / "backup"
    assert server.run("backup", str(copy), "--data", str(server.data)).exit == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(server.data.stat().st_mode) == 0o700
    assert stat.S_IMODE((server.data / "audit" / "key.pem").stat().st_mode) == 0o600
    # of those within, the folder above lets nobody in; none may be written by others all the same
    loose = [path for path in server.data.rglob("*") if not path.is_symlink() and path.lstat().st_mode & 0o022]
    assert [path for path in loose if not path.is_socket()] == []


def test_a_backup_holds_hashes_in_place_of_credentials(office: Office, tmp_path: Path) -> None:
    """And no key that signs: who has the file can neither sign in nor forge the log."""
    server, copy = office.cast.server, tmp_path / "backup"
    assert server.run("backup", str(copy), "--data", str(server.data)).exit == 0
    words = [str(programs.path("pg_restore")), "--file=-", str(copy)]
    dumped = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    content = {"an API key in an argument", "evidence", "a key of redemption"}
    # a CSRF token is of no use without its cookie
    found = {what for what in office.found_in(dumped) if not what.startswith("the CSRF token")}
    assert found == content, "the file is read"
    assert (server.data / "audit" / "key.pem").read_text().splitlines()[1] not in dumped


def test_what_the_command_line_keeps_is_its_owners_alone(office: Office) -> None:
    ran = office.cast.team_lead.run("status", "--json")
    assert office.found_in(ran.out + ran.err) == []
    home = office.cast.server.folder
    kept = [path for path in home.rglob("*credentials*") if path.is_file()]
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in kept)
    assert json.dumps(office.cast.team_lead.token) not in "".join(path.read_text() for path in kept)
