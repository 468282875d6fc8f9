"""Both clients offer the same, are set up the same way, and keep the token to themselves."""

from __future__ import annotations

import inspect
from datetime import UTC, datetime

import pytest

from handrail_sdk import AsyncHandrail, Comment, Handrail, Misconfigured, Who, gate
from handrail_sdk.exchange import Flow, Tell

Kind = type[AsyncHandrail] | type[Handrail]
both = pytest.mark.parametrize("client", [AsyncHandrail, Handrail])


@both
def test_address_and_token_come_from_the_environment(client: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDRAIL_URL", "https://handrail.example.com/")
    monkeypatch.setenv("HANDRAIL_TOKEN", "hr_secret")
    assert client().url == "https://handrail.example.com"
    assert client("http://other:1", "hr_x").url == "http://other:1"


@both
def test_the_default_address_is_this_machine(client: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HANDRAIL_URL", raising=False)
    assert client(token="hr_x").url == "http://127.0.0.1:8400"


@both
def test_a_missing_token_is_named(client: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HANDRAIL_TOKEN", raising=False)
    with pytest.raises(Misconfigured, match="HANDRAIL_TOKEN"):
        client()


@both
@pytest.mark.parametrize("url", ["localhost:8400", "ftp://x", "http://", "handrail"])
def test_an_address_that_is_none_is_named(client: Kind, url: str) -> None:
    with pytest.raises(Misconfigured, match=url):
        client(url, "hr_x")


@both
def test_a_password_in_the_address_is_refused_and_not_shown(client: Kind) -> None:
    with pytest.raises(Misconfigured) as raised:
        client("http://ada:hunter2@h", "hr_x")
    assert "hunter2" not in str(raised.value)


@both
@pytest.mark.parametrize("token", ["hr_a\nX-Evil: 1", "hr_ü", " hr_a"])
def test_a_malformed_token_is_refused_and_not_shown(client: Kind, token: str) -> None:
    with pytest.raises(Misconfigured) as raised:
        client(token=token)
    assert token not in str(raised.value)


@both
def test_the_token_does_not_show(client: Kind) -> None:
    assert "hr_secret" not in repr(client("http://h", "hr_secret"))


def test_both_clients_offer_the_same_methods_with_documentation() -> None:
    def methods(client: Kind) -> dict[str, str]:
        found = inspect.getmembers(client, inspect.isfunction)
        return {name: str(inspect.signature(f)) for name, f in found if not name.startswith("_") and f.__doc__}

    asynchronous, synchronous = methods(AsyncHandrail), methods(Handrail)
    assert asynchronous.keys() == synchronous.keys()
    assert {"open", "wait", "redeem", "events", "request_confirmation"} <= asynchronous.keys()
    assert asynchronous["open"] == synchronous["open"]


def test_a_program_without_a_loop_is_told_that_its_answers_must_be_plain() -> None:
    async def answer(asked: Comment) -> str:
        return asked.text

    def flow() -> Flow[None]:
        yield Tell(Comment(1, Who("1", "Ada", "person"), datetime.now(UTC), "?"), answer)

    with Handrail(token="hr_x") as client, pytest.raises(TypeError, match="`on_comment` is async"):
        client.run(flow())
    with pytest.raises(TypeError, match="is not async: pass a plain function as `on_comment`"):
        gate(on_comment=answer)(print)
