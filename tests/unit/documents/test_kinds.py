"""Kinds of documents, by what they begin with."""

from __future__ import annotations

import time

import pytest

from handrail.core.errors import UnsupportedDocument
from handrail.documents.kinds import DocumentKind, kind_of


def test_comments_may_come_before_html() -> None:
    assert kind_of("page", b"<?xml version='1.0'?> <!-- a --><!-- b -->\n<!doctype html><p>") is DocumentKind.html


@pytest.mark.parametrize("bomb", [b"<!---->", b"<!--", b" ", b"<?xml>", b"<!-- -->\n "])
def test_no_beginning_takes_long_to_tell(bomb: bytes) -> None:
    began = time.process_time()
    with pytest.raises(UnsupportedDocument):
        kind_of("page", bomb * 1000)
    assert time.process_time() - began < 1
