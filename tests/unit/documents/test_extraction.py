"""The readers themselves, as they run in the sandbox: what they make of good files, and that no file breaks them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pdfs
import pytest

from handrail.documents import rendering
from handrail.documents.extraction import __main__ as extraction
from handrail.documents.extraction.blocks import Block


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def extracted(kind: str, content: bytes) -> dict[str, Any]:
    Path("document").write_bytes(content)
    extraction.main(kind)
    return json.loads(Path("extracted.json").read_bytes())


def markdown(kind: str, content: bytes) -> str:
    return rendering.markdown([Block(**block) for block in extracted(kind, content)["blocks"]])[0]


def test_html_as_a_reader_sees_it() -> None:
    page = b"""<!doctype html><html><head><title>The  port</title><meta name=Author content=Ann></head><body>
      <nav>Home</nav><h2>Pumps &amp; <b>valves</b></h2><p>One<br>two <script>alert(1)</script><i>three</i>.
      <ul><li>first<li>second</ul><img src="https://example.org/a.png" alt="A pump" width=40>
      <table><tr><th>a<th>b|c<tr><td>1<td>2</table><pre>x\n  y</pre><style>p {}</style></body>"""
    found = extracted("html", page)
    assert found["metadata"] == {"encoding": "utf-8", "title": "The port", "author": "Ann"}
    assert markdown("html", page) == (
        "Home\n\n## Pumps & valves\n\nOne two three.\n\n- first\n\n- second\n\n[image: A pump]\n\n"
        "| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n\n```\nx\n  y\n```"
    )
    image = next(block for block in found["blocks"] if block["kind"] == "image")
    assert image["properties"] == {"source": "https://example.org/a.png", "width": "40"}


def test_html_that_is_nested_without_end() -> None:
    assert markdown("html", b"<div><b>" * 5000 + b"deep") == "deep"


def test_markdown_with_its_front_matter_tables_and_images() -> None:
    text = (
        b"---\ntitle: Upkeep\n---\n# Pumps\n\nSee ![a pump](p.png) *here*.\n\n- one\n- two\n\n"
        b"|a|b|\n|-|-|\n|1|2|\n\n```sh\nls\n```\n"
    )
    assert extracted("md", text)["metadata"]["title"] == "Upkeep"
    assert markdown("md", text) == (
        "# Pumps\n\nSee  *here*.\n\n[image: a pump]\n\n- one\n\n- two\n\n"
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\nls\n```"
    )


@pytest.mark.parametrize(
    ("raw", "encoding"), [("é".encode(), "utf-8"), ("é".encode("utf-16"), "utf-16"), ("é".encode("cp1252"), "cp1252")]
)
def test_plain_text_in_several_encodings(raw: bytes, encoding: str) -> None:
    assert extracted("txt", raw)["metadata"] == {"encoding": encoding}
    assert markdown("txt", raw) == "é"


def test_html_shows_what_was_read_and_runs_nothing() -> None:
    blocks = [Block("heading", "<script>", 9), Block("table", rows=[["<b>"]]), Block("image", '"><img src=x>')]
    assert rendering.html(blocks) == (
        "<h6>&lt;script&gt;</h6>\n<table><tr><td>&lt;b&gt;</td></tr></table>\n"
        "<p>[image: &quot;&gt;&lt;img src=x&gt;]</p>"
    )


def test_a_pdf_with_more_pages_than_are_read() -> None:
    found = extracted("pdf", pdfs.pdf(["" for _ in range(1001)]))
    assert (found["refused"], found["detail"]) == ("too_long", "it has 1001 pages; at most 1000 are read")


def test_pdfs_that_were_damaged_anywhere_are_read_or_refused() -> None:
    random_ = random.Random(7)
    outcomes: set[str | None] = set()
    for _ in range(40):
        content = bytearray(pdfs.REPORT)
        for _ in range(random_.choice([1, 5, 50])):
            content[random_.randrange(len(content))] = random_.randrange(256)
        outcomes.add(
            extracted("pdf", bytes(content[: random_.choice([len(content), random_.randrange(len(content))])]))[
                "refused"
            ]
        )
    assert outcomes <= {None, "broken", "encrypted"}
    assert {None, "broken"} <= outcomes
