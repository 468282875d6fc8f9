"""Code changes over HTTP: request, follow up, list, read, answer, cancel; the diff so far, and the repositories."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from uuid import UUID

import apps
import change_scripts
import httpx
import pytest
from runs_world import ask, publish, row, say, settle

from handrail.changes.patches import DIFF, PATCH
from handrail.core.holds import Kind
from handrail.store import workspaces

CHOICES: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answer_1": {"type": "string", "enum": ["all prices", "something else"]},
        "comment": {"type": "string"},
    },
    "required": ["answer_1"],
    "additionalProperties": False,
}


@pytest.fixture
def shop(tmp_path: Path) -> str:
    team = tmp_path / "roots" / "team"
    team.mkdir(parents=True)
    return str(change_scripts.repository(team / "shop"))


@pytest.fixture
async def desk(database: str, tmp_path: Path) -> AsyncGenerator[apps.Desk]:
    async with apps.desk(
        database, repository_roots=(tmp_path / "roots",), max_changes=4, max_changes_per_principal=3
    ) as desk:
        await publish(desk.database, "change", input_schema=None)
        await publish(desk.database, "demo-change", input_schema=None)
        yield desk


@pytest.fixture
async def mara(desk: apps.Desk) -> httpx.AsyncClient:
    return await desk.member("mara", roles=["developer"])


async def request(client: httpx.AsyncClient, message: str = "Round prices.", **more: Any) -> dict[str, Any]:
    answer = await client.post("/api/changes", json={"message": message, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def asked(desk: apps.Desk, change: dict[str, Any], title: str = "Which amounts?") -> str:
    """The change waits for an answer."""
    run = await row(desk.database, UUID(change["id"]))
    hold = await ask(desk.context, run, title, kind=Kind.input, action=None, task=None, schema=CHOICES)
    await settle(desk.database, run.id, "paused")
    return str(hold.id)


async def test_a_change_is_requested_listed_and_read(mara: httpx.AsyncClient, desk: apps.Desk, shop: str) -> None:
    change = await request(mara, repo_url=shop, base_branch="main", draft=True, labels=["bug"])
    assert (change["message"], change["repo_url"], change["base_branch"]) == ("Round prices.", shop, "main")
    assert (change["status"], change["stage"], change["waits_for"]) == ("queued", None, [])
    assert change["usage"]["cost"] == 0
    run = await row(desk.database, UUID(change["id"]))
    assert run.input == {
        "request": "Round prices.",
        "repo_url": shop,
        "base_branch": "main",
        "draft": True,
        "labels": ["bug"],
    }
    await say(desk.context, run, "change.stage_began", stage="planning")
    hold_id = await asked(desk, change)
    await numbered(desk)
    [listed] = (await mara.get("/api/changes")).json()["changes"]
    assert (listed["stage"], listed["status"]) == ("planning", "paused")
    assert [(each["id"], each["kind"]) for each in listed["waits_for"]] == [(hold_id, "input")]
    shown = (await mara.get(f"/api/changes/{change['short_id']}")).json()
    assert {name: shown[name] for name in listed} == listed
    assert [hold["id"] for hold in shown["holds"]] == [hold_id]
    assert shown["seq"] > 0 and shown["followed_by"] == []


async def numbered(desk: apps.Desk) -> None:
    """Until what was said has its number."""
    async with desk.database.connection() as conn:
        while (await (await conn.execute("SELECT count(*) AS n FROM event_inbox")).fetchone() or {"n": 0})["n"]:
            pass


async def test_the_branch_and_the_pull_request_are_shown(mara: httpx.AsyncClient, desk: apps.Desk, shop: str) -> None:
    change = await request(mara, repo_url=shop)
    run = await row(desk.database, UUID(change["id"]))
    await say(desk.context, run, "change.committed", branch="handrail/1", commit="c" * 40, messages=["fix: round"])
    await numbered(desk)
    shown = (await mara.get(f"/api/changes/{change['id']}")).json()
    assert (shown["branch"], shown["commit"], shown["url"]) == ("handrail/1", "c" * 40, None)
    result = {"branch": "handrail/1", "commit": "d" * 40, "url": "https://x/1", "summary": "Rounded", "files": ["a.py"]}
    await settle(desk.database, run.id, "completed", result=result)
    shown = (await mara.get(f"/api/changes/{change['id']}")).json()
    assert {name: shown[name] for name in result} == result


async def test_lists_are_by_repository_status_and_person(mara: httpx.AsyncClient, desk: apps.Desk, shop: str) -> None:
    first, second = await request(mara, repo_url=shop), await request(desk.admin, repo_url=str(Path(shop).parent))
    await settle(desk.database, UUID(first["id"]), "failed", error={"code": "x", "message": "no"})

    async def ids(client: httpx.AsyncClient, **query: Any) -> list[str]:
        return [each["id"] for each in (await client.get("/api/changes", params=query)).json()["changes"]]

    assert await ids(desk.admin) == [second["id"], first["id"]]
    assert await ids(mara) == [first["id"]]
    assert await ids(desk.admin, mine=True) == [second["id"]]
    assert await ids(desk.admin, repo_url=shop) == [first["id"]]
    assert await ids(desk.admin, status="queued") == [second["id"]]
    page = (await desk.admin.get("/api/changes", params={"limit": 1})).json()
    rest = (await desk.admin.get("/api/changes", params={"limit": 1, "cursor": page["next"]})).json()
    assert [each["id"] for each in (*page["changes"], *rest["changes"])] == [second["id"], first["id"]]


async def test_a_key_gives_the_same_change_and_only_so_many_of_one_person_are_active(
    mara: httpx.AsyncClient, desk: apps.Desk, shop: str
) -> None:
    body = {"message": "Round prices.", "repo_url": shop}
    headers = {"Idempotency-Key": "k"}
    first = (await mara.post("/api/changes", json=body, headers=headers)).json()
    assert (await mara.post("/api/changes", json=body, headers=headers)).json()["id"] == first["id"]
    other = await mara.post("/api/changes", json={**body, "message": "Other"}, headers=headers)
    assert other.json()["code"] == "idempotency_conflict"
    for _ in range(2):
        await request(mara, repo_url=shop)
    refused = await mara.post("/api/changes", json=body)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_changes")
    assert "3 of your code changes are active" in refused.text
    await request(desk.admin, repo_url=shop)


async def test_a_follow_up_is_told_what_came_before(mara: httpx.AsyncClient, desk: apps.Desk, shop: str) -> None:
    first = await request(mara, repo_url=shop)
    early = await mara.post("/api/changes", json={"message": "And now?", "follows": first["id"]})
    assert (early.status_code, early.json()["code"]) == (409, "conflict")
    result = {"branch": "handrail/1", "commit": "d" * 40, "summary": "Rounded half up", "files": ["money.py"]}
    await settle(desk.database, UUID(first["id"]), "completed", result=result)
    second = await request(mara, "Now document it.", follows=first["short_id"])
    assert (second["repo_url"], second["follows"]) == (shop, first["id"])
    given: Any = (await row(desk.database, UUID(second["id"]))).input
    [earlier] = given["earlier"]
    assert (earlier["change"], earlier["request"]) == (first["id"], "Round prices.")
    assert all(words in earlier["outcome"] for words in ("Rounded half up", "money.py", "handrail/1"))
    assert (await mara.get(f"/api/changes/{first['id']}")).json()["followed_by"] == [second["id"]]
    bob = await desk.member("bob")
    refused = await bob.post("/api/changes", json={"message": "And now?", "follows": first["short_id"]})
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    assert first["short_id"] in refused.json()["detail"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"message": "Round"}, "missing_field"),
        ({"message": "", "repo_url": "/x"}, "invalid_field"),
        ({"message": "Round", "repo_url": "ext::sh -c id"}, "invalid_field"),
        ({"message": "Round", "repo_url": "/etc"}, "clone_refused"),
        ({"message": "Round", "repo_url": "/x", "earlier": []}, "unknown_field"),
        ({"message": "Round", "repo_url": "/x", "workflow": "task"}, "unknown_field"),
    ],
)
async def test_what_cannot_be_started_is_refused_at_once(
    mara: httpx.AsyncClient, body: dict[str, Any], code: str
) -> None:
    answer = await mara.post("/api/changes", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, code), answer.text


async def test_words_answer_a_question(mara: httpx.AsyncClient, desk: apps.Desk, shop: str) -> None:
    change = await request(mara, repo_url=shop)
    path = f"/api/changes/{change['id']}/answer"
    early = await mara.post(path, json={"message": "all"})
    assert (early.status_code, early.json()["code"]) == (409, "conflict")
    first, second = await asked(desk, change), await asked(desk, change, "Which cents?")
    both = await mara.post(path, json={"message": "all", "answer": {"answer_1": "all prices"}})
    assert both.json()["code"] == "missing_field"
    chosen = (await mara.post(path, json={"message": "All prices."})).json()
    assert (chosen["id"], chosen["decision"]["answer"]) == (first, {"answer_1": "all prices"})
    named = (await mara.post(path, json={"message": "those of lamps", "request_id": second})).json()
    assert named["decision"]["answer"] == {"answer_1": "something else", "comment": "those of lamps"}
    wrong = await mara.post(path, json={"answer": {"answer_1": "x"}, "request_id": second})
    assert wrong.json()["code"] == "already_decided"
    await settle(desk.database, UUID(change["id"]), "failed", error={"code": "x"})
    assert (await mara.post(path, json={"message": "late"})).json()["code"] == "run_ended"


async def test_a_change_is_cancelled_with_what_it_asks(mara: httpx.AsyncClient, desk: apps.Desk, shop: str) -> None:
    change = await request(mara, repo_url=shop)
    await asked(desk, change)
    cancelled = await mara.post(f"/api/changes/{change['id']}/cancel", json={"reason": "enough"})
    assert (cancelled.json()["status"], cancelled.json()["waits_for"]) == ("cancelled", [])
    assert (await mara.post(f"/api/changes/{change['id']}/cancel", json={})).json()["code"] == "run_ended"


async def test_a_run_of_another_workflow_is_no_change(mara: httpx.AsyncClient, desk: apps.Desk) -> None:
    await publish(desk.database)
    run = (await mara.post("/api/runs", json={"workflow": "deploy", "input": {"service": "billing"}})).json()
    assert (await mara.get(f"/api/changes/{run['id']}")).status_code == 404
    assert (await mara.post(f"/api/changes/{run['id']}/cancel", json={})).status_code == 404
    assert (await mara.get("/api/changes")).json()["changes"] == []


async def test_the_diff_and_the_patch_are_those_that_were_kept(
    mara: httpx.AsyncClient, desk: apps.Desk, shop: str
) -> None:
    change = await request(mara, repo_url=shop)
    path = f"/api/changes/{change['id']}"
    assert (await mara.get(f"{path}/diff")).json()["files"] == []
    assert (await mara.get(f"{path}/patch")).status_code == 404
    file = {
        "path": "money.py",
        "old_path": "money.py",
        "status": "modified",
        "binary": False,
        "added": 1,
        "deleted": 1,
        "mode": ["100644", "100644"],
        "diff": "@@",
        "hunks": ["h1"],
    }
    kept = {"base_branch": "main", "base_commit": "a" * 40, "commit": "b" * 40, "files": [file]}
    async with desk.database.transaction() as conn:
        patch = b"diff --git \xff"
        await workspaces.change(conn, UUID(change["id"]), {DIFF: json.dumps(kept).encode(), PATCH: patch})
    assert (await mara.get(f"{path}/diff")).json() == kept
    downloaded = await mara.get(f"{path}/patch")
    assert (downloaded.content, downloaded.headers["x-content-type-options"]) == (patch, "nosniff")
    assert downloaded.headers["content-disposition"] == f'attachment; filename="{change["short_id"]}.patch"'


async def test_repositories_are_those_used_before_and_those_of_allowed_folders(
    mara: httpx.AsyncClient, desk: apps.Desk, shop: str, tmp_path: Path
) -> None:
    (tmp_path / "roots" / "link").symlink_to("/")
    found = (await mara.get("/api/changes/repositories")).json()
    assert found["repositories"] == [{"repo_url": shop, "changes": 0, "newest": None}]
    assert (found["roots"], found["private"], found["ssh"]) == ([str(tmp_path / "roots")], [], False)
    change = await request(mara, repo_url=shop)
    [used] = (await mara.get("/api/changes/repositories")).json()["repositories"]
    assert used == {"repo_url": shop, "changes": 1, "newest": change["created_at"]}
