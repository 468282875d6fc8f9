"""Documents over HTTP: what is read of them, who finds it, and what hostile ones get."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import apps
import httpx
import pdfs
import pytest

from handrail.documents import extracting

TYPE = {"Content-Type": "multipart/form-data; boundary=x"}


@pytest.fixture
async def desk(database: str) -> AsyncGenerator[apps.Desk]:
    async with apps.desk(database, upload_megabytes=1) as desk:
        yield desk


async def sent(client: httpx.AsyncClient, name: str, content: bytes, **query: Any) -> httpx.Response:
    return await client.post("/process-pdf", params=query, files={"file": (name, content)})


async def test_a_pdf_is_read_and_found_by_who_may_see_it(desk: apps.Desk) -> None:
    """S2.13."""
    ann, bob = await desk.member("ann"), await desk.member("bob")
    auditor, bot = await desk.member("auditor", roles=["auditor"]), await desk.member("bot", "agent")
    made = (await sent(ann, "../report.pdf", pdfs.REPORT, chunk_size=150, overlap=40)).raise_for_status().json()
    assert (made["name"], made["kind"], made["pages"]) == ("report.pdf", "pdf", 2)
    assert made["metadata"] == {"title": "A report", "author": "Ann"}
    assert [(s["title"], s["level"], s["page"]) for s in made["sections"]] == [
        ("Quarterly report", 1, 1),
        ("Outlook", 2, 2),
    ]
    [table] = made["tables"]
    assert table["rows"] == [["Region", "Sales"], ["North", "120"], ["South", "95"]]
    assert made["text"][table["start"] : table["end"]].startswith("| Region | Sales |")
    assert [(i["properties"], i["page"]) for i in made["images"]] == [({"name": "Im1", "width": "2", "height": "3"}, 1)]
    assert "the new marketing paid off" in made["text"]
    assert [made["text"][c["start"] : c["end"]] for c in made["chunks"]] == [c["text"] for c in made["chunks"]]

    other = (await sent(bob, "notes.txt", b"The pumps of the harbour are mine.", format="html")).json()
    assert other["text"] == "<p>The pumps of the harbour are mine.</p>"
    again = (await sent(ann, "again.pdf", pdfs.REPORT, chunk_size=150, overlap=40)).json()
    assert again["id"] == made["id"]

    question = {"q": "which valves do the harbour's pumps need?", "limit": 2}
    mine = (await ann.get("/chunks", params=question)).raise_for_status().json()
    best = mine["chunks"][0]
    assert "new valves" in best["text"]
    assert (best["document"], best["score"] > 0.3) == ("again.pdf", True)
    source = {name: best[name] for name in ("text", "start", "end", "page", "section")}
    assert source in again["chunks"]
    assert {c["document_id"] for c in mine["chunks"]} == {made["id"]}
    assert mine["count"] == 2
    all_ = (await auditor.get("/chunks", params=question)).json()["chunks"]
    assert {c["document_id"] for c in all_} == {made["id"], other["id"]}
    assert [c["score"] for c in all_] == sorted((c["score"] for c in all_), reverse=True)
    assert (await bot.get("/chunks", params=question)).json()["count"] == 0


async def test_a_second_process_finds_what_the_first_has_read(desk: apps.Desk, database: str) -> None:
    ann = await desk.member("ann")
    markdown = b"# Upkeep\n\nThe port office looks after the pumps.\n"
    made = (await sent(ann, "upkeep.md", markdown, format="json")).raise_for_status().json()
    assert [block["kind"] for block in made["text"]] == ["heading", "paragraph"]
    async with apps.services(database) as services:
        elsewhere = apps.client_of(apps.create_app(services), await desk.token("ann"))
        found = (await elsewhere.get("/chunks", params={"q": "who maintains pumps"})).raise_for_status().json()
    assert [(c["document_id"], c["section"], c["start"]) for c in found["chunks"]] == [(made["id"], "Upkeep", 0)]


async def test_a_document_is_listed_read_again_and_deleted_by_who_may(desk: apps.Desk) -> None:
    ann, bob = await desk.member("ann"), await desk.member("bob")
    auditor = await desk.member("auditor", roles=["auditor"])
    made = (await sent(ann, "report.pdf", pdfs.REPORT, chunk_size=150, overlap=40)).raise_for_status().json()
    notes = (await sent(ann, "notes.txt", b"The pumps of the harbour are mine.")).raise_for_status().json()
    (await sent(bob, "bob.txt", b"The pumps of the harbour are bob's.")).raise_for_status()

    first = (await ann.get("/documents", params={"limit": 1})).raise_for_status().json()
    second = (await ann.get("/documents", params={"limit": 1, "cursor": first["next"]})).json()
    rest = (await ann.get("/documents", params={"limit": 1, "cursor": second["next"]})).json()
    assert [d["name"] for d in (*first["documents"], *second["documents"])] == ["notes.txt", "report.pdf"]
    assert rest == {"documents": [], "next": None}
    assert (first["documents"][0]["owner"]["name"], first["documents"][0]["digest"]) == ("ann", notes["digest"])
    assert [d["name"] for d in (await auditor.get("/documents")).json()["documents"]] == [
        "bob.txt",
        "notes.txt",
        "report.pdf",
    ]

    address = f"/documents/{made['id']}"
    assert (await auditor.get(address)).raise_for_status().json() == made
    blocks = (await ann.get(address, params={"format": "json"})).json()["text"]
    assert [block["kind"] for block in blocks][:2] == ["heading", "paragraph"]
    for client, code in ((bob, "not_found"), (auditor, "forbidden")):
        assert (await client.delete(address)).json()["code"] == code
    assert (await ann.get("/chunks", params={"q": "pumps"})).json()["count"] > 1
    assert (await ann.delete(address)).status_code == 204
    assert [(await ann.request(method, address)).status_code for method in ("GET", "DELETE")] == [404, 404]
    found = (await ann.get("/chunks", params={"q": "pumps"})).json()["chunks"]
    assert {chunk["document_id"] for chunk in found} == {notes["id"]}


REFUSED = {
    "encrypted": ("a.pdf", pdfs.encrypted(pdfs.REPORT, "sesame"), 422, "unreadable_document"),
    "cut off": ("a.pdf", pdfs.REPORT[:300], 422, "unreadable_document"),
    "not text": ("a.txt", b"MZ\x00\x01", 422, "unreadable_document"),
    "a program": ("a.exe", b"MZ\x90\x00", 415, "unsupported_document"),
    "a PDF by name alone": ("a.pdf", b"hello", 415, "unsupported_document"),
    "too large": ("a.txt", b"a" * (2**20 + 1), 413, "body_too_large"),
    "much too large": ("a.txt", b"a" * 2**22, 413, "body_too_large"),
}


async def test_what_cannot_be_read_is_refused_clearly(desk: apps.Desk) -> None:
    ann = await desk.member("ann")
    found = {name: await sent(ann, file, content) for name, (file, content, *_) in REFUSED.items()}
    assert {name: (answer.status_code, answer.json()["code"]) for name, answer in found.items()} == {
        name: (status, code) for name, (_, _, status, code) in REFUSED.items()
    }
    assert found["encrypted"].json()["data"]["reason"] == "encrypted"
    assert (await ann.get("/chunks", params={"q": "anything"})).json()["count"] == 0


BODIES = {
    "no multipart": ({"Content-Type": "application/json"}, b"{}", "invalid_field"),
    "no boundary": ({"Content-Type": "multipart/form-data"}, b"--x", "invalid_field"),
    "nothing in it": (TYPE, b"", "missing_field"),
    "noise": (TYPE, b"\x00\xff" * 500, "invalid_field"),
    "no name": (TYPE, b"--x\r\n\r\nhello\r\n--x--\r\n", "invalid_field"),
    "a field": (TYPE, b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nhello\r\n--x--\r\n', "missing_field"),
    "two files": (
        TYPE,
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n' * 2 + b"--x--\r\n",
        "invalid_field",
    ),
}


async def test_bodies_that_are_no_upload(desk: apps.Desk) -> None:
    ann = await desk.member("ann")
    found = {
        name: await ann.post("/process-pdf", headers=headers, content=content)
        for name, (headers, content, _) in BODIES.items()
    }
    assert {name: answer.json()["code"] for name, answer in found.items()} == {n: b[2] for n, b in BODIES.items()}
    overlapping = await sent(ann, "a.txt", b"x", chunk_size=200, overlap=100)
    assert overlapping.json()["data"]["field"] == "overlap"


async def test_one_that_takes_for_ever_is_ended(desk: apps.Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST", "LIMITS"):
        monkeypatch.setattr(extracting, name, replace(extracting.LIMITS, seconds=1))
    endless = pdfs.pdf(["0 0 m 9 9 l S " * 60_000] * 1)
    answer = await sent(desk.admin, "a.pdf", endless)
    assert (answer.status_code, answer.json()["data"]) == (422, {"reason": "time"})
