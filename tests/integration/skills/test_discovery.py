"""Skills are found by what they do, from vectors that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from holds_world import Add
from skills_world import desk_of

from handrail.core.callers import Caller, scopes_of
from handrail.holds.context import Context
from handrail.models.embeddings import StaticEmbedder, Vectors
from handrail.settings import load
from handrail.skills import registry
from handrail.skills.discovery import Discovery
from handrail.skills.registering import register_folder


class Counting(StaticEmbedder):
    """Counts the texts that it was given."""

    def __init__(self) -> None:
        self.embedded: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return await super().embed(texts)


async def test_vectors_are_made_once_and_the_index_follows_what_is_in_force(
    context: Context, add: Add, tmp_path: Path
) -> None:
    mara, tom = await add("mara", "tech_lead"), await add("tom", "tech_lead")
    who = Caller(tom, scopes_of(tom.kind, tom.roles))
    for name, text in (("interest", "Calculates compound interest."), ("logs", "Finds errors in log files.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {text}\n---\n")
    embedder = Counting()
    discovery = Discovery(context.database, embedder, 0.2)
    assert await discovery.search("interest rates") == []
    await register_folder(desk_of(context, load(skill_roots=(tmp_path,)), mara), str(tmp_path))
    await registry.approve_safe(context, who, None)
    found = await discovery.search("interest rates")
    assert (found[0].skill, found[0].score > 0.3) == ("interest", True)
    assert [match.skill for match in await discovery.search("errors in logs", limit=1)] == ["logs"]
    assert len([text for text in embedder.embedded if ":" in text]) == 2, "each description once"

    second = Counting()
    assert await Discovery(context.database, second, 0.2).search("interest rates") == found
    assert second.embedded == ["interest rates"], "another process finds the vectors in the database"
    assert await Discovery(context.database, second, 0.999).search("interest rates") == []
    await registry.delete(context, who, "interest")
    assert [match.skill for match in await discovery.search("compound interest", limit=5)] != ["interest"]
