"""A graph that looks for Handrail's secrets wherever a process can look, and one that misuses its database login."""
# LangGraph is typed in part
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import ctypes
import gc
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

import psycopg
from langgraph.graph import START, StateGraph

from handrail_sdk.langgraph import port

# every secret that the test sets has this form; the pattern does not match itself
SECRET = re.compile(rb"open-sesame-[a-z]+-[0-9]{6}")
LARGEST_REGION = 64 << 20
PR_SET_DUMPABLE = 4


class State(TypedDict, total=False):
    data: str
    found: dict[str, list[str]]
    read: list[str]
    uid: int
    environment: list[str]
    refused: dict[str, str]


def pry(state: State) -> State:
    places = dict(_places())
    found = {place: sorted({each.decode() for each in SECRET.findall(text)}) for place, text in places.items()}
    return {
        "found": {place: secrets for place, secrets in found.items() if secrets},
        "read": sorted(_files(Path(state.get("data", "/")))),
        "uid": os.getuid(),
        "environment": sorted(os.environ),
    }


def _places() -> Iterator[tuple[str, bytes]]:
    yield "os.environ", repr(dict(os.environ)).encode()
    for process in Path("/proc").glob("[0-9]*"):
        for name in ("environ", "cmdline"):
            yield f"{process}/{name}", _content(process / name)
    for end in Path("/proc/self/fd").iterdir():
        yield str(end), os.fsencode(_link(end))
    yield "gc", b"\n".join(_objects())
    yield "memory", b"\n".join(SECRET.findall(_memory()))


def _objects() -> Iterator[bytes]:
    gc.unfreeze()
    for each in gc.get_objects():
        for part in gc.get_referents(each):
            if isinstance(part, str):
                yield part.encode(errors="replace")
            elif isinstance(part, bytes):
                yield part


def _memory() -> bytes:
    """All of this process's, what was freed and what it inherited included."""
    found: list[bytes] = []
    # one that became another user may not look at itself, until it says that it may
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1)
    with Path("/proc/self/mem").open("rb", buffering=0) as memory:
        for line in Path("/proc/self/maps").read_text().splitlines():
            span, rights = line.split()[:2]
            start, end = (int(number, 16) for number in span.split("-"))
            if rights.startswith("rw") and end - start < LARGEST_REGION:
                try:
                    memory.seek(start)
                    found += SECRET.findall(memory.read(end - start))
                except (OSError, ValueError):
                    continue
    return b"\n".join(found)


def _files(data: Path) -> Iterator[str]:
    """Those of Handrail's own folder that can be read."""
    for name in ("audit/key.pem", "postgres/password", "postgres/cluster/PG_VERSION", ""):
        if os.access(data / name, os.R_OK):
            yield name or "."


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""


graph = StateGraph(State)
graph.add_node("pry", pry)
graph.add_edge(START, "pry")

HOLD = "SELECT id FROM holds WHERE status = 'pending' LIMIT 1"
MISUSES = {
    "password hashes": "SELECT password_hash FROM public.principals",
    "a password": "UPDATE principals SET password_hash = 'x'",
    "roles": "UPDATE principals SET roles = '{administrator}'",
    "tokens": "SELECT * FROM tokens",
    "sign-in codes": "SELECT * FROM sign_in_codes",
    "its own password's table": "SELECT * FROM run_logins",
    "files of the server": "SELECT pg_read_file('postgresql.conf')",
    "programs on the server": "COPY holds TO PROGRAM 'true'",
    "another role": "SET ROLE handrail",
    "leave to pass": "INSERT INTO observations (id, agent_id, reason, begun_by, begun_at) "
    "SELECT gen_random_uuid(), id, '', id, handrail_now() FROM principals LIMIT 1",
    "a grant": "INSERT INTO grants (hold_id, owner_id, agent_id, action, expires_at) "
    "SELECT id, opener_id, opener_id, 'deploy', handrail_now() + interval '1 day' FROM holds LIMIT 1",
    "more of a grant": "UPDATE grants SET uses = 0",
    "a policy of its own": "INSERT INTO policies (version, files, applied_at) VALUES (99, '{}', handrail_now())",
    "lifting a brake": "UPDATE brakes SET lifted_at = handrail_now()",
    "the log": "DELETE FROM events",
    "seals": "DELETE FROM audit_seals",
    "the clock": "UPDATE clock SET shift = '1 year'",
    "an approval": f"UPDATE holds SET status = 'approved' WHERE id = ({HOLD})",
    "a decision in the log": "INSERT INTO event_inbox (at, type, hold_id, data) SELECT handrail_now(), 'hold.decided', "
    """id, '{"outcome": "approved", "basis": "people"}' FROM holds""",
    "a review in the log": "INSERT INTO event_inbox (at, type, hold_id, data) SELECT handrail_now(), 'hold.reviewed', "
    "id, '{}' FROM holds",
    "a person's word": "INSERT INTO event_inbox (at, type, actor_id, data) SELECT handrail_now(), 'run.cancelled', id, "
    "'{}' FROM principals WHERE kind = 'person'",
    "taking words back": "DELETE FROM event_inbox",
    "an attestation": "INSERT INTO attestations (hold_id, attestation) SELECT id, '{}' FROM holds",
    "another attestation": "UPDATE attestations SET attestation = '{}'",
    "whose run it is": "UPDATE runs SET starter_id = agent_id",
}


def forge(state: State) -> State:
    here: Any = port.current.get()
    refused: dict[str, str] = {}
    with psycopg.connect(here.context.database.dsn, autocommit=True) as conn:
        for name, words in MISUSES.items():
            try:
                done = conn.execute(words.encode())
                refused[name] = "nothing done" if done.rowcount == 0 else "done"
            except psycopg.Error as error:
                refused[name] = str(error.sqlstate)
    return {"refused": refused}


forging = StateGraph(State)
forging.add_node("forge", forge)
forging.add_edge(START, "forge")
