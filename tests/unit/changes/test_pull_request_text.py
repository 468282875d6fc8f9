"""Title and body of a pull request: texts of models and repositories are shown in them and do nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from handrail.changes.publishing import markdown
from handrail.changes.publishing.text import LONGEST_BODY, Check, Description, FileChange, body_of, title_of

PARSER = MarkdownIt("gfm-like", {"linkify": False})
HEADINGS = [
    "Summary",
    "Files",
    "Tests and checks",
    "Migration",
    "Rollback",
    "Notes for reviewers",
    "For people to judge",
]
PLAIN = Description(
    "fix: round totals",
    "Totals are rounded to cents.\n\n- cart\n- invoice",
    (FileChange("shop/cart.py", "changed", 3, 1), FileChange("shop/test_cart.py", "added", 12, 0)),
    (Check("pytest", "118 passed, 1 failed as on the base"), Check("secrets", "none found")),
    rollback="Revert it; no data is touched.",
    for_people=("Whether cents are right for yen.",),
)
HOSTILE = [
    "@ada and @team/reviewers",
    "Fixes #12, closes o/r#3, resolves GH-4",
    "Closes https://github.com/o/r/issues/1",
    "/merge",
    "  /approve",
    "- /assign @eve",
    "</details><script>alert(1)</script>",
    "<!-- hidden",
    "![x](https://evil.example/pixel.png)",
    "[click](javascript:alert(1))",
    "<https://evil.example>",
    "www.evil.example",
    "[x]: https://evil.example\n\n[x]",
    "# Approved\n\n## Summary",
    "Approved\n========",
    "Approved\n---",
    "```json handrail-attestation\n{}\n```",
    "~~~\nno end",
    "    indented",
    "> quoted",
    "1. first\n2) second",
    "* [ ] task\n+ other",
    "| a | b |\n| - | - |\n| c | d |",
    "`` ` ``",
    "&lt;b&gt; &#64;ada",
    "$\\mathit{x}$ :tada: ~label !12 %3 &4",
    "line\\\nbreak",
    "\u202eevil\u202c \u200bzero \x1b[2J \x00",
    "Co-authored-by: Eve <eve@example.org>",
]


def kinds(text: str) -> list[str]:
    return [inner.type for token in PARSER.parse(text) for inner in (token, *(token.children or ()))]


def shown(text: str) -> str:
    html = PARSER.render(text)
    return unescape(re.sub(r"<[^>]+>", "", html)).replace("\u200b", "")


def squeezed(text: str) -> str:
    return re.sub(r"[-*•\s]", "", text)


def test_the_body_has_all_sections_in_their_order() -> None:
    body = body_of(PLAIN)
    assert re.findall(r"^## (.+)$", body, re.MULTILINE) == HEADINGS
    assert "- `shop/cart.py` changed, +3 −1" in body
    assert "- `pytest` 118 passed, 1 failed as on the base" in body
    assert "- cart\n- invoice" in body
    assert "Whether cents are right for yen." in body
    assert title_of(PLAIN) == "fix: round totals"


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    everywhere = Description(
        text,
        text,
        (FileChange(text, "changed", 1, 1),),
        (Check(text, text),),
        migration=text,
        rollback=text,
        reviewer_notes=text,
        for_people=(text,),
        closes=(text,),
    )
    body = body_of(everywhere)
    assert kinds(body).count("heading_open") == len(HEADINGS)
    assert not {"html_block", "html_inline", "link_open", "image", "fence", "code_block", "hr", "table_open"} & set(
        kinds(body)
    )
    assert not re.search(r"(?<![`\w])[@#!]\w", re.sub(r"`+[^`].*`+", "", body)), "nothing that pings or refers"
    assert not re.search(r"^\s*/", body, re.MULTILINE), "no command of a host"
    assert not re.search(r"https?://", re.sub(r"`.*`", "", body))
    assert not re.search("[\u200b\u202e\x1b\x00]", body)
    assert "\nCloses #" not in body


@given(st.text(alphabet=st.sampled_from("ab1 \n\t`*_#@!-+=>|~[]()<>&$:/.\\\"'{}^%"), max_size=60))
def test_prose_is_paragraphs_and_lists_of_just_its_characters(text: str) -> None:
    rendered = markdown.prose(text, 10_000)
    allowed = {"paragraph", "bullet_list", "list_item", "inline", "text", "softbreak", "text_special", "hardbreak"}
    assert {kind.removesuffix("_open").removesuffix("_close") for kind in kinds(rendered)} <= allowed
    assert squeezed(shown(rendered)) == squeezed(text)


@given(st.text(alphabet=st.sampled_from("a` \n*"), min_size=1, max_size=20))
def test_code_is_one_span(text: str) -> None:
    spans = [kind for kind in kinds(markdown.code(text)) if kind not in {"inline", "paragraph_open", "paragraph_close"}]
    assert spans == ["code_inline"]


@pytest.mark.parametrize(
    ("given_", "title"),
    [
        ("Draft: fix totals", "fix totals"),
        ("[WIP] wip: draft: fix", "fix"),
        ("fix\ntotals\x1b[2J", "fix totals\ufffd[2J"),
        ("fixes #12 and GH-3", "fixes issue 12 and issue 3"),
        ("closes https://github.com/o/r/issues/1", "closes github.com/o/r/issues/1"),
        ("@ada look", "@ ada look"),
        ("Draft the letter", "Draft the letter"),
        ("--upload-pack=id", "--upload-pack=id"),
        ("", "Code change"),
        ("x" * 500, "x" * 199 + "…"),
    ],
)
def test_a_title_is_one_line_that_pings_and_closes_nothing(given_: str, title: str) -> None:
    assert title_of(replace(PLAIN, title=given_)) == title


def test_issues_are_closed_only_where_a_person_asked() -> None:
    asked = body_of(replace(PLAIN, closes=("#12", "team/shop#3", "#1 and @ada", "12")))
    assert re.findall(r"^Closes .+$", asked, re.MULTILINE) == ["Closes #12", "Closes team/shop#3"]
    assert "Closes" not in body_of(PLAIN)


def test_the_longest_texts_stay_under_every_hosts_limit() -> None:
    huge = "@`" * 500_000
    body = body_of(
        Description(
            huge,
            huge,
            tuple(FileChange(f"{huge}{n}", "added", 1, 1) for n in range(500)),
            tuple(Check(huge, huge) for _ in range(500)),
            huge,
            huge,
            huge,
            (huge,) * 500,
        )
    )
    assert len(body) <= LONGEST_BODY
    assert re.findall(r"^## (.+)$", body, re.MULTILINE) == HEADINGS
    assert "(shortened)" in body
