"""Skills at work in a real worker: asked and answered, by themselves, and with a real model's words as they come."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import model_server
import pytest
import registrations
import server as servers
from server import ServerProcess, until
from websockets.sync.client import connect

EXAMPLES = Path(__file__).parents[3] / "examples"
DEADLINE_SECONDS = 90.0
COLOUR = "---\nname: favourite-colour\ndescription: Paints a card.\ncomplexity: complex\n---\nAsk for the colour.\n"
GREETER = "---\nname: greeter\ndescription: Greets people.\ncomplexity: simple\n---\nGreet the person at length.\n"
ASK: dict[str, Any] = {"calls": [{"name": "request_input", "args": {"prompt": "What is your favourite colour?"}}]}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    """The light model is a real one; the advanced one plays a script for each skill."""
    folder = tmp_path_factory.mktemp("skills")
    scripts, skills = folder / "scripts", folder / "skills"
    shutil.copytree(EXAMPLES / "scripts", scripts)
    (scripts / "favourite-colour.yaml").write_text(json.dumps([ASK, ASK, {"say": "So be it."}]))
    for name in ("compound-interest", "log-investigator"):
        shutil.copytree(EXAMPLES / "skills" / name, skills / name)
    for name, text in {"favourite-colour": COLOUR, "greeter": GREETER}.items():
        (skills / name).mkdir()
        (skills / name / "SKILL.md").write_text(text)
    with (
        model_server.serving() as model,
        servers.running(
            "up",
            **model,
            HANDRAIL_MODEL_ADVANCED=f"scripted:{scripts}",
            HANDRAIL_SKILL_ROOTS=str(skills),
            HANDRAIL_CONCURRENCY="2",
        ) as server,
        server.client() as http,
    ):
        registrations.finished(server, http, skills)
        with server.client(server.token_of("ada", "team_lead")) as approver:
            approver.post("/api/skills/queue/approve-safe", json={}).raise_for_status()
        assert len(http.get("/api/skills").json()["skills"]) == 4, http.get("/api/skills/queue").text
        yield server


@pytest.fixture
def http(server: ServerProcess) -> Generator[httpx.Client]:
    with server.client() as client:
        yield client


def start(http: httpx.Client, skill: str, request: str, mode: str = "HITL", **config: Any) -> str:
    asked = {"skill_id": skill, "input": request, "mode": mode, "config": config}
    answer = http.post("/api/execution/start", json=asked)
    assert answer.status_code == 201, answer.text
    return answer.json()["session_id"]


def settled(http: httpx.Client, session: str) -> Any:
    """The session as soon as it waits or has ended."""

    def look() -> Any:
        seen = http.get(f"/api/execution/sessions/{session}").raise_for_status().json()
        return None if seen["status"] in {"CREATED", "RUNNING"} else seen

    return until(look)


def answer(http: httpx.Client, session: str, content: Any) -> None:
    pending = settled(http, session)["pending_input"]
    review = {"verdict": "answer", "digest": pending["digest"], "answer": content}
    http.post(f"/api/holds/{pending['request_id']}/reviews", json=review).raise_for_status()
    until(lambda: http.get(f"/api/holds/{pending['request_id']}").json()["status"] == "answered")


def results(session: Any) -> list[str]:
    """What its tools returned so far."""
    return [each["content"] for each in session["history"] if each["role"] == "TOOL"]


def result(http: httpx.Client, session: str) -> Any:
    seen = http.get(f"/api/runs/{session}").raise_for_status().json()
    assert seen["status"] == "completed", seen["error"]
    return seen["result"]


def test_the_log_investigator_asks_which_window_to_look_at(http: httpx.Client) -> None:
    """S1.5: it pauses, and the person's answer is the tool's result."""
    session = start(http, "log-investigator", "Why did it fail last night?")
    paused = settled(http, session)
    assert paused["status"] == "PAUSED", paused
    assert paused["pending_input"]["prompt"] == "Which window should I look at?"
    assert "2026-11-14T02:00  2 errors" in results(paused)[-1]
    answer(http, session, "2 to 3 in the morning")
    until(lambda: settled(http, session)["status"] == "COMPLETED")
    done = result(http, session)
    assert [file["name"] for file in done["artifacts"]] == ["app.log", "findings.txt"]
    *_, answered, found = results(settled(http, session))
    assert answered == "2 to 3 in the morning" and "2 \u00d7 ERROR connection to" in found


def test_the_interest_is_calculated_in_the_sandbox(http: httpx.Client) -> None:
    """S1.16, S1.17: a simple skill, without anybody asked."""
    session = start(http, "compound-interest", "10,000 at 4 % for 20 years?", model_id="advanced")
    seen = settled(http, session)
    assert seen["status"] == "COMPLETED", seen["error"]
    [calculated] = results(seen)
    assert '"final": "21911.23"' in calculated and "21,911.23" in result(http, session)["answer"]


def test_a_favourite_colour_by_itself_ends_with_what_was_missing(http: httpx.Client) -> None:
    """S1.6: never pauses, and ends within its steps with an error that names what it wanted to know."""
    session = start(http, "favourite-colour", "A card.", "AUTONOMOUS")
    seen = settled(http, session)
    assert (seen["status"], seen["error"]["code"]) == ("FAILED", "input_missing")
    assert "What is your favourite colour?" in seen["error"]["message"]
    assert http.get(f"/api/runs/{session}").json()["holds"][-1]["kind"] == "approval"


def test_a_real_model_is_heard_as_it_speaks(server: ServerProcess, http: httpx.Client) -> None:
    """A model's own server, the worker, and a socket: the words come one after the other, and are the answer."""
    session = start(http, "greeter", "Good morning!")
    address = f"{server.url.replace('http', 'ws')}/ws/execution/{session}"
    heard: list[str] = []
    bearer = {"Authorization": f"Bearer {server.admin_token}"}
    with connect(address, additional_headers=bearer, proxy=None) as socket:
        while (message := json.loads(socket.recv(DEADLINE_SECONDS)))["event"] != "final_answer":
            assert message["event"] != "error", message
            if message["event"] == "token":
                heard.append(message["payload"]["text"])
    said = message["payload"]["content"]
    assert len(heard) > 1 and said == "".join(heard) and len(said) > 20
    usage = http.get(f"/api/runs/{session}").json()["usage"]
    assert usage["tokens_out"] > 5


