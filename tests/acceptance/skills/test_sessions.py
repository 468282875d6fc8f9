"""Sessions on two servers and a worker: a person's answer over a stock client, kill -9, too many at once, time."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
import server as servers
import talking_model
from holds_world import adder, context_on
from server import ServerProcess
from skills_world import COLOUR, skill_in_force
from talking_model import Talker
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from handrail.store.embedded import Server

DEADLINE_SECONDS = 60.0
START = {"skill_id": COLOUR, "input": "Paint the shed", "mode": "HITL"}
ANSWER = "I will paint the shed blue."

Json = dict[str, Any]


@dataclass
class Deployment:
    """`first` has the worker and the database; `second` is another server on that database. `mara` runs skills."""

    first: ServerProcess
    second: ServerProcess
    model: Talker
    dsn: str
    mara: str

    def start(self, at: ServerProcess | None = None, **more: Any) -> str:
        with (at or self.second).client(self.mara) as http:
            return http.post("/api/execution/start", json={**START, **more}).raise_for_status().json()["session_id"]

    def look(self, session: str, at: ServerProcess | None = None) -> Json:
        with (at or self.second).client(self.mara) as http:
            return http.get(f"/api/execution/sessions/{session}").raise_for_status().json()

    def cancel_all(self) -> None:
        with self.second.client() as http:
            for session in http.get("/api/execution/sessions").json()["sessions"]:
                if session["ended_at"] is None:
                    http.post(f"/api/execution/sessions/{session['session_id']}/cancel", json={})

    @contextmanager
    def watched(self, session: str, after: str | None = None, at: ServerProcess | None = None) -> Generator[Client]:
        query = f"?after={after}" if after else ""
        address = f"{(at or self.second).url.replace('http', 'ws')}/ws/execution/{session}{query}"
        with connect(address, additional_headers={"Authorization": f"Bearer {self.mara}"}, proxy=None) as socket:
            yield Client(socket)


class Client:
    """A stock client, and what it has heard."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[Json] = []

    def until(self, event: str, **payload: Any) -> Json:
        deadline = time.monotonic() + DEADLINE_SECONDS
        while True:
            self.heard.append(json.loads(self.socket.recv(deadline - time.monotonic())))
            found = self.heard[-1]
            if found["event"] == event and payload.items() <= found["payload"].items():
                return found

    def answer(self, content: str) -> None:
        self.socket.send(json.dumps({"event": "user_response", "payload": {"content": content}}))

    def closed(self) -> int:
        with pytest.raises(ConnectionClosed) as over:
            while True:
                self.heard.append(json.loads(self.socket.recv(DEADLINE_SECONDS)))
        assert over.value.rcvd is not None
        return over.value.rcvd.code


def text(heard: list[Json]) -> str:
    """What the model said, put together; text that was taken back does not count."""
    void = [one["payload"]["discarded"]["message_id"] for one in heard if one["payload"].get("discarded")]
    pieces = [one["payload"] for one in heard if one["event"] == "token"]
    return "".join(piece["text"] for piece in pieces if piece["message_id"] not in void)


@pytest.fixture(scope="module")
def deployment() -> Generator[Deployment]:
    with talking_model.talking() as model:
        variables = {
            "HANDRAIL_CONCURRENCY": "2",
            "HANDRAIL_MODEL_ADVANCED": "openai:talker",
            "HANDRAIL_MODEL_URL": model.url,
            "HANDRAIL_MODEL_KEY": "sk-none",
        }
        with servers.running("up", **variables) as first:
            database = Server(first.data)
            dsn = database.start()
            key = first.data / "audit" / "key.pem"
            shared = {
                "HANDRAIL_DATABASE_URL": dsn,
                "HANDRAIL_AUDIT_KEY_FILE": str(key),
                "HANDRAIL_ADMIN_TOKEN": first.admin_token,
            }
            try:
                asyncio.run(_approve_the_skill(dsn))
                with servers.running("serve", **variables, **shared) as second:
                    first.serves("skill")
                    yield Deployment(first, second, model, dsn, first.token_of("mara"))
            finally:
                database.stop()


async def _approve_the_skill(dsn: str) -> None:
    async with context_on(dsn) as context:
        add = adder(context)
        await skill_in_force(context, await add("ann", "team_lead"), await add("bob", "team_lead"))


@pytest.fixture(autouse=True)
def in_peace(deployment: Deployment) -> Generator[None]:
    """No test leaves a session behind."""
    yield
    deployment.model.go.set()
    deployment.cancel_all()


