"""The programs under examples/ and in the guide run as they are, with people who decide."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import pytest
from sdk_office import Office, ended

from handrail_sdk import Hold, ItemDecision

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"


def decide(office: Office, title: str, verdict: str, reason: str) -> None:
    hold_id = office.one_pending(text=title)
    with office.deciding() as person:
        person.resolve_confirmation(hold_id, verdict == "approve", reason)


@pytest.mark.parametrize(
    ("verdict", "said"),
    [("approve", "sending to ada@example.com, grace@example.com\n"), ("reject", "not sending: already paid\n")],
)
def test_confirm(office: Office, verdict: str, said: str) -> None:
    program = office.start(EXAMPLES / "confirm.py")
    decide(office, "second reminder", verdict, "already paid")
    assert ended(program) == said


def test_ask_back(office: Office) -> None:
    program = office.start(EXAMPLES / "ask_back.py")
    hold_id = office.one_pending(case="release-1.4.2")
    with office.deciding() as person:
        asked = person.comment(hold_id, "Which migration does it run?")
        reply = next(event for event in person.events(hold=hold_id, after=0) if event.data.get("reply_to") == asked.id)
        assert reply.data["text"] == "0042_add_index, which only adds an index"
        person.resolve_confirmation(hold_id, True)
    assert ended(program) == "Ada asks: Which migration does it run?\ndeploying\n"


def test_batch(office: Office) -> None:
    program = office.start(EXAMPLES / "batch.py")
    hold_id = office.one_pending(case="month-end")
    decisions = [ItemDecision("inv-1", True), ItemDecision("inv-2", False, "too much"), ItemDecision("inv-3", True)]
    with office.deciding() as person:
        person.resolve_confirmations(hold_id, decisions)
    assert ended(program) == "inv-1 goes out\ninv-2 stays: too much\ninv-3 goes out\n"


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("approve", "shop 1.4.2 runs in staging\n"),
        ("reject", "left alone: 'Deploy shop 1.4.2 to staging' was rejected: no\n"),
    ],
)
def test_gate(office: Office, verdict: str, said: str) -> None:
    program = office.start(EXAMPLES / "gate.py")
    decide(office, "Deploy shop", verdict, "no")
    assert ended(program) == said


def test_reattach(office: Office, case: str) -> None:
    program = office.start(EXAMPLES / "reattach.py", case)
    hold_id = office.one_pending(text=case)
    program.kill()
    program.wait()
    with office.deciding() as person:
        person.resolve_confirmation(hold_id, True, "broken on arrival")
    assert f"{case}: refunded (broken on arrival)" in ended(office.start(EXAMPLES / "reattach.py", case))


def test_sync_client(office: Office) -> None:
    program = office.start(EXAMPLES / "sync_client.py")
    hold_id = office.one_pending(text="Which region")
    with office.deciding() as person:
        person.review(hold_id, "answer", digest=person.get(hold_id).digest, answer="us-east")
    assert ended(program) == "backing up to us-east\n"


def test_every_example_is_run_here() -> None:
    tests = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert {path.stem for path in EXAMPLES.glob("*.py")} <= tests


BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "sdk.md").read_text(), re.DOTALL | re.MULTILINE)


def say_yes(office: Office, hold: Hold) -> None:
    with office.deciding() as person:
        if hold.items:
            person.resolve_confirmations(hold.id, [ItemDecision(item["item_id"], True) for item in hold.items])
        elif hold.kind == "input":
            answer = hold.schema["enum"][0] if "enum" in hold.schema else {"granted": True, "amount": 100}
            person.review(hold.id, "answer", digest=hold.digest, answer=answer)
        else:
            person.review(hold.id, "approve", digest=hold.digest)


def everybody_agrees(office: Office, program: subprocess.Popen[str]) -> None:
    """Says yes to whatever comes up until the program ends."""
    deadline = time.monotonic() + 60
    while program.poll() is None and time.monotonic() < deadline:
        with office.deciding() as person:
            for wire in office.pending():
                say_yes(office, person.get(wire["id"]))
        time.sleep(0.1)


# what each of them prints where everybody says yes
SAID = [
    r"True None \d{4}-.*\n",
    r"going out: \('inv-1', 'inv-2'\)\ninv-1 True None\ninv-2 True None\n",
    r"True 100\.0\n",
    r"1\.4\.2 runs in staging\n",
    r"reading the archive of order-77\nit ran before: Result\(outcome='succeeded', .*\n",
    r"sent\n",
    r"scaling\n",
    r"answered eu\n\d+ hold\.opened\n(\d+ .*\n)*\d+ hold\.decided\n",
]


@pytest.mark.parametrize(("block", "said"), list(zip(BLOCKS, SAID, strict=True)), ids=range(1, len(BLOCKS) + 1))
def test_the_guide(office: Office, block: str, said: str) -> None:
    program = office.start(block)
    everybody_agrees(office, program)
    assert re.fullmatch(said, ended(program))


def test_the_readme_waits_for_two_people_one_of_them_a_tech_lead_or_cto(office: Office) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    program = office.start(block)
    with office.deciding() as person:
        hold = person.get(office.one_pending(text="Deploy shop to production"))
        person.review(hold.id, "reject", digest=hold.digest, reason="not today")
    assert program.wait(60) != 0, "what was rejected does not run"
    assert hold.requirements.approvals == 2
    assert [set(group) for group in hold.requirements.required] == [{"cto", "tech_lead"}]
