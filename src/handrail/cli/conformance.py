"""`handrail conformance`: does a server keep the contract that clients are written against (docs/protocol.md)?"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handrail.cli import output
from handrail.cli.commands import client
from handrail.cli.connection import Server
from handrail.cli.exits import Exit, Failure

if TYPE_CHECKING:
    import httpx

app = typer.Typer()

Json = dict[str, Any]

# low in the default policy; under one where it is not, people would have to decide
READ: Json = {"name": "read_status", "args": {"of": "conformance", "n": 3}, "target": None}
# medium in the default policy
CHANGE: Json = {"name": "change_setting", "args": {"name": "conformance"}, "target": None}


@client(app)
def conformance(
    server: Server, address: Annotated[str | None, typer.Argument(help="The server; or --url.", metavar="URL")] = None
) -> None:
    """Check that a server keeps the protocol, with holds that are cancelled again. Needs the token of an agent."""
    import httpx

    server = server.at(address) if address else server
    with server.http() as http:
        checks = Checks(http)
        try:
            checks.run()
        except httpx.TransportError as error:
            raise server.unreachable(error) from error
    if server.as_json:
        output.as_json({"checks": [{"check": name, "problem": problem} for name, problem in checks.found]})
    for name, problem in checks.found if not server.as_json else ():
        output.say(f"{'FAIL' if problem else 'ok  '}  {name}{f': {problem}' if problem else ''}")
    failed = sum(problem is not None for _, problem in checks.found)
    if failed:
        raise Failure(Exit.refused, f"{failed} of {len(checks.found)} checks failed.")


class Checks:
    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self.found: list[tuple[str, str | None]] = []

    def run(self) -> None:
        """Everything, in order; an answer that is none ends a group of checks and is a failure."""
        for group in (self._pending, self._used):
            try:
                group()
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                self.found.append(("an answer is a hold", f"it is not as documented ({type(error).__name__})"))
        self._says("a stranger is refused with a problem", self._stranger)

    def _pending(self) -> None:
        key = f"conformance-{secrets.token_hex(8)}"
        opened = self._open(CHANGE, key)
        self._says("a hold opens with 201, an id, a digest and a status", lambda: _fields(opened))
        hold = opened.json()
        again, other = self._open(CHANGE, key), self._open(CHANGE, key, title="Something else")
        self._says("the same key and body return the same hold", lambda: _same(again.json().get("id"), hold["id"]))
        self._says("another body under that key is refused", lambda: _problem(other, 409, "idempotency_conflict"))
        self._says("the digest is that of the question", lambda: _same(hold["digest"], digest(CHANGE)))
        path = f"/api/holds/{hold['id']}"
        waited = self._http.get(f"{path}/wait", params={"timeout": 0})
        self._says("waiting ends at its timeout, still pending", lambda: _same(waited.json().get("status"), "pending"))
        early = self._http.post(f"{path}/redeem", json={"digest": hold["digest"], "key": key})
        self._says("what is pending cannot be used", lambda: _problem(early, 409, "not_approved"))
        ended = self._http.post(f"{path}/cancel", json={"reason": "It was a check."})
        self._says("its requester can cancel it", lambda: _same(ended.json().get("status"), "cancelled"))

    def _used(self) -> None:
        hold = self._open(READ, f"conformance-{secrets.token_hex(8)}").json()
        if hold["status"] != "approved":
            self._http.post(f"/api/holds/{hold['id']}/cancel", json={})
            self.found.append(("a low action is approved at once", f"{READ['name']} is {hold['risk']} in this policy"))
            return
        path = f"/api/holds/{hold['id']}"
        wrong = self._http.post(f"{path}/redeem", json={"digest": digest(CHANGE), "key": "first-use"})
        self._says("another digest is refused", lambda: _problem(wrong, 409, "stale_digest"))
        uses = [self._http.post(f"{path}/redeem", json={"digest": digest(READ), "key": "first-use"}) for _ in range(2)]
        self._says("an approval is used, and the same key gets the same answer", lambda: _used(uses))
        second = self._http.post(f"{path}/redeem", json={"digest": digest(READ), "key": "second-use"})
        self._says("another key finds it used", lambda: _problem(second, 409, "already_redeemed"))
        results = [self._http.post(f"{path}/result", json={"outcome": "succeeded"}) for _ in range(2)]
        self._says("a result is recorded, and again changes nothing", lambda: _ok(*results))
        late = self._http.post(f"{path}/result", json={"outcome": "failed"})
        self._says("another result is refused", lambda: _problem(late, 409, "result_recorded"))

    def _open(self, action: Json, key: str, title: str = "Conformance") -> httpx.Response:
        body = {"kind": "approval", "title": title, "action": action}
        return self._http.post("/api/holds", json=body, headers={"Idempotency-Key": key})

    def _stranger(self) -> str | None:
        answer = self._http.get("/api/holds", headers={"Authorization": "Bearer hr_nobody"})
        return None if answer.status_code == 401 and "code" in answer.json() else f"it answered {answer.status_code}"

    def _says(self, name: str, check: Callable[[], str | None]) -> None:
        try:
            self.found.append((name, check()))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self.found.append((name, f"the answer is not as documented ({type(error).__name__})"))


def digest(action: Json) -> str:
    from handrail_sdk import Action
    from handrail_sdk import digest as digest_of

    return digest_of("approval", "Conformance", Action(action["name"], action["args"], action["target"]))


def _fields(answer: httpx.Response) -> str | None:
    if answer.status_code != 201:
        return f"it answered {answer.status_code}: {answer.text[:200]}"
    missing = {"id", "digest", "revision", "status", "risk"} - answer.json().keys()
    return f"no {', '.join(sorted(missing))}" if missing else None


def _same(found: object, wanted: object) -> str | None:
    return None if found == wanted else f"{found!r} instead of {wanted!r}"


def _problem(answer: httpx.Response, status: int, code: str) -> str | None:
    return _same((answer.status_code, answer.json().get("code")), (status, code))


def _ok(*answers: httpx.Response) -> str | None:
    return next((f"it answered {one.status_code}" for one in answers if not one.is_success), None)


def _used(answers: list[httpx.Response]) -> str | None:
    return _ok(*answers) or _same(*(one.json() for one in answers))
