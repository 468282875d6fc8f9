"""Asking for reviews, as GitHub and Gitea take it: all at once, or each alone where one of them may not be asked."""

from __future__ import annotations

from handrail.changes.publishing.api import Answer, Api
from handrail.changes.publishing.pulls import Note


async def requested(api: Api, pull_request: str, reviewers: tuple[str, ...]) -> list[Note]:
    """What became of those who could not be asked: the author, strangers."""
    if not reviewers or (await _ask(api, pull_request, reviewers)).ok:
        return []
    notes: list[Note] = []
    for reviewer in reviewers:
        answer = await _ask(api, pull_request, (reviewer,))
        if not answer.ok:
            notes.append(Note("reviewer_refused", f"{reviewer!r}: {api.said(answer)}"))
    return notes


async def _ask(api: Api, pull_request: str, reviewers: tuple[str, ...]) -> Answer:
    teams = [name.partition("/")[2] for name in reviewers if "/" in name]
    people = [name for name in reviewers if "/" not in name]
    data = {"reviewers": people, "team_reviewers": teams}
    return await api.ask("POST", f"{pull_request}/requested_reviewers", data)
