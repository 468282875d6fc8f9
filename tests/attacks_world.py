"""Everybody whom an attacker may be, on one running server, and what they ask for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
from server import ServerProcess

Json = dict[str, Any]

# what they are follows from name and target alone; the claim says the same
MEDIUM: Json = {
    "kind": "approval",
    "title": "Deploy billing 1.2 to staging",
    "action": {"name": "deploy", "args": {"version": "1.2"}, "target": "staging"},
    "task": {"operation": "deploy", "environment": "staging"},
}
HIGH: Json = {
    "kind": "approval",
    "title": "Deploy billing 1.2 to production",
    "action": {"name": "deploy", "args": {"version": "1.2"}, "target": "production"},
    "task": {"operation": "deploy", "environment": "production"},
}
CRITICAL: Json = {
    "kind": "approval",
    "title": "Delete the orders in production",
    "action": {"name": "delete", "args": {"table": "orders"}, "target": "production"},
    "task": {"operation": "delete", "environment": "production"},
}
ROLES = ("developer", "team_lead", "tech_lead", "cto", "security_team", "auditor", "administrator")


@dataclass(frozen=True)
class Member:
    """Somebody with a token of their own."""

    server: ServerProcess
    name: str
    id: str
    token: str = field(repr=False)

    def http(self) -> httpx.Client:
        return self.server.client(self.token)

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        with self.http() as http:
            return http.request(method, path, **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.send("GET", path, **options)

    def post(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return self.send("POST", path, json={} if json is None else json, **options)

    def open(self, question: Json, **changes: Any) -> Json:
        return self.post("/api/holds", {**question, **changes}).raise_for_status().json()

    def review(self, hold: Json, verdict: str = "approve", **fields: Any) -> httpx.Response:
        return self.post(f"/api/holds/{hold['id']}/reviews", {"verdict": verdict, "digest": hold["digest"], **fields})

    def redeem(self, hold: Json, key: str = "once") -> httpx.Response:
        return self.post(f"/api/holds/{hold['id']}/redeem", {"digest": hold["digest"], "key": key})

    def run(self, *words: str) -> Any:
        """What the command line says to them."""
        return self.server.run(*words, token=self.token)


@dataclass(frozen=True)
class Cast:
    """One of each role, those without any, and an agent and a service of two owners."""

    server: ServerProcess
    developer: Member
    team_lead: Member
    tech_lead: Member
    cto: Member
    security_team: Member
    auditor: Member
    administrator: Member
    # active, with no role at all
    nobody: Member
    # was a CTO until now
    gone: Member
    agent: Member
    rival: Member
    service: Member

    def hold(self, hold: Json) -> Json:
        return self.administrator.get(f"/api/holds/{hold['id']}").raise_for_status().json()

    def approved(self, question: Json = MEDIUM, **changes: Any) -> Json:
        """A hold of the agent that everybody whom it needs has approved."""
        hold = self.agent.open(question, **changes)
        for who in (self.team_lead, self.tech_lead, self.cto):
            if self.hold(hold)["status"] == "pending":
                said = who.review(hold, reason="as agreed")
                assert said.status_code in (200, 403, 404), said.text
        seen = self.hold(hold)
        assert seen["status"] == "approved", seen
        return seen


def joined(server: ServerProcess, name: str, *roles: str, kind: str = "person") -> Member:
    """A new principal with a token."""
    name = f"{name}-{uuid4().hex[:8]}"
    with server.client() as http:
        body = {"name": name, "kind": kind, "roles": roles}
        added = http.post("/api/people", json=body).raise_for_status().json()
        made = http.post("/api/tokens", json={"principal": name}).raise_for_status().json()
    return Member(server, name, added["id"], made["token"])


def cast_of(server: ServerProcess) -> Cast:
    people = {role: joined(server, role, role) for role in ROLES}
    for role in ("tech_lead", "cto", "administrator"):
        server.make_own(people[role].token)
    gone = joined(server, "gone", "cto")
    with server.client() as http:
        http.patch(f"/api/people/{gone.id}", json={"active": False}).raise_for_status()
    return Cast(
        server,
        **people,
        nobody=joined(server, "nobody"),
        gone=gone,
        agent=joined(server, "agent", kind="agent"),
        rival=joined(server, "rival", kind="agent"),
        service=joined(server, "service", kind="service"),
    )
