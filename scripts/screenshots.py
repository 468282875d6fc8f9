"""Makes the pictures of README and docs: every page, in both themes, of a company that is asked a few things.

Pages that look back are those of another company, after the month that examples/history makes.

`python scripts/screenshots.py FOLDER` (or `make screenshots`); with `--phones` of every page on a phone, too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from httpx import Client
from PIL import Image
from playwright.sync_api import Browser, Page, expect

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import Visitor, chromium, link_for, visitor
from database import new_folder
from everybody import addresses
from registrations import finished
from server import ServerProcess, running, until
from stage import DEPLOY, EVERYTHING, Company, Json

DESK = {"width": 1360, "height": 860}
PHONE = {"width": 360, "height": 740}
ROOT = Path(__file__).parents[1]
WORKFLOWS = ROOT / "web/e2e/handrail.toml"
SETTINGS = {
    "HANDRAIL_WORKFLOWS_FILE": str(WORKFLOWS),
    "HANDRAIL_CONCURRENCY": "1",
    "HANDRAIL_MODEL_ADVANCED": f"scripted:{ROOT / 'examples/scripts'}",
}

# by name: who looks, and at which address of the router
PAGES = {
    "hold": ("Mara", "/holds/$holdId"),
    "critical": ("Mara", "/holds/$criticalId"),
    "question": ("Mara", "/holds/$questionId"),
    "run": ("Ada", "/runs/$runId"),
    "session": ("Mara", "/sessions/$sessionId"),
    "change": ("Mara", "/changes/$changeId?tab=files"),
    "change-impact": ("Mara", "/changes/$changeId?tab=plan"),
    "policy": ("Ada", "/policy"),
    "policy-edit": ("Ada", "/policy?edit=true"),
    "audit": ("Ada", "/audit"),
    "insights": ("Ada", "/insights"),
    "agents": ("Ada", "/agents"),
    "agent": ("Ada", "/agents/$agentId"),
    "inbox": ("Ada", "/inbox"),
    "runs": ("Ada", "/runs"),
    "start-run": ("Ada", "/runs/start?workflow=rollout"),
    "changes": ("Ada", "/changes"),
    "start-change": ("Ada", "/changes/start"),
    "all-skills": ("Ada", "/skills"),
    "skills": ("Ada", "/skills/$name"),
    "queue": ("Ada", "/skills/queue"),
    "sessions": ("Mara", "/sessions"),
    "start-session": ("Ada", "/sessions/start?skill=log-investigator"),
    "grants": ("Ada", "/grants"),
    "fatigue": ("Olga", "/insights/fatigue"),
    "samples": ("Mara", "/insights/samples"),
    "sample": ("Mara", "/insights/samples/$sampleId"),
    "findings": ("Ada", "/insights/samples/findings"),
    "report": ("Olga", "/report"),
    "people": ("Ada", "/people"),
    "notifications": ("Ada", "/notifications"),
    "messages": ("Ada", "/notifications/preview?hold=$shortId"),
    "account": ("Ada", "/account"),
    "sign-in": (None, "/sign-in"),
    "docs": (None, "/docs"),
}
# each picture begins with a sign-in, which would be all that the log shows
LOOK_BACK = ["audit", "insights", "agents", "agent", "grants", "fatigue", "samples", "sample", "findings", "report"]
# what a page is there for may come after the rest of it
READY = {
    "/inbox": "ul[aria-label^=Holds] li",
    "/runs/start": "input[type=number]",
    "/policy": "text=/The files are valid|Try an action/",
    "/audit": "section[aria-label=Entries] time",
    "/insights": "button[aria-label^=Save]",
    "/insights/fatigue": "main:has(section[aria-label=Everybody] li) section[aria-label=Suggestions] li",
    "/insights/samples": "ul[aria-label='To look at'] li",
    "/insights/samples/findings": "table",
    "/report": "section[aria-label='The audit log']",
    "/people": "section li",
}
ON_PHONES = ("inbox", "hold", "session", "change")


def main(folder: Path, phones: tuple[str, ...]) -> None:
    assert addresses() <= {named(address) for _, address in PAGES.values()}, "a page has no picture"
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="company-") as shelf, chromium() as browser:
        # a skill's page says where it came from
        skills = shutil.copytree(ROOT / "examples/skills", Path(shelf) / "skills")
        with running(**SETTINGS, HANDRAIL_SKILL_ROOTS=str(skills)) as server:
            others = [name for name in PAGES if name not in LOOK_BACK]
            pictures(browser, server, furnished(server, skills), others, phones, folder)
        with after_a_month() as server:
            there = {"$agentId": "support-bot", "$sampleId": sample(server)}
            pictures(browser, server, there, LOOK_BACK, phones, folder)
    for file in folder.glob("*.png"):
        shrink(file)


@contextmanager
def after_a_month() -> Generator[ServerProcess]:
    """Fernwood's, with a month of history."""
    server = ServerProcess(new_folder())
    try:
        subprocess.run([sys.executable, ROOT / "examples/history/make.py", server.data], check=True)
        server.start()
        yield server
    finally:
        server.close()


