"""Finding skills by what they do: 47 skills, 72 queries that mean one of them, 24 that mean none (labelled.json, by
hand).

`hit at 1` and `hit at 3` say how often the intended skill is first, or among the first three, whatever its score. The
rest says what the default threshold lets through and turns away.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from handrail.models.embeddings import embedder
from handrail.models.indexes import Index
from handrail.settings import Settings, load
from handrail.skills.discovery import text_of
from handrail.store.skills import Description

LABELLED = Path(__file__).with_name("labelled.json")


def run() -> dict[str, Any]:
    return asyncio.run(_run(load()))


async def _run(settings: Settings) -> dict[str, Any]:
    labelled: dict[str, Any] = json.loads(LABELLED.read_text())
    skills = [Description(*pair) for pair in labelled["skills"].items()]
    one = embedder(settings)
    index = Index()
    index.add(range(len(skills)), await one.embed([text_of(skill) for skill in skills]))

    async def nearest(query: str, limit: int) -> list[tuple[float, int]]:
        return index.search(await one.embed([query]), limit)

    queries = [await nearest(query, 3) for query, _ in labelled["queries"]]
    strangers = [await nearest(query, 1) for query in labelled["unrelated"]]
    found = [[skills[place].name for _, place in row] for row in queries]
    meant = [name for _, name in labelled["queries"]]
    threshold = settings.skill_threshold
    return {
        "embedder": one.name,
        "hit_at_1": _share([first[0] == name for first, name in zip(found, meant, strict=True)]),
        "hit_at_3": _share([name in first for first, name in zip(found, meant, strict=True)]),
        f"queries_found_at_{threshold:g}": _share([row[0][0] >= threshold for row in queries]),
        f"unrelated_turned_away_at_{threshold:g}": _share([row[0][0] < threshold for row in strangers]),
    }


def _share(hits: list[bool]) -> float:
    return round(sum(map(bool, hits)) / len(hits), 3)
