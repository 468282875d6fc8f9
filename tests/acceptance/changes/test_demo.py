"""`handrail demo change`, as a newcomer sees it: without a model or a key, from a sentence to a branch."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from change_server import branches, git
from server import HANDRAIL, ServerProcess, environment
from terminal import Terminal, plain, terminal


@pytest.fixture
def demo(server: ServerProcess) -> Generator[Terminal]:
    env = environment(server.folder, HANDRAIL_URL=server.url, HANDRAIL_TOKEN=server.admin_token)
    with terminal([HANDRAIL, "demo", "change"], env) as found:
        yield found


def test_a_newcomer_approves_twice_and_finds_the_branch(server: ServerProcess, demo: Terminal) -> None:
    demo.expect("Approve? [y]es")
    card = plain(demo.shown)
    assert "shop/money.py" in card and "Runs in the sandbox: python3 -m unittest" in card
    demo.type("y\n")
    demo.expect("Approve? [y]es")
    result = plain(demo.shown).removeprefix(card)
    # wrong once, and sent back by the tests
    assert result.index("+    return round(price, 2) * 100") < result.index("+    return round(price * 100)")
    assert "✓ tests:" in result and "✓ fail to pass:" in result
    shop = server.data / "changes" / "demo" / "lamp-shop"
    assert branches(shop) == ["main"], "nothing is published before the second approval"
    demo.type("y\n")
    assert demo.wait() == 0, plain(demo.shown)
    [branch] = [name for name in branches(shop) if name != "main"]
    assert branch in plain(demo.shown).removeprefix(card + result)
    assert "return round(price * 100)" in git(shop, "show", f"{branch}:shop/money.py")