def sample(server: ServerProcess) -> str:
    """The id of a call that ran unasked and that nobody has looked at."""
    with server.client() as http:
        return http.get("/api/samples").raise_for_status().json()["samples"][0]["hold_id"]


def pictures(
    browser: Browser,
    server: ServerProcess,
    there: dict[str, str],
    names: list[str],
    phones: tuple[str, ...],
    folder: Path,
) -> None:
    for name in names:
        for theme in ("light", "dark"):
            picture(browser, server, name, there, folder / f"{name}-{theme}.png", color_scheme=theme, viewport=DESK)
            if name in phones:
                file = folder / f"phone-{name}-{theme}.png"
                options = {"viewport": PHONE, "device_scale_factor": 2, "has_touch": True}
                picture(browser, server, name, there, file, color_scheme=theme, **options)


def furnished(server: ServerProcess, skills: Path) -> dict[str, str]:
    """What the words of addresses stand for."""
    there = asked(server)
    there |= {"$runId": waiting_run(server), "$sessionId": asking_session(server, skills)}
    return there | {"$changeId": finished_change(server), "$name": "log-investigator"}


def named(address: str) -> str:
    """As the router has it: whichever hold it is."""
    return re.sub(r"\$(critical|question|sample)Id", "$holdId", address.partition("?")[0])


def asked(server: ServerProcess) -> dict[str, str]:
    """A few decisions of the past, and one hold of each kind that waits: some of them by name."""
    for name, role in (("Mara", "tech_lead"), ("Jon", "team_lead"), ("Carl", "cto")):
        link_for(server, name, role)
    link_for(server, "Ada", "administrator", "tech_lead")
    company = Company(server)
    for version in ("2.11", "2.12"):
        hold = company.ask(DEPLOY, title=f"Deploy api {version} to production")
        company.review("Jon", hold)
        company.review("Carl", hold, reason="tests are green")
    earlier = {**DEPLOY["action"], "args": {**DEPLOY["action"]["args"], "version": "2.13"}}
    friday = company.ask(DEPLOY, title="Deploy api 2.13 to production", action=earlier)
    company.review("Jon", friday, "reject", reason="not on a Friday")
    holds = [company.ask(question) for question in EVERYTHING]
    company.review("Jon", holds[1], reason="read the diff")
    return {
        "$holdId": holds[1]["id"],
        "$criticalId": holds[0]["id"],
        "$questionId": holds[4]["id"],
        "$shortId": holds[1]["short_id"],
    }


def waiting_run(server: ServerProcess) -> str:
    """The id of a run of Ada's that has spoken, looked and asked."""
    body = {"workflow": "rollout", "input": {"service": "shop", "version": "1.4.2", "copies": 3}}
    with server.client(token_of(server, "Ada")) as http:
        server.serves("rollout")
        run: str = http.post("/api/runs", json=body).raise_for_status().json()["id"]
        until(lambda: http.get(f"/api/runs/{run}").json()["status"] == "paused")
    return run


