"""Models by tier, against a server on loopback that speaks OpenAI's protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loopback import Answer, Loopback
from openai_protocol import LAST, streamed

from handrail.core.errors import InvalidField, Misconfigured
from handrail.models.chat import change_model, chat_model
from handrail.models.embeddings import embedder
from handrail.settings import Settings, load

KEY = "sk-not-a-real-one-0123456789"
NAME = "openai:small-1"
USED = {"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200}


def said(text: str) -> Answer:
    message = {"role": "assistant", "content": text}
    body: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 1, "model": "small-1-2026-01-01"}
    return Answer(
        body=body | {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": USED},
        headers=LAST,
    )


def settings(server: Loopback, tmp_path: Path, **more: Any) -> Settings:
    (tmp_path / "key").write_text(KEY + "\n")
    given: dict[str, Any] = {"model_light": NAME, "model_url": f"{server.url}/v1", "model_key_file": tmp_path / "key"}
    return load(**given | more)


async def test_what_fails_for_a_moment_is_tried_again(tmp_path: Path) -> None:
    again = {"Retry-After": "0.01", **LAST}
    server = Loopback(Answer(429, {}, again), Answer(503, {}, again), said("hello"))
    async with server.serving():
        answer = await chat_model(settings(server, tmp_path), "light").ainvoke("hi")
    assert answer.text == "hello"
    assert [request.headers["authorization"] for request in server.received] == [f"Bearer {KEY}"] * 3


async def test_a_call_is_streamed_and_its_tokens_are_counted(tmp_path: Path) -> None:
    server = Loopback(streamed({"content": "one "}, {"content": "two"}, usage=USED))
    async with server.serving():
        chunks = [chunk async for chunk in chat_model(settings(server, tmp_path), NAME).astream("hi")]
    assert [chunk.text for chunk in chunks if chunk.text] == ["one ", "two"]
    counted = [chunk.usage_metadata for chunk in chunks if chunk.usage_metadata]
    assert [(used["input_tokens"], used["output_tokens"]) for used in counted] == [(1000, 200)]


def test_one_model_serves_both_tiers_and_others_are_not_served(tmp_path: Path) -> None:
    chosen = settings(Loopback(), tmp_path)
    assert chat_model(chosen, "advanced").model_dump()["model_name"] == "small-1"
    with pytest.raises(
        InvalidField, match=r"'openai:huge' is not a configured model; choose from light, openai:small-1"
    ):
        chat_model(chosen, "openai:huge")


def test_without_a_model_the_settings_are_named() -> None:
    with pytest.raises(Misconfigured, match="HANDRAIL_MODEL_LIGHT"):
        chat_model(load(), "light")


def test_a_missing_package_a_missing_key_and_a_missing_file_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(Misconfigured, match=r"^HANDRAIL_MODEL_LIGHT: .*pip install 'handrail\[mistralai\]'"):
        chat_model(load(model_light="mistralai:x"), "light")
    with pytest.raises(Misconfigured, match="OPENAI_API_KEY"):
        chat_model(load(model_light=NAME), "light")
    with pytest.raises(Misconfigured, match="HANDRAIL_MODEL_KEY_FILE"):
        chat_model(load(model_light=NAME, model_key_file=tmp_path / "none"), "light")


def test_a_model_of_no_provider_is_said_with_the_setting_that_names_it() -> None:
    with pytest.raises(Misconfigured, match=r"^HANDRAIL_MODEL_ADVANCED: the model 'nonsense' cannot be used: "):
        chat_model(load(model_light="scripted:x", model_advanced="nonsense"), "advanced")
    for chosen in (load(llm_model="nonsense"), load(model_edit="openai:x", llm_model="nonsense")):
        with pytest.raises(Misconfigured, match=r"^HANDRAIL_LLM_MODEL: the model 'nonsense' cannot be used: "):
            change_model(chosen, "plan")


def test_a_key_is_never_shown(tmp_path: Path) -> None:
    chosen = settings(Loopback(), tmp_path, model_key_file=None, model_key=KEY)
    assert KEY not in repr(chosen) + repr(chat_model(chosen, "light"))


def test_a_script_can_stand_in(tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- say: hello there\n")
    assert chat_model(load(model_light=f"scripted:{script}"), "light").invoke("hi").text == "hello there"


async def test_texts_alike_in_meaning_are_near_each_other() -> None:
    texts = ["convert euros into dollars", "exchange rates between currencies", "bake a chocolate cake", "", "🙂"]
    vectors = await embedder(load()).embed(texts)
    assert vectors.shape == (5, 256)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


async def test_a_provider_s_vectors_can_be_used(tmp_path: Path) -> None:
    rows = [{"object": "embedding", "index": n, "embedding": [3.0 * n, 4.0]} for n in range(2)]
    body = {"object": "list", "model": "e", "data": rows, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    server = Loopback(Answer(body=body, headers=LAST))
    async with server.serving():
        one = embedder(settings(server, tmp_path, embeddings="openai:e"))
        vectors = await one.embed(["a", "b"])
    assert (one.name, vectors.tolist()) == ("openai:e", [[0, 1], [pytest.approx(0.6), pytest.approx(0.8)]])
