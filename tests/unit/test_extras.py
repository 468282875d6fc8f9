"""Where an extra is not installed, what needs it says what to install."""

from __future__ import annotations

import asyncio
import importlib.util
from importlib.machinery import ModuleSpec

import pytest

from handrail import extras, loop
from handrail.changes import kinds as changes
from handrail.core.errors import Misconfigured
from handrail.documents.extracting import extract
from handrail.documents.kinds import DocumentKind
from handrail.engine.registry import BrokenWorkflow, load
from handrail.models import embeddings
from handrail.models.embeddings import StaticEmbedder
from handrail.sandbox import choose
from handrail.settings import load as settings

HEAVY = {"faiss", "opentelemetry.exporter.otlp", "pdfplumber", "rustworkx", "uvloop"}


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `pip install handrail`."""
    found = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in HEAVY else found(name, package)

    monkeypatch.setattr(extras, "find_spec", find_spec)


def test_everything_is_installed_for_development() -> None:
    assert [extra for extra in extras.EXTRAS if not extras.installed(extra)] == []


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("extra", extras.EXTRAS)
def test_a_missing_one_is_named_with_the_command_that_installs_it(extra: extras.Extra) -> None:
    with pytest.raises(Misconfigured, match=rf"pip install 'handrail\[{extra}\]'"):
        extras.require(extra)


@pytest.mark.usefixtures("bare")
async def test_a_workflow_without_its_extra_is_broken_and_says_so_in_one_line() -> None:
    kind = changes.kinds(settings()).of(changes.CHANGE)
    broken = await load(kind, settings())
    assert isinstance(broken, BrokenWorkflow)
    assert (
        broken.error == "Reading and changing code needs packages that are not installed: pip install 'handrail[code]'"
    )


@pytest.mark.usefixtures("bare")
async def test_documents_and_vectors_name_their_extras() -> None:
    with pytest.raises(Misconfigured, match="documents"):
        await extract(choose(None), DocumentKind.html, b"<html>")
    with pytest.raises(Misconfigured, match="search"):
        await StaticEmbedder().embed(["text"])


async def test_where_wordllama_has_no_wheel_another_embedder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "LOCAL", "wordllama_of_another_machine")
    with pytest.raises(Misconfigured, match="HANDRAIL_EMBEDDINGS"):
        await StaticEmbedder().embed(["text"])


@pytest.mark.usefixtures("bare")
def test_without_a_faster_event_loop_pythons_own_runs() -> None:
    async def kind() -> str:
        return type(asyncio.get_running_loop()).__module__.partition(".")[0]

    assert loop.run(kind()) == "asyncio"


def test_the_faster_event_loop_runs_where_it_is_installed() -> None:
    async def kind() -> str:
        return type(asyncio.get_running_loop()).__module__.partition(".")[0]

    assert loop.run(kind()) == "uvloop"