def test_a_favourite_colour_is_asked_answered_and_used(deployment: Deployment) -> None:
    """S1.1 to S1.5: started at one server, followed at the other, word by word."""
    session = deployment.start(deployment.first)
    with deployment.watched(session) as client:
        asked = client.until("request_input")["payload"]
        assert asked["prompt"] == talking_model.QUESTION
        client.until("status_update", status="PAUSED")
        assert deployment.look(session)["status"] == "PAUSED"
        client.answer("blue")
        final = client.until("final_answer")["payload"]
        assert final["content"] == ANSWER
        assert client.closed() == 1000
    assert text(client.heard) == f"One question.{ANSWER}"
    assert client.heard[-1]["payload"]["status"] == "COMPLETED"
    told = deployment.look(session)
    assert (told["status"], told["answer"]) == ("COMPLETED", ANSWER)
    assert [(one["role"], one["content"]) for one in told["history"]] == [
        ("HUMAN", "Paint the shed"),
        ("AI", "One question."),
        ("HUMAN", "blue"),
        ("TOOL", "blue"),
        ("AI", ANSWER),
    ]


def test_kill_in_mid_pause_and_in_mid_sentence_loses_and_repeats_nothing(deployment: Deployment) -> None:
    """S1.7, S1.11: of two sessions, one that waits and one that is talking; the other server knows all of both."""
    first, model = deployment.first, deployment.model
    waiting, talking = deployment.start(), deployment.start()
    model.go.clear()
    with deployment.watched(waiting, at=first) as pausing, deployment.watched(talking, at=first) as client:
        pausing.until("status_update", status="PAUSED")
        client.until("request_input")
        client.answer("blue")
        while text(client.heard) != f"One question.{talking_model.BEFORE}":
            client.until("token")
        first.kill_process()
    paused, half = deployment.look(waiting), deployment.look(talking)["history"]
    assert (paused["status"], paused["pending_input"]["prompt"]) == ("PAUSED", talking_model.QUESTION)
    assert [one["role"] for one in paused["history"]] == ["HUMAN", "AI"]
    assert [one["role"] for one in half] == ["HUMAN", "AI", "HUMAN", "TOOL", "AI"]
    assert (half[-1]["content"], half[-1]["metadata"]["streaming"]) == (talking_model.BEFORE, True)
    model.go.set()
    for session, before in ((waiting, pausing), (talking, client)):
        with deployment.watched(session, before.heard[-1]["cursor"]) as after:
            if session == waiting:
                # no worker is there: whoever comes goes on with it
                after.answer("blue")
                after.until("status_update", status="PAUSED")
                first.start()
            assert after.closed() == 1000
        heard = before.heard + after.heard
        assert text(heard) == f"One question.{ANSWER}"
        numbered = [one["seq"] for one in heard if one["event"] != "token"]
        assert numbered == sorted(set(numbered))
        told = deployment.look(session)
        assert (told["status"], told["answer"]) == ("COMPLETED", ANSWER)
        said = [one["content"] for one in told["history"]]
        assert said == ["Paint the shed", "One question.", "blue", "blue", ANSWER]


def test_of_six_starts_at_once_on_two_servers_one_is_too_many(deployment: Deployment) -> None:
    """S1.9."""

    def start(at: ServerProcess) -> int:
        with at.client(deployment.mara) as http:
            return http.post("/api/execution/start", json=START).status_code

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(start, [deployment.first, deployment.second] * 3))
    assert sorted(answers) == [201] * 5 + [429]


def test_half_an_hour_of_silence_ends_a_session(deployment: Deployment) -> None:
    """S1.8: by the database's clock; its question ends with it, and an answer comes too late."""
    session = deployment.start()
    with deployment.watched(session) as client:
        question = client.until("request_input")["payload"]["request_id"]
        client.until("status_update", status="PAUSED")
        with psycopg.connect(deployment.dsn, autocommit=True) as conn:
            conn.execute("UPDATE clock SET shift = shift + interval '31 minutes'")
        client.until("status_update", status="EXPIRED")
        assert client.closed() == 1000
    with deployment.second.client(deployment.mara) as http:
        late = {"verdict": "answer", "answer": "blue", "digest": http.get(f"/api/holds/{question}").json()["digest"]}
        assert http.post(f"/api/holds/{question}/reviews", json=late).json()["code"] == "already_decided"
    told = deployment.look(session)
    assert (told["status"], told["history"][-1]["role"]) == ("EXPIRED", "SYSTEM")
    assert [hold["status"] for hold in told["holds"] if hold["id"] == question] == ["expired"]
