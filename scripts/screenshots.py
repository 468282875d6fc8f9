"""Makes the pictures of the README: the main pages, in both themes, of a company that is asked a few things.

`python scripts/screenshots.py FOLDER` (or `make screenshots`).
"""

from __future__ import annotations

import sys
from pathlib import Path

from httpx import Client
from PIL import Image
from playwright.sync_api import Browser, expect

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import Visitor, chromium, link_for, visitor
from registrations import finished
from server import ServerProcess, running, until
from stage import DEPLOY, EVERYTHING, STAGING, Company, Json

DESK = {"width": 1360, "height": 860}
PHONE = {"width": 360, "height": 740}
ROOT = Path(__file__).parents[1]
WORKFLOWS = ROOT / "web/e2e/handrail.toml"
SKILLS = ROOT / "examples/skills"
SETTINGS = {
    "HANDRAIL_WORKFLOWS_FILE": str(WORKFLOWS),
    "HANDRAIL_CONCURRENCY": "1",
    "HANDRAIL_SKILL_ROOTS": str(SKILLS),
    "HANDRAIL_MODEL_ADVANCED": f"scripted:{ROOT / 'examples/scripts'}",
}


# what the other pictures do not show
PAGES = {
    "inbox": "/inbox",
    "start-run": "/runs/start?workflow=rollout",
    "changes": "/changes",
    "start-change": "/changes/start",
    "skills": "/skills/log-investigator",
    "queue": "/skills/queue",
    "start-session": "/sessions/start?skill=log-investigator",
    "policy-edit": "/policy?edit=true",
    "grants": "/grants",
    "fatigue": "/insights/fatigue",
    "samples": "/insights/samples",
    "report": "/report",
    "people": "/people",
    "notifications": "/notifications",
    "account": "/account",
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with running(**SETTINGS) as server, chromium() as browser:
        holds = furnish(server)
        run = waiting_run(server)
        session = asking_session(server)
        change = finished_change(server)
        for theme in ("light", "dark"):
            at_desk(browser, server, theme, holds, folder)
            followed(browser, server, theme, run, folder)
            skilled(browser, server, theme, session, folder)
            changed(browser, server, theme, change, folder)
            every_page(browser, server, theme, folder)
            on_phone(browser, server, theme, holds, folder)
    for file in folder.glob("*.png"):
        shrink(file)


def furnish(server: ServerProcess) -> list[Json]:
    """A few decisions of the past, and one hold of each kind that waits."""
    for name, role in (("Mara", "tech_lead"), ("Jon", "team_lead"), ("Carl", "cto")):
        link_for(server, name, role)
    link_for(server, "Ada", "administrator", "tech_lead")
    company = Company(server)
    sampled(company)
    docs = {"name": "deploy", "args": {"service": "docs", "version": "7.1"}, "target": "docs"}
    allowed = company.ask(STAGING, title="Deploy docs 7.1 to staging", action=docs)
    with server.client(company.token("Jon")) as http:
        bounds = {"service": {"exact": "docs"}, "version": {"prefix": "7."}}
        agreed = {"digest": allowed["digest"], "args": bounds, "target": {"exact": "docs"}, "uses": 20}
        http.post(f"/api/holds/{allowed['id']}/grant", json=agreed).raise_for_status()
    company.review("Jon", allowed)
    for version in ("2.11", "2.12"):
        hold = company.ask(DEPLOY, title=f"Deploy api {version} to production")
        company.review("Jon", hold)
        company.review("Carl", hold, reason="tests are green")
    earlier = {**DEPLOY["action"], "args": {**DEPLOY["action"]["args"], "version": "2.13"}}
    friday = company.ask(DEPLOY, title="Deploy api 2.13 to production", action=earlier)
    company.review("Jon", friday, "reject", reason="not on a Friday")
    holds = [company.ask(question) for question in EVERYTHING]
    company.review("Jon", holds[1], reason="read the diff")
    return holds


def sampled(company: Company) -> None:
    """Calls that ran unasked and are looked at afterwards."""
    with company.server.client() as http:
        files = http.get("/api/policy").raise_for_status().json()["files"]
        entry = "\nactions:\n  - {id: sampled-reads, name: [read_ledger], sample: 1}\n"
        files["actions.yaml"] = files["actions.yaml"].replace("\nactions:\n", entry, 1)
        http.post("/api/policy", json={"files": files, "reason": "the ledger is looked at"}).raise_for_status()
    for month in ("August", "September", "October"):
        read = {"name": "read_ledger", "args": {"month": month, "of": "suppliers"}}
        company.redeem(company.ask({"kind": "approval", "title": f"Read the ledger of {month}", "action": read}))


def waiting_run(server: ServerProcess) -> str:
    """The id of a run of Ada's that has spoken, looked and asked."""
    body = {"workflow": "rollout", "input": {"service": "shop", "version": "1.4.2", "copies": 3}}
    with server.client(token_of(server, "Ada")) as http:
        server.serves("rollout")
        run: str = http.post("/api/runs", json=body).raise_for_status().json()["id"]
        until(lambda: http.get(f"/api/runs/{run}").json()["status"] == "paused")
    return run


def asking_session(server: ServerProcess) -> str:
    """The id of a session of Mara's that asks; other skills wait to be decided on."""
    body = {"skill_id": "log-investigator", "input": "Why did the shop fail last night?", "mode": "HITL"}
    with server.client(token_of(server, "Mara")) as http:
        finished(server, http, SKILLS / "log-investigator")
        with server.client(token_of(server, "Carl")) as approver:
            approver.post("/api/skills/queue/approve-safe", json={}).raise_for_status()
        for name in ("csv-report", "compound-interest"):
            finished(server, http, SKILLS / name)
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


def followed(browser: Browser, server: ServerProcess, theme: str, run: str, folder: Path) -> None:
    ada = visitor(browser, server, "Ada", color_scheme=theme, viewport=DESK)
    shoot(ada, f"/runs/{run}", folder / f"run-{theme}.png")
    ada.close()


def skilled(browser: Browser, server: ServerProcess, theme: str, session: str, folder: Path) -> None:
    mara = visitor(browser, server, "Mara", color_scheme=theme, viewport=DESK)
    shoot(mara, f"/sessions/{session}", folder / f"session-{theme}.png")
    mara.close()
    phone = visitor(browser, server, "Mara", color_scheme=theme, viewport=PHONE, device_scale_factor=2, has_touch=True)
    shoot(phone, f"/sessions/{session}", folder / f"phone-session-{theme}.png")
    phone.close()


def changed(browser: Browser, server: ServerProcess, theme: str, change: str, folder: Path) -> None:
    mara = visitor(browser, server, "Mara", color_scheme=theme, viewport=DESK)
    shoot(mara, f"/changes/{change}?tab=files", folder / f"change-page-{theme}.png")
    shoot(mara, f"/changes/{change}?tab=plan", folder / f"change-impact-{theme}.png")
    impact = mara.page.get_by_role("region", name="Impact")
    impact.get_by_text("By name").click()
    impact.get_by_role("figure").scroll_into_view_if_needed()
    impact.get_by_role("definition").last.scroll_into_view_if_needed()
    mara.page.screenshot(path=folder / f"change-impact-{theme}.png")
    mara.close()
    phone = visitor(browser, server, "Mara", color_scheme=theme, viewport=PHONE, device_scale_factor=2, has_touch=True)
    shoot(phone, f"/changes/{change}?tab=files", folder / f"phone-change-{theme}.png")
    phone.close()


def at_desk(browser: Browser, server: ServerProcess, theme: str, holds: list[Json], folder: Path) -> None:
    mara = visitor(browser, server, "Mara", color_scheme=theme, viewport=DESK)
    shoot(mara, f"/holds/{holds[1]['id']}", folder / f"hold-{theme}.png")
    shoot(mara, f"/holds/{holds[0]['id']}", folder / f"critical-{theme}.png")
    mara.close()
    ada = visitor(browser, server, "Ada", color_scheme=theme, viewport=DESK)
    ada.go("/policy").get_by_role("button", name="What would happen?").click()
    expect(ada.page.get_by_text("rule deploy-production").first).to_be_visible()
    ada.page.screenshot(path=folder / f"policy-{theme}.png")
    shoot(ada, "/audit", folder / f"audit-{theme}.png")
    shoot(ada, "/insights", folder / f"insights-{theme}.png")
    shoot(ada, "/agents/deploy-bot", folder / f"agent-{theme}.png")
    ada.close()


def every_page(browser: Browser, server: ServerProcess, theme: str, folder: Path) -> None:
    """The others, of docs/web.md: as an administrator sees them."""
    ada = visitor(browser, server, "Ada", color_scheme=theme, viewport=DESK)
    for name, address in PAGES.items():
        shoot(ada, address, folder / f"{name}-{theme}.png")
    ada.context.clear_cookies()
    for name in ("sign-in", "docs"):
        expect(ada.go(f"/{name}").get_by_role("heading", level=1)).to_be_visible()
        ada.page.screenshot(path=folder / f"{name}-{theme}.png")
    ada.close()


def on_phone(browser: Browser, server: ServerProcess, theme: str, holds: list[Json], folder: Path) -> None:
    mara = visitor(browser, server, "Mara", color_scheme=theme, viewport=PHONE, device_scale_factor=2, has_touch=True)
    shoot(mara, "/inbox", folder / f"phone-inbox-{theme}.png")
    shoot(mara, f"/holds/{holds[1]['id']}", folder / f"phone-hold-{theme}.png")
    mara.close()


def shoot(who: Visitor, address: str, file: Path) -> None:
    page = who.go(address)
    expect(page.get_by_role("status").filter(has_text="live")).to_be_visible()
    page.wait_for_load_state("load")
    expect(page.get_by_text("Loading")).to_have_count(0)
    if address == "/inbox":
        expect(page.locator("ul[aria-label^=Holds] li").first).to_be_visible()
    if address == PAGES["policy-edit"]:
        expect(page.get_by_text("The files are valid.")).to_be_visible()
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
        # decision buttons wait until the hold could be read
        page.wait_for_timeout(1000)
    page.evaluate("document.fonts.ready")
    page.screenshot(path=file)


def shrink(file: Path) -> None:
    """Pages have few colours: a palette of them takes a third of the space."""
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