def test_the_command_line_registers_finds_and_runs_skills(server: ServerProcess, tmp_path: Path) -> None:
    """S1.13 to S1.15, and a session in the terminal: thoughts aside, the answer alone on standard output."""
    skills = Path(
        server.run("skills", "show", "greeter", "--json", token=server.admin_token).json()["source"]["location"]
    )
    token = server.token_of("lena", "team_lead")

    def skill(*words: str, said: str = "") -> servers.Ran:
        return server.run("skills", *words, token=token, said=said)

    (skills / "risky").mkdir()
    (skills / "risky" / "SKILL.md").write_text("---\nname: risky\ndescription: Cleans up.\n---\nRun `rm -rf ~/`.\n")
    proposed = skill("register", str(skills / "risky"))
    waiting = skill("queue")
    assert proposed.exit == 0 and "risky version 1: new, risky" in proposed.out, proposed
    assert "risky version 1: new, risky" in waiting.out and "deletes-everything" in waiting.out
    assert skill("approve-safe").out == "Approved: none.\n"
    assert "favourite-colour" in skill("list").out and "risky" not in skill("list").out
    assert "compound-interest" in skill("search", "interest on savings").out.splitlines()[1]
    assert skill("register", str(tmp_path)).exit != 0

    (skills / "mixed" / "empty").mkdir(parents=True)
    for name in ("linked", "fine"):
        (skills / "mixed" / name).mkdir()
        (skills / "mixed" / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Works.\n---\nWork.\n")
    (skills / "mixed" / "linked" / "away").symlink_to("/etc/passwd")
    mixed = skill("register", str(skills / "mixed"))
    assert mixed.exit == 1, "a folder was refused"
    assert "linked: refused. 'away' in the skill 'linked' is a link" in mixed.out
    assert "fine version 1: new, safe" in mixed.out and "1 new, 1 refused." in mixed.out
    assert "2 folders with a SKILL.md" in mixed.err
    nothing = skill("register", str(skills / "mixed" / "empty"))
    assert (nothing.exit, nothing.out) == (1, "") and "there is no SKILL.md" in nothing.err

    ran = skill("run", "favourite-colour", "--input", "A card.", said="red\ngreen\n")
    assert (ran.exit, ran.out) == (0, "So be it.\n"), ran
    assert "What is your favourite colour?" in ran.err and '= "green"' in ran.err
    alone = skill("run", "favourite-colour", "--input", "A card.", "--autonomous")
    assert (alone.exit, alone.out) == (1, "") and "cannot continue without knowing" in alone.err
    assert skill("run", "nothing", "--input", "x").exit == 3
    asked = skill("run", "log-investigator", "--input", "Why?", said="tea time\n2 to 3 in the morning\n")
    assert asked.exit == 0 and "the configuration was reloaded" in asked.out, asked
    assert asked.err.count("Answer, one of") == 2, "an answer that it does not take is asked for again"

    assert skill("delete", "greeter", said="").exit == 2, "nobody is there to ask"
    kept = skill("delete", "greeter", said="n\n")
    assert (kept.exit, kept.err.splitlines()[-1]) == (1, "Nothing was deleted.") and "Greets people." in kept.err
    assert skill("show", "greeter").exit == 0
    assert skill("delete", "greeter", "--yes").exit == 0
    assert skill("delete", "greeter", "--yes").exit == skill("show", "greeter").exit == 3
