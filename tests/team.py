"""People with different roles and an agent on a running server, and what the agent asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from server import ServerProcess

Json = dict[str, Any]

HIGH: Json = {
    "kind": "approval",
    "title": "Deploy api 2.14 to production",
    "action": {"name": "deploy", "args": {"version": "2.14"}, "target": "api-prod"},
    "task": {"operation": "deploy", "environment": "production"},
}
CRITICAL: Json = {
    "kind": "approval",
    "title": "Delete database orders-prod",
    "action": {"name": "delete_database", "args": {}, "target": "orders-prod"},
    "task": {"operation": "delete", "environment": "production"},
}
CONFIRMATION: Json = {"kind": "confirmation", "title": "Send the newsletter", "action": {"name": "send_newsletter"}}


@dataclass(frozen=True)
class Team:
    """Tokens of people with different roles, and of an agent that asks them."""

    server: ServerProcess
    developer: str
    team_lead: str
    tech_lead: str
    cto: str
    agent: str

    def ask(self, **question: Any) -> Json:
        """Opens a hold as the agent."""
        with self.server.client(self.agent) as http:
            return http.post("/api/holds", json=question).raise_for_status().json()

    def hold(self, hold_id: str) -> Json:
        with self.server.client() as http:
            return http.get(f"/api/holds/{hold_id}").raise_for_status().json()


def team_of(server: ServerProcess) -> Team:
    mark = uuid4().hex[:8]
    people = {role: server.token_of(f"{role}-{mark}", role) for role in ("developer", "team_lead", "tech_lead", "cto")}
    for role in ("tech_lead", "cto"):
        server.make_own(people[role])
    return Team(server, **people, agent=server.token_of(f"agent-{mark}", kind="agent"))
