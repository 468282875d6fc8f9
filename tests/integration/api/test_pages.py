"""The web pages as the server gives them: which addresses are pages, what may run on them, how long they are kept."""

from __future__ import annotations

import re
from pathlib import Path

import apps
import httpx
import pytest
from fastapi import FastAPI

from handrail.api import problems
from handrail.api.pages import FOLDER, PAGE_POLICY, Pages

HTML = {"Accept": "text/html,application/xhtml+xml"}


@pytest.mark.parametrize("address", ["/", "/inbox", "/holds/01980a3e-5d2c-7b64-9f13-2f6b1c0d4e5a", "/sign-in"])
async def test_every_address_of_the_application_is_the_page(desk: apps.Desk, address: str) -> None:
    answer = await desk.client().get(address, headers=HTML)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy


async def test_the_page_for_when_there_is_no_server_is_as_guarded_as_the_others(desk: apps.Desk) -> None:
    answer = await desk.client().get("/offline.html", headers=HTML)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == PAGE_POLICY
    assert answer.text.count("<script") == len(re.findall(r"<script src=\"/[^\"]+\"", answer.text))
    assert "<style" not in answer.text and " style=" not in answer.text


async def test_the_page_has_no_script_of_its_own(desk: apps.Desk) -> None:
    """A policy that allows no inline script is of use only if there is none."""
    page = (await desk.client().get("/", headers=HTML)).text
    assert page.count("<script") == len(re.findall(r"<script[^>]* src=\"/[^\"]+\"></script>", page)) >= 2
    assert "<style" not in page and " style=" not in page


async def test_assets_are_kept_for_ever_and_sent_compressed(desk: apps.Desk) -> None:
    page = (await desk.client().get("/", headers=HTML)).text
    for asset in re.findall(r"/assets/[^\"]+", page):
        answer = await desk.client().get(asset, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-encoding"] == "gzip"
        plain = await desk.client().get(asset, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content


@pytest.mark.parametrize(
    "address",
    ["/api/nothing", "/ws/nothing", "/assets/gone.js", "/assets/%2e%2e/%2e%2e/api/pages.py"],
)
async def test_other_addresses_are_no_pages(desk: apps.Desk, address: str) -> None:
    answer = await desk.client().get(address, headers=HTML)
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


async def test_a_program_that_takes_no_page_gets_a_problem(desk: apps.Desk) -> None:
    assert (await desk.client().get("/inbox", headers={"Accept": "*/*"})).json()["code"] == "not_found"
    assert (await desk.client().post("/inbox", headers=HTML)).json()["code"] == "not_found"


async def test_a_file_that_was_asked_for_is_answered_though_a_new_build_has_replaced_it(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    part = tmp_path / "assets" / "part.js"
    part.write_text("1")
    app = FastAPI()
    app.router.default = Pages(tmp_path)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=apps.URL) as http:
        first = await http.get("/assets/part.js")
        part.unlink()
        assert (await http.get("/assets/part.js")).text == first.text == "1"


async def test_where_nothing_was_built_the_answer_says_what_to_do(tmp_path: Path) -> None:
    app = FastAPI()
    app.router.default = Pages(tmp_path)
    problems.handle(app)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=apps.URL) as http:
        answer = await http.get("/inbox", headers=HTML)
    assert answer.status_code == 404
    assert "make setup" in answer.json()["detail"]


def test_the_pages_of_this_checkout_are_built() -> None:
    assert (FOLDER / "index.html").is_file()


async def test_a_program_at_the_root_is_told_where_to_go(desk: apps.Desk) -> None:
    answer = await desk.client().get("/", headers={"Accept": "*/*"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    for place in ("/docs", "/openapi.json", "/health", "handrail login"):
        assert place in answer.text
