"""Which files are tests, by their names."""

from __future__ import annotations

import pytest

from handrail.codegraph.tags import tags_of


@pytest.mark.parametrize(
    "path",
    ["test.js", "lib/tests.mjs", "spec.ts", "test-cart.js", "src/cart-test.js", "cart_test.cjs", "cart.test.tsx"],
)
def test_what_node_takes_for_a_test_is_one(path: str) -> None:
    assert "test" in tags_of(path, ())


@pytest.mark.parametrize("path", ["latest.js", "contest.ts", "testing.js", "src/attest.mjs", "tests.json"])
def test_a_name_that_only_sounds_like_a_test_is_none(path: str) -> None:
    assert "test" not in tags_of(path, ())
