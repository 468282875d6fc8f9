"""Every page for everybody: nothing that axe finds in either theme, twice as large, and no motion if asked for none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Visitor
from everybody import addresses, hindrances
from playwright.sync_api import Page, ViewportSize, expect
from stage import ALL_FIELDS, EVERYTHING, Company

Enter = Callable[..., Visitor]
DESK: ViewportSize = {"width": 1360, "height": 860}
HERE = Path(__file__).parent
NOWHERE = "nowhere"
# each address of the router: where it is looked at here, or the test that goes there with something to show
LOOKED_AT = {
    "/inbox": "inbox", "/runs": "runs", "/runs/start": "runs/start", "/changes": "changes",
    "/changes/start": "changes/start", "/skills": "skills", "/skills/queue": "skills/queue", "/sessions": "sessions",
    "/sessions/start": "sessions/start", "/agents": "agents", "/agents/$agentId": "agents/deploy-bot",
    "/insights": "insights", "/insights/fatigue": "insights/fatigue", "/insights/samples": "insights/samples",
    "/report": "report", "/policy": "policy",
    "/grants": "grants", "/audit": "audit", "/people": "people", "/notifications": "notifications",
    "/notifications/preview": "notifications/preview", "/account": "account", "/docs": "docs",
}  # fmt: skip
MORE = ("policy?edit=true", "inbox?view=done")
ELSEWHERE = {
    "/holds/$holdId": "test_everybody",
    "/sign-in": "test_everybody",
    "/runs/$runId": "test_runs",
    "/changes/$changeId": "changes/test_story",
    "/insights/samples/$holdId": "test_hindsight",
    "/insights/samples/findings": "test_hindsight",
    "/skills/$name": "test_skills",
    "/sessions/$sessionId": "test_skills",
}


def shown(page: Page) -> None:
    page.wait_for_load_state("load")
    if not page.url.endswith((NOWHERE, "/docs", "/sign-in")):
        expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    expect(page.get_by_role("heading", level=1).last).not_to_be_empty()
    expect(page.get_by_text("Loading")).to_have_count(0)


def test_no_address_is_forgotten() -> None:
    assert {*LOOKED_AT, *ELSEWHERE} == addresses()
    for name in set(ELSEWHERE.values()):
        assert "hindrances(" in (HERE / f"{name}.py").read_text(), name


# more than 30 pages, each judged four times
@pytest.mark.timeout(900)
def test_every_page_is_for_everybody(company: Company, enter: Enter) -> None:
    """Contrast, names, roles and order, as far as a program can judge, in both themes; and no motion."""
    holds = [company.ask(question) for question in (*EVERYTHING, ALL_FIELDS)]
    window = enter("Ada", viewport=DESK)
    page = window.page
    found: list[str] = []
    for path in (NOWHERE, *LOOKED_AT.values(), *MORE, *(f"holds/{hold['id']}" for hold in holds)):
        page.emulate_media(reduced_motion="reduce")
        window.go(f"/{path}")
        shown(page)
        found += [f"/{path}: {one}" for one in hindrances(page)]
    window.context.clear_cookies()
    window.go("/sign-in")
    shown(page)
    found += [f"/sign-in: {one}" for one in hindrances(page)]
    assert found == []
