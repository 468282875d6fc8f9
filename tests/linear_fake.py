"""Linear on loopback: the part of its GraphQL that is used, its refusals, and the people in front of it."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import Any, cast
from uuid import uuid4

from channel_fakes import ORIGIN, RETRY_AFTER, HttpFake, Seen
from graphql import GraphQLError, build_schema, graphql_sync  # pyright: ignore[reportUnknownVariableType] - its types
from loopback import Answer, HangUp, Received, Reply

KEY, SECRET, TEAM = "lin_api_of_the_tests", "lin_wh_0123456789abcdef", "OPS"
ANN, BEN = str(uuid4()), str(uuid4())

# names and types as Linear publishes them
SCHEMA = build_schema("""
type Query {
  teams(filter: TeamFilter): TeamConnection!
  users(filter: UserFilter): UserConnection!
  issue(id: String!): Issue!
  comment(hash: String, id: String): Comment!
}
type Mutation {
  issueCreate(input: IssueCreateInput!): Payload!
  issueUpdate(id: String!, input: IssueUpdateInput!): Payload!
  commentCreate(input: CommentCreateInput!): Payload!
}
type Payload { success: Boolean! }
type TeamConnection { nodes: [Team!]! }
type Team { id: ID! states: StateConnection! }
type StateConnection { nodes: [State!]! }
type State { id: ID! type: String! position: Float! }
type UserConnection { nodes: [User!]! }
type User { id: ID! }
type Issue { id: ID! }
type Comment { id: ID! }
input StringComparator { eq: String eqIgnoreCase: String }
input BooleanComparator { eq: Boolean }
input TeamFilter { key: StringComparator }
input UserFilter { email: StringComparator active: BooleanComparator }
input IssueCreateInput {
  id: String teamId: String! title: String description: String priority: Int stateId: String subscriberIds: [String!]
}
input IssueUpdateInput { title: String description: String priority: Int stateId: String }
input CommentCreateInput { id: String issueId: String parentId: String body: String }
""")
# two of a type: the first counts
STATES = [
    *(("s5", "canceled", 5), ("s6", "canceled", 6), ("s1", "backlog", 0), ("s2", "unstarted", 1)),
    *(("s3", "started", 2), ("s4", "completed", 3), ("s7", "duplicate", 7)),
]


class LinearFake(HttpFake):
    """`issues` and `comments` by id; `members` have the ids of accounts by address. Faults hit what changes things."""

    name = "linear"

    def __init__(self) -> None:
        super().__init__()
        self.issues: dict[str, dict[str, Any]] = {}
        self.comments: dict[str, dict[str, Any]] = {}
        self.members = {"ann@example.org": ANN, "ben@example.org": BEN}
        self.key = KEY
        self.states = list(STATES)
        self._broken = 0

    @property
    def settings(self) -> dict[str, Any]:
        named = {"linear_api_key": KEY, "linear_team": TEAM, "linear_webhook_secret": SECRET}
        return {**named, "linear_url": f"{self.url}/graphql", "public_url": ORIGIN}

    # what Linear does

    async def reply(self, request: Received) -> Reply:
        changes = request.json()["query"].lstrip().startswith("mutation")
        fault = self.faults.popleft() if changes and self.faults else None
        if fault == "limited":
            # by its documentation 400, and not 429
            reset = str(int((time.time() + RETRY_AFTER) * 1000))
            return Answer(400, _errors("RATELIMITED"), {"X-RateLimit-Requests-Reset": reset})
        if fault == "broken":
            self._broken += 1
            return Answer(500) if self._broken % 2 else Answer(200, _errors("INTERNAL_SERVER_ERROR"))
        if changes:
            await self.happen()
        answer = await self.taken(request)
        return HangUp() if fault == "lost" else answer

    async def taken(self, request: Received) -> Answer:
        if request.headers["authorization"] != self.key:
            return Answer(401, _errors("AUTHENTICATION_ERROR"))
        asked = request.json()
        done = graphql_sync(SCHEMA, asked["query"], self, variable_values=asked["variables"])
        if done.errors:
            codes = [(one.extensions or {}).get("code", "GRAPHQL_VALIDATION_FAILED") for one in done.errors]
            return Answer(400, {**_errors(*codes), "data": None})
        return Answer(200, {"data": done.data})

    def teams(self, _: Any, filter: dict[str, Any]) -> dict[str, Any]:  # noqa: A002 - its name in the protocol
        states = [{"id": id_, "type": kind, "position": place} for id_, kind, place in self.states]
        found = [{"id": "team-1", "states": {"nodes": states}}] if filter["key"]["eq"] == TEAM else []
        return {"nodes": found}

    def users(self, _: Any, filter: dict[str, Any]) -> dict[str, Any]:  # noqa: A002 - its name in the protocol
        found = self.members.get(filter["email"]["eqIgnoreCase"].lower())
        return {"nodes": [{"id": found}] if found else []}

    def issue(self, _: Any, id: str) -> dict[str, Any]:  # noqa: A002 - its name in the protocol
        return self._found(self.issues, id)

    def comment(self, _: Any, id: str) -> dict[str, Any]:  # noqa: A002 - its name in the protocol
        return self._found(self.comments, id)

    def issueCreate(self, _: Any, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002 - its name in the protocol
        known = {*self.members.values()}
        if input["id"] in self.issues or not known.issuperset(input.get("subscriberIds") or []):
            raise _refused("INPUT_ERROR")
        self._check(input)
        self.issues[input["id"]] = input
        return {"success": True}

    def issueUpdate(self, _: Any, id: str, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002 - as above
        self._check(input)
        self._found(self.issues, id).update(input)
        return {"success": True}

    def commentCreate(self, _: Any, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002 - as above
        self._found(self.issues, input["issueId"])
        if input["id"] in self.comments:
            raise _refused("INPUT_ERROR")
        self.comments[input["id"]] = input
        return {"success": True}

    def _check(self, input_: dict[str, Any]) -> None:
        if len(input_["title"]) > 255 or input_["stateId"] not in {id_ for id_, _, _ in self.states}:
            raise _refused("INPUT_ERROR")

    def _found(self, where: dict[str, dict[str, Any]], id_: str) -> dict[str, Any]:
        if id_ not in where:
            raise _refused("INPUT_ERROR")
        return where[id_]

    # what people see and do

    def state(self, issue: dict[str, Any]) -> str:
        return next(kind for id_, kind, _ in self.states if id_ == issue["stateId"])

    def about(self, hold: str) -> list[dict[str, Any]]:
        return [one for one in self.issues.values() if f"/holds/{hold}" in one["description"]]

    def said(self, issue: dict[str, Any]) -> list[str]:
        return [one["body"] for one in self.comments.values() if one["issueId"] == issue["id"]]

    def seen(self, hold: str) -> list[Seen]:
        # escaped text reads as it was written
        return [
            Seen(
                self.state(one) == "unstarted" and "[Decide in Handrail]" in one["description"],
                f"{one['title']}\n{one['description']}".replace("\\", ""),
            )
            for one in self.about(hold)
        ]

    def delete(self) -> None:
        self.issues.clear()

    def write(self, issue: str, user: str, text: str) -> dict[str, Any]:
        """What Linear sends when somebody comments."""
        id_ = str(uuid4())
        self.comments[id_] = {"id": id_, "issueId": issue, "body": text}
        data = {"id": id_, "issueId": issue, "userId": user, "body": text, "user": {"id": user, "name": "Somebody"}}
        return _told("Comment", "create", data)

    def move(self, issue: str, state: str) -> dict[str, Any]:
        """What Linear sends when somebody moves the issue."""
        before = self.issues[issue]["stateId"]
        self.issues[issue]["stateId"] = next(id_ for id_, kind, _ in self.states if kind == state)
        data = {"id": issue, "state": {"id": self.issues[issue]["stateId"], "type": state}}
        return {**_told("Issue", "update", data), "updatedFrom": {"stateId": before}}

    def remove(self, issue: str) -> dict[str, Any]:
        del self.issues[issue]
        return _told("Issue", "remove", {"id": issue})


def signed(
    payload: dict[str, Any], secret: str = SECRET, age: float = 0, delivery: str | None = None, **headers: str
) -> dict[str, Any]:
    """The request by which Linear sends it, as arguments of a client's `post`."""
    moment = int((time.time() - age) * 1000)
    body = json.dumps({**payload, "webhookTimestamp": moment}).encode()
    made = {
        "Linear-Signature": hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
        "Linear-Delivery": delivery or str(uuid4()),
        "Linear-Timestamp": str(moment),
        "Linear-Event": str(payload.get("type")),
        "Content-Type": "application/json; charset=utf-8",
    }
    return {"content": body, "headers": {**made, **{name.replace("_", "-"): value for name, value in headers.items()}}}


def _told(kind: str, action: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "action": action, "data": data, "organizationId": "org-1", "webhookId": "hook-1"}


def _errors(*codes: Any) -> dict[str, Any]:
    return {"errors": [{"message": "no", "extensions": {"code": code}} for code in codes]}


def _refused(code: str) -> GraphQLError:
    return GraphQLError("no", extensions=cast("dict[str, Any]", {"code": code}))
