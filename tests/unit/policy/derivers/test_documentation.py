"""The examples of docs/policies.md are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handrail.policy.derivers import shell, sql, urls

TEXT = (Path(__file__).parents[4] / "docs" / "policies.md").read_text("utf-8")
SECTION = TEXT.split("## What a command, a query and a request do")[1].split("\n## ")[0]
EXAMPLES = re.findall(r"^\| `(.+)` \| ([a-z, ]+) \|$", SECTION, re.M)


def read(text: str) -> frozenset[str]:
    request = re.fullmatch(r"(GET|POST|DELETE) (\S+)", text)
    if request:
        return urls.read(request[2], request[1], ["example.org"]).operations
    return (sql if re.match(r"SELECT|DELETE|ALTER|COPY", text) else shell).read(text).operations


@pytest.mark.parametrize(("text", "operations"), EXAMPLES)
def test_an_example_does_what_it_says(text: str, operations: str) -> None:
    assert read(text) == set(operations.split(", "))


def test_there_are_examples_of_each_kind() -> None:
    assert len(EXAMPLES) == 19
