"""The SDK for TypeScript, as it is built for npm, in node against a real server: it promises what Python's does."""

from __future__ import annotations

import json
import re
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from sdk_office import Office, ended
from server import environment

from handrail_sdk import Action, AsyncHandrail, Hold, ItemDecision

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "sdk" / "typescript"
TSC = ROOT / "web" / "node_modules" / "typescript-7" / "bin" / "tsc"
PAGE = (ROOT / "docs" / "typescript.md").read_text("utf-8")
# those of other packages run in `make adapters`
BLOCKS = [
    block
    for block in re.findall(r"^```typescript\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    if set(re.findall(r'from "([^"]+)"', block)) == {"handrail-sdk"}
]
# appends to a file, and is killed in the middle of it where told so
ACTING = """
import { appendFileSync } from "node:fs";
import { gate, HandrailError } from "handrail-sdk";

const [title, file, mode, end, name = "deploy"] = process.argv.slice(1);
const act = gate(
  ({ line, times }) => {
    for (let n = 0; n < times; n++) appendFileSync(file, `${line}\\n`);
    if (end === "dies") process.kill(process.pid, "SIGKILL");
    return `ran ${line}`;
  },
  {
    name,
    title,
    ...(name === "deploy" && { target: "line", task: { operation: "deploy", environment: "staging" } }),
    key: mode === "keyless" ? undefined : () => title,
    idempotent: mode === "idempotent",
    expiresIn: end === "expires" ? 0.4 : undefined,
  },
);
try {
  console.log(await act({ line: "acted", times: 1 }));
} catch (error) {
  if (!(error instanceof HandrailError)) throw error;
  console.log(`${error.name}: ${error.message}`);
}
"""


def start(office: Office, code: str, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    """A program of the agent's that imports the package by its name."""
    assert (PACKAGE / "dist" / "index.js").exists(), "run `make sdk`"
    ours = {"HANDRAIL_URL": office.server.url, "HANDRAIL_TOKEN": office.agent, **variables}
    process = subprocess.Popen(
        ["node", "--input-type=module", "--eval", code, "--", *arguments],
        cwd=PACKAGE,
        env=environment(office.server.folder, **ours),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    office.programs.append(process)
    return process


def asked(office: Office, title: str) -> Hold:
    """The hold of that title, as the person who may decide it sees it."""
    with office.deciding() as person:
        return person.get(office.one_pending(text=title))


def approve(office: Office, hold: Hold) -> None:
    with office.deciding() as person:
        person.review(hold.id, "approve", digest=hold.digest)


def seen(office: Office, hold: Hold) -> Hold:
    with office.deciding() as person:
        return person.get(hold.id)


def test_a_low_call_runs_at_once(office: Office, case: str, tmp_path: Path) -> None:
    program = start(office, ACTING, case, str(tmp_path / "acts"), "keyless", "lives", "read")
    assert ended(program) == "ran acted\n"


def test_an_approved_call_runs_and_its_result_is_recorded(office: Office, case: str, tmp_path: Path) -> None:
    program = start(office, ACTING, case, str(tmp_path / "acts"), "keyless", "lives")
    hold = asked(office, case)
    assert hold.action == Action("deploy", {"line": "acted", "times": 1}, "acted")
    assert (hold.kind, hold.risk, hold.task) == (
        "approval",
        "medium",
        {"operation": "deploy", "environment": "staging"},
    )
    approve(office, hold)
    assert ended(program) == "ran acted\n"
    done = seen(office, hold)
    assert done.result is not None
    assert (done.result.outcome, done.result.detail) == ("succeeded", None)


def test_amended_arguments_are_what_runs(office: Office, case: str, tmp_path: Path) -> None:
    program = start(office, ACTING, case, str(tmp_path / "acts"), "keyless", "lives")
    hold = asked(office, case)
    with office.deciding() as person:
        changed = Action("deploy", {"line": "less", "times": 2}, "less")
        amended = person.review(hold.id, "amend", digest=hold.digest, amended_action=changed)
        person.review(hold.id, "approve", digest=amended.digest)
    assert ended(program) == "ran less\n"
    assert (tmp_path / "acts").read_text() == "less\nless\n"


def test_an_amendment_to_another_target_than_the_arguments_say_does_not_run(
    office: Office, case: str, tmp_path: Path
) -> None:
    program = start(office, ACTING, case, str(tmp_path / "acts"), "keyless", "lives")
    hold = asked(office, case)
    with office.deciding() as person:
        odd = Action("deploy", {"line": "acted", "times": 1}, "bank")
        amended = person.review(hold.id, "amend", digest=hold.digest, amended_action=odd)
        person.review(hold.id, "approve", digest=amended.digest)
    assert ended(program).startswith("ActionChanged: ")
    assert not (tmp_path / "acts").exists()
    assert seen(office, hold).redeemed is None


def test_a_no_is_thrown_with_its_reason_and_nothing_runs(office: Office, case: str, tmp_path: Path) -> None:
    program = start(office, ACTING, case, str(tmp_path / "acts"), "keyless", "lives")
    hold = asked(office, case)
    with office.deciding() as person:
        person.review(hold.id, "reject", digest=hold.digest, reason="not on a Friday")
    assert ended(program) == f"NotAllowed: '{case}' was rejected: not on a Friday\n"
    assert not (tmp_path / "acts").exists()


def test_a_question_that_expires_is_a_no(office: Office, case: str, tmp_path: Path) -> None:
    program = start(office, ACTING, case, str(tmp_path / "acts"), "keyless", "expires")
    assert ended(program).startswith(f"NotAllowed: '{case}' was expired")


def test_a_program_killed_while_it_waits_acts_once_on_the_decision_made_meanwhile(
    office: Office, case: str, tmp_path: Path
) -> None:
    program = start(office, ACTING, case, str(tmp_path / "acts"), "once", "lives")
    hold = asked(office, case)
    program.kill()
    program.wait()
    approve(office, hold)
    assert ended(start(office, ACTING, case, str(tmp_path / "acts"), "once", "lives")) == "ran acted\n"
    # the identical call again
    again = ended(start(office, ACTING, case, str(tmp_path / "acts"), "once", "lives"))
    assert again == f"AlreadyRan: '{case}' ran before and succeeded\n"
    assert (tmp_path / "acts").read_text() == "acted\n"


@pytest.mark.parametrize(("mode", "said", "lines"), [("idempotent", "ran acted", 2), ("once", "MayHaveRun", 1)])
def test_what_died_in_the_middle_runs_again_only_where_that_does_no_harm(
    office: Office, case: str, tmp_path: Path, mode: str, said: str, lines: int
) -> None:
    program = start(office, ACTING, case, str(tmp_path / "acts"), mode, "dies")
    approve(office, asked(office, case))
    assert program.wait(60) == -signal.SIGKILL
    assert ended(start(office, ACTING, case, str(tmp_path / "acts"), mode, "lives")).startswith(said)
    assert (tmp_path / "acts").read_text() == "acted\n" * lines


def test_of_two_programs_with_one_key_one_acts(office: Office, case: str, tmp_path: Path) -> None:
    programs = [start(office, ACTING, case, str(tmp_path / "acts"), "once", "lives") for _ in range(2)]
    approve(office, asked(office, case))
    said = sorted(ended(program).split(":")[0] for program in programs)
    assert said[1] == "ran acted\n"
    assert said[0] in ("AlreadyRan", "MayHaveRun")
    assert (tmp_path / "acts").read_text() == "acted\n"


async def test_a_hold_that_python_opened_is_the_same_question_here(office: Office, case: str, tmp_path: Path) -> None:
    action = Action("deploy", {"line": "acted", "times": 1}, "acted")
    task = {"operation": "deploy", "environment": "staging"}
    async with AsyncHandrail(office.server.url, office.agent) as agent:
        hold = await agent.open("approval", case, action, task=task, idempotency_key=case)
    approve(office, hold)
    assert ended(start(office, ACTING, case, str(tmp_path / "acts"), "once", "lives")) == "ran acted\n"
    assert seen(office, hold).result is not None


MUTATING = """
import { gate, Handrail } from "handrail-sdk";
import { createInterface } from "node:readline";

const [title] = process.argv.slice(1);
const call = { hosts: ["staging-1"] };
const deploy = gate(() => console.log("ran"), { name: "deploy", title });
const running = deploy(call).catch((error) => console.log(error.name));
for await (const line of createInterface({ input: process.stdin })) call.hosts.push(line);
await running;
"""


def test_an_argument_changed_after_it_was_shown_does_not_run(office: Office, case: str) -> None:
    program = subprocess.Popen(
        ["node", "--input-type=module", "--eval", MUTATING, "--", case],
        cwd=PACKAGE,
        env=environment(office.server.folder, HANDRAIL_URL=office.server.url, HANDRAIL_TOKEN=office.agent),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    office.programs.append(program)
    hold = asked(office, case)
    assert program.stdin is not None
    program.stdin.write("production-1\n")
    program.stdin.flush()
    approve(office, hold)
    out, _ = program.communicate(timeout=60)
    assert out == "ActionChanged\n"
    # the approval was not used up
    assert seen(office, hold).redeemed is None


ABORTING = """
import { gate } from "handrail-sdk";

const [title] = process.argv.slice(1);
const controller = new AbortController();
process.once("SIGTERM", () => controller.abort());
const deploy = gate(() => console.log("ran"), { name: "deploy", title });
await deploy({}, { signal: controller.signal }).catch((error) => console.log(error.name));
"""


def test_an_abort_ends_the_waiting_and_leaves_the_hold_open(office: Office, case: str) -> None:
    program = start(office, ABORTING, case)
    hold = asked(office, case)
    program.terminate()
    assert ended(program) == "AbortError\n"
    assert seen(office, hold).pending


SENDING = """
import { Handrail } from "handrail-sdk";

const handrail = new Handrail({ retryFor: 0 });
await handrail.open("input", "Where?").then(
  () => console.log("opened"),
  ({ name, message, mayHaveHappened: doubt }) => console.log(JSON.stringify({ name, message, doubt })),
);
"""


def refused(office: Office, **variables: str) -> dict[str, Any]:
    return json.loads(ended(start(office, SENDING, **variables)))


def test_a_token_that_nobody_has_is_refused_and_not_shown(office: Office) -> None:
    error = refused(office, HANDRAIL_TOKEN="hr_nobody")
    assert error["name"] == "Unauthenticated"
    assert "hr_nobody" not in error["message"]


def test_a_server_that_is_away_is_named_and_nothing_is_in_doubt(office: Office) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        error = refused(office, HANDRAIL_URL=url)
    assert (error["name"], error["doubt"]) == ("Unavailable", False)
    assert f"{url} (ECONNREFUSED: " in error["message"]


def test_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent(
    office: Office, tmp_path: Path
) -> None:
    with self_signed(tmp_path) as (url, received):
        error = refused(office, HANDRAIL_URL=url)
    assert (error["name"], error["doubt"]) == ("Unavailable", False)
    assert "DEPTH_ZERO_SELF_SIGNED_CERT" in error["message"]
    assert received == []


def test_an_address_that_speaks_no_tls_is_refused(office: Office) -> None:
    error = refused(office, HANDRAIL_URL=office.server.url.replace("http:", "https:"))
    assert (error["name"], error["doubt"]) == ("Unavailable", False)


@contextmanager
def self_signed(folder: Path) -> Generator[tuple[str, list[bytes]]]:
    """A server with a certificate that it made for itself, and what it received after a handshake."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "own.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        # where nobody comes, nobody is waited for: not when the run ends, either
        listening.settimeout(60)

        def serve() -> None:
            try:
                connection, _ = listening.accept()
                with context.wrap_socket(connection, server_side=True) as tls:
                    received.append(tls.recv(1))
            except OSError:
                pass

        serving = threading.Thread(target=serve)
        serving.start()
        yield f"https://127.0.0.1:{listening.getsockname()[1]}", received
        serving.join(60)


def test_an_observed_agent_is_let_through_and_what_people_would_have_been_asked_is_on_record(
    office: Office, case: str, tmp_path: Path
) -> None:
    token = office.server.token_of(f"observed-{case}", kind="agent")
    with office.server.client() as http:
        http.post("/api/observations", json={"agent": f"observed-{case}", "reason": "a trial"}).raise_for_status()
        program = start(office, ACTING, case, str(tmp_path / "acts"), "keyless", "lives", HANDRAIL_TOKEN=token)
        assert ended(program) == "ran acted\n"
        [hold] = http.get("/api/holds", params={"text": case, "status": "approved"}).json()["holds"]
    assert (hold["decision"]["basis"], hold["risk"], hold["result"]["outcome"]) == (
        "observation",
        "medium",
        "succeeded",
    )


def test_waiting_survives_a_server_that_is_killed_and_comes_back(own_office: Office, case: str, tmp_path: Path) -> None:
    program = start(own_office, ACTING, case, str(tmp_path / "acts"), "keyless", "lives")
    hold = asked(own_office, case)
    own_office.server.kill()
    own_office.server.start()
    approve(own_office, hold)
    assert ended(program) == "ran acted\n"
    assert (tmp_path / "acts").read_text() == "acted\n"


def say_yes(office: Office, hold: Hold) -> None:
    with office.deciding() as person:
        if hold.items:
            person.resolve_confirmations(hold.id, [ItemDecision(item["item_id"], True) for item in hold.items])
        elif hold.kind == "input":
            person.review(hold.id, "answer", digest=hold.digest, answer={"granted": True, "amount": 100})
        else:
            person.review(hold.id, "approve", digest=hold.digest)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of docs/typescript.md, checked by the compiler as those of a project that has the package."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "handrail-sdk").symlink_to(PACKAGE)
    (folder / "package.json").write_text('{"type": "module"}')
    for n, block in enumerate(BLOCKS):
        (folder / f"{n}.ts").write_text(block)
    options = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"]
    files = [f"{n}.ts" for n in range(len(BLOCKS))]
    checked = subprocess.run([TSC, *options, *files], cwd=folder, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    return folder


# what each of them prints where everybody says yes
SAID = [
    r"1\.4\.2 runs in staging\n",
    r"reading the archive of order-78\nit ran before and succeeded\n",
    r"true null \d{4}-.*\n",
    r"going out: inv-1, inv-2\ninv-1 true null\ninv-2 true null\n",
    r"true 100\.00\n",
    r"scaling\nhold\.opened\n(hold\..*\n)*hold\.resulted\n",
]


@pytest.mark.parametrize(("n", "said"), list(enumerate(SAID)))
def test_the_page(office: Office, page: Path, n: int, said: str) -> None:
    assert len(BLOCKS) == len(SAID)
    program = subprocess.Popen(
        ["node", f"{n}.js"],
        cwd=page,
        env=environment(office.server.folder, HANDRAIL_URL=office.server.url, HANDRAIL_TOKEN=office.agent),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    office.programs.append(program)
    deadline = time.monotonic() + 60
    while program.poll() is None and time.monotonic() < deadline:
        with office.deciding() as person:
            for wire in office.pending():
                say_yes(office, person.get(wire["id"]))
        time.sleep(0.1)
    assert re.fullmatch(said, ended(program))
