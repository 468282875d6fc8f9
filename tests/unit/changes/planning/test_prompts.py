"""What models are told: versioned parts, and quotations that nothing gets out of."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.changes.prompts import prompt, quoted, version


@pytest.mark.parametrize("name", ["intent", "plan", "edit", "answer"])
def test_each_part_has_a_version_and_names_itself(name: str) -> None:
    assert version(name) >= 1
    assert f"`change-{name}`" in prompt(name)
    assert "untrusted data" in prompt(name)


@given(st.text("`~ab\n"))
def test_a_quotation_ends_only_where_it_ends(text: str) -> None:
    lines = quoted("README.md", text).split("\n")
    fence = lines[1]
    assert re.fullmatch("`{3,}", fence)
    assert lines[-1] == fence
    assert fence not in lines[2:-1]


@pytest.mark.parametrize(
    "secret",
    [
        "ghp_" + "a1B2" * 9,
        "github_pat_" + "a1B2" * 9,
        "glpat-" + "a1B2" * 5,
        "xoxb-" + "1234567890-abc",
        "AKIA" + "ABCD" * 4,
        "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
    ],
)
def test_secrets_of_a_repository_never_reach_a_model(secret: str) -> None:
    told = quoted("config.py", f"key = '{secret}' # ours")
    assert secret not in told
    assert "# ours" in told