def asking_session(server: ServerProcess, skills: Path) -> str:
    """The id of a session of Mara's that asks; other skills wait to be decided on."""
    body = {"skill_id": "log-investigator", "input": "Why did the shop fail last night?", "mode": "HITL"}
    with server.client(token_of(server, "Mara")) as http:
        finished(server, http, skills / "log-investigator")
        with server.client(token_of(server, "Carl")) as approver:
            approver.post("/api/skills/queue/approve-safe", json={}).raise_for_status()
        for name in ("csv-report", "compound-interest"):
            finished(server, http, skills / name)
        server.serves("skill")
        session: str = http.post("/api/execution/start", json=body).raise_for_status().json()["session_id"]
        until(lambda: http.get(f"/api/execution/sessions/{session}").json()["status"] == "PAUSED")
    return session


def finished_change(server: ServerProcess) -> str:
    """The id of the demo's code change; its plan is approved, and its result waits for people."""
    with server.client(token_of(server, "Ada")) as http:
        server.serves("demo-change")
        offered = http.get("/api/workflows").raise_for_status().json()["workflows"]
        example = next(one["example"] for one in offered if one["name"] == "demo-change")
        body = {"workflow": "demo-change", "input": example}
        change: str = http.post("/api/runs", json=body).raise_for_status().json()["id"]
        plan = waiting_hold(http, change, "change.plan")
        verdict = {"verdict": "approve", "digest": plan["digest"]}
        with server.client(token_of(server, "Carl")) as approver:
            approver.post(f"/api/holds/{plan['id']}/reviews", json=verdict).raise_for_status()
        waiting_hold(http, change, "change.publish")
    return change


def waiting_hold(http: Client, run: str, action: str) -> Json:
    def waits() -> list[Json]:
        holds = http.get("/api/holds", params={"run": run}).raise_for_status().json()["holds"]
        return [hold for hold in holds if hold["action"]["name"] == action]

    [hold] = until(waits)
    return hold


def token_of(server: ServerProcess, name: str) -> str:
    with server.client() as http:
        return http.post("/api/tokens", json={"principal": name}).raise_for_status().json()["token"]


def picture(browser: Browser, server: ServerProcess, name: str, there: dict[str, str], file: Path, **look: Any) -> None:
    who, address = PAGES[name]
    for word, value in there.items():
        address = address.replace(word, value)
    if who is None:
        page = browser.new_page(**look)
        page.goto(f"{server.url}{address}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.screenshot(path=file)
        page.close()
        return
    window = visitor(browser, server, who, **look)
    page = shown(window, address)
    if name == "policy":
        page.get_by_role("button", name="What would happen?").click()
        expect(page.get_by_text("rule deploy-production").first).to_be_visible()
    if name == "change-impact":
        impact = page.get_by_role("region", name="Impact")
        impact.get_by_text("By name").click()
        impact.get_by_role("figure").scroll_into_view_if_needed()
        impact.get_by_role("definition").last.scroll_into_view_if_needed()
    page.screenshot(path=file)
    window.close()


def shown(who: Visitor, address: str) -> Page:
    """With all that the page is there for."""
    page = who.go(address)
    expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    page.wait_for_load_state("load")
    expect(page.get_by_text("Loading")).to_have_count(0)
    # menus come when the page stands
    expect(page.get_by_role("button", name=f"{who.name}: account")).to_be_visible()
    path = address.partition("?")[0]
    if path in READY:
        expect(page.locator(READY[path]).first).to_be_visible()
    if address.startswith("/runs/") and "start" not in address:
        expect(page.get_by_role("list", name="What happened").get_by_role("link")).to_be_visible()
    if address.startswith("/sessions/") and "start" not in address:
        expect(page.get_by_role("button", name="Send answer")).to_be_attached()
    if address.startswith("/changes/") and "start" not in address:
        expect(page.get_by_role("region", name="Decision").get_by_role("button", name="Approve")).to_be_enabled()
    if address.startswith("/agents/"):
        expect(page.get_by_role("region", name="By action")).to_be_visible()
    if address.startswith("/holds/"):
        expect(page.get_by_role("region", name="Precedents")).to_be_attached()
    # decision buttons wait until what they are about could be read
    expect(page.locator("button.waits")).to_have_count(0)
    page.evaluate("document.fonts.ready")
    return page


def shrink(file: Path) -> None:
    """Pages have few colours: a palette of them takes a third of the space."""
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(PAGES) if "--phones" in sys.argv else ON_PHONES)
