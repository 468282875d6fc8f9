"""A company on a running server: people, agents and what they ask, as in the pictures of the README."""

from __future__ import annotations

from typing import Any

from server import ServerProcess

Json = dict[str, Any]

DIFF = """--- a/billing/rates.py
+++ b/billing/rates.py
@@ -12,7 +12,7 @@ def rate(country: str) -> Decimal:
     if country in REDUCED:
-        return Decimal("0.07")
+        return Decimal("0.05")
     return STANDARD
"""

DELETE: Json = {
    "kind": "approval",
    "title": "Delete database orders-prod",
    "description": "The migration to orders-v2 is complete, the old database is no longer read.",
    "action": {
        "name": "delete_database",
        "args": {"snapshot_first": True, "size_gb": 412, "read_by": ["checkout", "reports", "mailer"]},
        "target": "orders-prod",
    },
    "task": {"operation": "delete", "environment": "production"},
    "evidence": {"last_backup": "2026-11-15 03:00 UTC", "readers_in_30_days": 3},
}
DEPLOY: Json = {
    "kind": "approval",
    "title": "Deploy api 2.14 to production",
    "case_id": "release-2.14",
    "action": {"name": "deploy", "args": {"service": "api", "version": "2.14", "replicas": 6}, "target": "api-prod"},
    "task": {"operation": "deploy", "environment": "production"},
    "evidence": {"tests": "1,204 passed", "diff": DIFF},
}
STAGING: Json = {
    "kind": "approval",
    "title": "Deploy shop 1.4.2 to staging",
    "action": {"name": "deploy", "args": {"service": "shop", "version": "1.4.2"}, "target": "shop"},
    "task": {"operation": "deploy", "environment": "staging"},
}
EMAILS: Json = {
    "kind": "confirmation",
    "title": "Send 240 e-mails to customers",
    "action": {"name": "send_newsletter", "args": {"template": "autumn", "recipients": 240}, "target": "customers"},
    "context": {"campaign": "autumn-2026"},
}
TEXT: Json = {
    "kind": "input",
    "title": "Which part of the logs should I read?",
    "action": {"name": "read_logs", "args": {"service": "checkout"}},
}
CHOICE: Json = {
    "kind": "input",
    "title": "Where should the new cluster run?",
    "action": {"name": "create_cluster", "args": {"nodes": 3}},
    "schema": {"enum": ["eu-central", "eu-west", "us-east"]},
}
FORM: Json = {
    "kind": "input",
    "title": "I need the details of the refund",
    "action": {"name": "refund", "args": {"order": "77"}},
    "schema": {
        "type": "object",
        "required": ["amount", "reason"],
        "properties": {
            "amount": {"type": "number", "title": "Amount in EUR", "minimum": 0},
            "reason": {"type": "string", "title": "Reason", "minLength": 3},
            "notify": {"type": "boolean", "title": "Tell the customer", "default": True},
        },
    },
}
# all that a form can ask for
ALL_FIELDS: Json = {
    "kind": "input",
    "title": "What should the invoice say?",
    "action": {"name": "invoice", "args": {"order": "77"}},
    "schema": {
        "type": "object",
        "required": ["amount", "when"],
        "properties": {
            "amount": {"type": "number", "title": "Amount", "format": "money", "x-currency": "EUR"},
            "when": {"type": "string", "format": "date-time", "title": "Due"},
            "proof": {"type": "string", "format": "data-url", "title": "Proof"},
            "note": {"type": "string", "title": "Note", "maxLength": 2000, "description": "Printed below the sum."},
            "tags": {"type": "array", "title": "Tags", "uniqueItems": True, "items": {"enum": ["urgent", "gift"]}},
            "lines": {"type": "array", "title": "Lines", "items": {"type": "string", "title": "Line"}},
            "to": {
                "title": "Recipient",
                "oneOf": [
                    {
                        "title": "A person",
                        "required": ["name"],
                        "properties": {"name": {"type": "string", "title": "Name"}},
                    },
                    {
                        "title": "A company",
                        "required": ["tax_id"],
                        "properties": {"tax_id": {"type": "string", "title": "Tax number"}},
                    },
                ],
            },
        },
    },
}
BATCH: Json = {
    "kind": "confirmation",
    "title": "Close 3 stale accounts",
    "action": {"name": "close_account", "args": {}},
    "items": [
        {"item_id": "acct-31", "owner": "Ada Lovelace", "last_seen": "2021-03-02"},
        {"item_id": "acct-47", "owner": "Grace Hopper", "last_seen": "2020-11-19"},
        {"item_id": "acct-90", "owner": "Alan Turing", "last_seen": "2019-06-07"},
    ],
}
WAITING = {"status": "pending", "limit": 200}
EVERYTHING = (DELETE, DEPLOY, STAGING, EMAILS, TEXT, CHOICE, FORM, BATCH)


class Company:
    """Agents that ask, and tokens of people who decide over the API."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self._bot = server.token_of("deploy-bot", kind="agent")
        self._tokens: dict[str, str] = {}

    def ask(self, question: Json, **changes: Any) -> Json:
        with self.server.client(self._bot) as http:
            return http.post("/api/holds", json={**question, **changes}).raise_for_status().json()

    def give_up(self) -> None:
        """Its agent cancels whatever still waits."""
        with self.server.client(self._bot) as http:
            waiting: list[Json] = http.get("/api/holds", params=WAITING).raise_for_status().json()["holds"]
            for hold in waiting:
                # one that was decided at this moment is no longer there to cancel
                answer = http.post(f"/api/holds/{hold['id']}/cancel", json={})
                assert answer.status_code in {200, 409}, answer.text

    def redeem(self, hold: Json) -> None:
        with self.server.client(self._bot) as http:
            body = {"digest": hold["digest"], "key": "once"}
            http.post(f"/api/holds/{hold['id']}/redeem", json=body).raise_for_status()

    def hold(self, hold_id: str) -> Json:
        with self.server.client() as http:
            return http.get(f"/api/holds/{hold_id}").raise_for_status().json()

    def review(self, name: str, hold: Json, verdict: str = "approve", **fields: Any) -> Json:
        """As a person with a token, somewhere else than in the browser."""
        body = {"verdict": verdict, "digest": hold["digest"], **fields}
        with self.server.client(self.token(name)) as http:
            return http.post(f"/api/holds/{hold['id']}/reviews", json=body).raise_for_status().json()

    def token(self, name: str) -> str:
        if name not in self._tokens:
            with self.server.client() as http:
                made = http.post("/api/tokens", json={"principal": name}).raise_for_status()
            self._tokens[name] = made.json()["token"]
        return self._tokens[name]
